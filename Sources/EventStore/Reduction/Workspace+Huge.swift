import LMDB

/// Events that touch more rows of a collection than are noted one by one.
///
/// Nothing is kept of each row then. The collection's indexes are brought up to date at once, the
/// journal begins anew behind the event, and who looks is given what there is.
extension Workspace {
  /// Ends the event in the collections of which it touched so many rows.
  func endHugeEvent() throws {
    try state.lists.settle(state.shelves, isInEvent: true)
    for (place, shelf) in state.shelves.enumerated() where shelf.table.isHuge {
      try endHugeEvent(on: shelf, UInt8(place))
    }
  }

  private func endHugeEvent(on shelf: Shelf, _ place: UInt8) throws {
    var overhauls = state.lists.overhauls(ofCollection: place)
    let shape = shelf.collection.shape
    try shelf.table.endHugeEvent { row, before, now in
      let touched = now.changes(from: before, shape)
      guard touched != 0 || now.isPresent != RowView.isPresent(before) else { return }
      for index in overhauls.indices {
        overhauls[index].note(row, before: before, now: now, touched: touched)
      }
    }
    let last = journal.catalog.last
    if !state.lists.isIdle { journal.begin(.rows(of: shelf.collection.number), after: last) }
    while let overhaul = overhauls.popLast() {
      let stream = state.lists.views[Int(overhaul.place)].stream
      if try state.lists.apply(overhaul, shelf) { journal.begin(stream, after: last) }
    }
  }
}
