import LMDB

extension State {
  /// The rows of a view, or of one of its groups, in the view's order: as they were when the event
  /// began.
  ///
  /// - Complexity: O(log *n* + rows), and what it takes to bring the view up to date with the
  ///   events before.
  /// The scope is the value of the field that divides the groups, where one does.
  ///
  /// - Precondition: The view is one of the reducer's, and grouped where a group is given, by a
  ///   field that can hold the value.
  public mutating func rows<Value: FieldValue>(
    in view: String, group value: Value, within scope: Int64? = nil
  ) -> [RowHandle] {
    let number = lists.number(of: view)
    return rows(number, group: lists.views[number].plan.group(of: value, within: scope))
  }

  /// The rows of a whole view that has no groups, as its namesake lists those of a group.
  public mutating func rows(in view: String) -> [RowHandle] {
    rows(lists.number(of: view), group: nil)
  }

  private mutating func rows(_ view: Int, group: UInt64?) -> [RowHandle] {
    let collection = lists.views[view].collection
    do {
      try lists.require(view, shelves, isWithinEvent: true)
      try lists.settle(shelves, isInEvent: true)
      let rows = try lists.rows(view, group: group)
      return rows.map { RowHandle(collection: collection, row: $0) }
    } catch {
      fail(error)
      return []
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

  fileprivate mutating func rows(_ view: Int, group: UInt64?) throws -> [RowID] {
    let ranks = try ranks(view, group: group)
    return try views[view].index.rows(in: ranks)
  }
}
