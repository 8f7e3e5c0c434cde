extension ReducerState {
  /// The rows of a list, or those at some places in it, in the view's order: as they were when the
  /// event began.
  ///
  /// There may be fewer rows than places. From now on rows may follow from how the view is defined:
  /// where it is defined otherwise, all of them are made anew from the log.
  ///
  /// - Complexity: O(log *n* + rows), and what it takes to bring the view up to date with the
  ///   events before.
  /// - Precondition: The list is of one of the reducer's views: of a group where that is grouped,
  ///   by a value that its field can hold, and else of the whole.
  public mutating func rows(in list: ListName, at places: Range<Int>? = nil) -> [RowHandle] {
    rows(id(of: list), at: places)
  }

  /// How many rows a list had when the event began.
  ///
  /// - Complexity: O(log *n*), and what it takes to bring the view up to date with the events
  ///   before.
  /// - Precondition: As of the rows.
  public mutating func count(in list: ListName) -> Int { ranks(id(of: list)).count }

  private func id(of list: ListName) -> ListID {
    let number = lists.ask(list.view)
    return ListID(view: number, group: lists.views[number].plan.word(of: list))
  }

  private mutating func rows(_ list: ListID, at places: Range<Int>?) -> [RowHandle] {
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

  private mutating func ranks(_ list: ListID) -> Range<Int> {
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

  /// The place of a view that the reducer asks, and of which that is noted.
  func ask(_ name: String) -> Int {
    let number = number(of: name)
    views[number].isAsked = true
    return number
  }

  /// The ranks of a list in its view's index.
  mutating func ranks(_ view: Int, group: UInt64) throws -> Range<Int> {
    guard views[view].plan.isGrouped else { return 0..<views[view].index.count }
    return try views[view].index.ranks(ofGroup: group)
  }
}
