import LMDB

extension ReducerState {
  /// The rows of a group of a view, or those at some places in it, in the view's order: as they
  /// were when the event began.
  ///
  /// The scope is the value of the field that divides the groups, where one does. There may be
  /// fewer rows than places.
  ///
  /// - Complexity: O(log *n* + rows), and what it takes to bring the view up to date with the
  ///   events before.
  /// - Precondition: The view is one of the reducer's, and grouped, by a field that can hold the
  ///   value.
  public mutating func rows<Value: FieldValue>(
    in view: String, group value: Value, within scope: Int64? = nil, at places: Range<Int>? = nil
  ) -> [RowHandle] {
    rows(list(view, value, scope), at: places)
  }

  /// The rows of a whole view that has no groups, as its namesake lists those of a group.
  public mutating func rows(in view: String) -> [RowHandle] {
    rows((lists.number(of: view), group: nil), at: nil)
  }

  /// How many rows a group of a view had when the event began.
  ///
  /// - Complexity: O(log *n*), and what it takes to bring the view up to date with the events
  ///   before.
  /// - Precondition: As of the rows.
  public mutating func count<Value: FieldValue>(
    in view: String, group value: Value, within scope: Int64? = nil
  ) -> Int {
    ranks(list(view, value, scope)).count
  }

  private typealias List = (view: Int, group: UInt64?)

  private func list<Value: FieldValue>(_ view: String, _ value: Value, _ scope: Int64?) -> List {
    let number = lists.number(of: view)
    return (number, lists.views[number].plan.group(of: value, within: scope))
  }

  private mutating func rows(_ list: List, at places: Range<Int>?) -> [RowHandle] {
    let collection = lists.views[list.view].collection
    var ranks = ranks(list)
    if let places {
      let first = min(places.lowerBound, ranks.count)
      ranks = ranks.dropFirst(first).prefix(places.count)
    }
    do {
      return try lists.views[list.view].index.rows(in: ranks)
        .map { RowHandle(collection: collection, row: $0) }
    } catch {
      fail(error)
      return []
    }
  }

  private mutating func ranks(_ list: List) -> Range<Int> {
    do {
      try lists.require(list.view, shelves, isWithinEvent: true)
      try lists.settle(shelves, isInEvent: true)
      return try lists.ranks(list.view, group: list.group)
    } catch {
      fail(error)
      return 0..<0
    }
  }
}

extension ListBook {
  /// The place of a view among the reducer's.
  func number(of name: String) -> Int {
    guard let number = kept.firstIndex(where: { $0.plan.definition.name == name }) else {
      preconditionFailure("\(name) is not one of the reducer's views")
    }
    return number
  }

  /// The ranks of a list in its view's index.
  mutating func ranks(_ view: Int, group: UInt64?) throws -> Range<Int> {
    guard let group, views[view].plan.isGrouped else { return 0..<views[view].index.count }
    return try views[view].index.ranks(ofGroup: group)
  }
}
