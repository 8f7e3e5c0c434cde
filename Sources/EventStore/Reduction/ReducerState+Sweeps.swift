extension ReducerState {
  /// Sets or clears a field in all rows of a whole view: those that were in the view when the event
  /// began and still meet its condition.
  ///
  /// The result is the same as changing the rows one by one. If there are very many and no index
  /// has to know each of them, a row learns of the change when it is next read. Subscribers to
  /// lists of the collection then get the current state at once, whatever the number of rows, as
  /// after any event that touches so many.
  ///
  /// - Complexity: O(log *n* + rows) up to the number of rows noted one by one. Beyond that, O(rows
  ///   of the frame), plus O(nodes) for indexes that lose all entries, if conditions alone show for
  ///   each view of the collection that no row enters, leaves, or moves, or that all leave.
  /// - Precondition: The view is one of the reducer's and has no groups, and the field is of its
  ///   collection.
  public mutating func set<Value: FieldValue>(
    _ field: Field<Value>, to value: Value?, inAll view: String
  ) {
    let number = lists.ask(view)
    guard let (sweep, cleared) = sweep(field.index, value, number) else {
      let program = lists.views[number].plan.program
      for row in rows(in: ListName(view)) where meets(program, row) { self[row, field] = value }
      return
    }
    self.cleared.formUnion(cleared)
    touch(lists.views[number].collection)
    let shelf = shelves[Int(lists.views[number].collection)]
    _ = attempt { () throws(RowError) in try shelf.table.sweep(sweep) }
  }

  /// Returns such a change as a single sweep, if possible, and the views it clears.
  private mutating func sweep<Value: FieldValue>(
    _ field: Int, _ value: Value?, _ view: Int
  ) -> (Sweep, cleared: [UInt16])? {
    let (plan, kind) = (lists.views[view].plan, Value.fieldKind)
    let collection = lists.views[view].collection
    let shelf = shelves[Int(collection)]
    precondition(!plan.isGrouped, "view \(plan.definition.name) has groups")
    precondition(shelf.shape.has(field, of: kind), "a field of other rows")
    let isHuge = lists.views[view].index.count > shelf.table.eventMax
    guard maySweep, isHuge, kind.isCoded, shelf.table.hasRoomForSweep else { return nil }
    let word = value.map(\.word)
    let (rows, code) = (
      NormalCondition(plan.definition.condition), word.map { FixedOrder.code(of: $0, kind) }
    )
    var cleared: [UInt16] = []
    for listener in lists.listeners[Int(collection)] {
      switch SweepEffect(on: listener.plan, of: rows, field: field, to: code) {
      case .updates: continue
      case .clears: cleared.append(listener.place)
      case .unknown: return nil
      }
    }
    return (Sweep(plan.program, field: field, kind, to: word), cleared)
  }
}
