extension ReducerState {
  /// Gives a field the same value in all rows of a whole view, or none: in those that were in the
  /// view when the event began and still meet its condition.
  ///
  /// Rows come to what changing them one after the other comes to. But where there are very many,
  /// and no index has to know of each, a row learns of it when it is read next: who looks at a list
  /// of the collection is given what there is at once, whatever the number of rows, as behind any
  /// event that touches so many.
  ///
  /// - Complexity: O(log *n* + rows) for at most as many as are told one by one; beyond that O(rows
  ///   of the frame) and O(nodes) of indexes that lose all their entries, where conditions alone
  ///   tell for each view of the collection that no row comes, goes or moves, or that all go.
  /// - Precondition: The view is one of the reducer's, has no groups, and the field is of its
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
    let shelf = touch(lists.views[number].collection)
    _ = attempt { () throws(RowError) in try shelf.table.sweep(sweep) }
  }

  /// Such a change as one thing, where it can be, and the views that it clears.
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
    let word = value.map { $0.withStored { $0.word } }
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
