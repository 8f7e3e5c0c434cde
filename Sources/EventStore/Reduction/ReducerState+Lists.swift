extension ReducerState {
  /// Returns the rows of a list, or those at some places in it, in the view's order, as they were
  /// when the event began.
  ///
  /// The result may have fewer rows than places. From now on rows may depend on the view's
  /// definition: if it changes, all rows are rebuilt from the log.
  ///
  /// - Complexity: O(log *n* + rows), plus the time to bring the view up to date with the events
  ///   before.
  /// - Precondition: The list belongs to one of the reducer's views. For a grouped view it names a
  ///   group, by a value that the group's field can hold; otherwise it is the whole view.
  public mutating func rows(in list: ListName, at places: Range<Int>? = nil) -> [RowHandle] {
    rows(id(of: list), at: places)
  }

  /// Returns the number of rows that a list had when the event began.
  ///
  /// - Complexity: O(log *n*), plus the time to bring the view up to date with the events before.
  /// - Precondition: As for the list's rows.
  public mutating func count(in list: ListName) -> Int { ranks(id(of: list)).count }

  /// Returns the rows of a collection that the present event has touched so far, or `nil` if there
  /// are more than a number of them.
  ///
  /// Together with a list, which has the rows as they were when the event began, this tells what
  /// may be in the list now.
  ///
  /// - Complexity: O(`limit`)
  /// - Precondition: The collection is one of the reducer's.
  package func touchedRows(of collection: RowCollection, atMost limit: Int) -> [RowHandle]? {
    let place = place(of: collection)
    guard touched.inEvent.contains(place) else { return [] }
    let shelf = shelves[Int(place)]
    guard shelf.table.touchedCount <= limit else { return nil }
    var rows: [RowHandle] = []
    shelf.table.forEachTouchedRow { row, _, _ in
      rows.append(RowHandle(collection: place, row: row))
    }
    return rows
  }

  private func id(of list: ListName) -> ListID {
    let number = lists.ask(list.view)
    return ListID(view: number, group: lists.views[number].plan.word(of: list))
  }

  private mutating func rows(_ list: ListID, at places: Range<Int>?) -> [RowHandle] {
    let collection = lists.views[list.view].collection
    var ranks = ranks(list)
    if let places {
      let part = places.clamped(to: 0..<ranks.count)
      ranks = ranks.dropFirst(part.lowerBound).prefix(part.count)
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
  /// Returns the place of a view among the reducer's.
  func number(of name: String) -> Int {
    guard let number = kept.firstIndex(where: { $0.plan.definition.name == name }) else {
      preconditionFailure("\(name) is not one of the reducer's views")
    }
    return number
  }

  /// Returns the place of a view that the reducer queries, and notes the query.
  func ask(_ name: String) -> Int {
    let number = number(of: name)
    views[number].isAsked = true
    return number
  }

  /// Returns the ranks of a list in its view's index.
  mutating func ranks(_ view: Int, group: UInt64) throws -> Range<Int> {
    guard views[view].plan.isGrouped else { return 0..<views[view].index.count }
    return try views[view].index.ranks(ofGroup: group)
  }
}
