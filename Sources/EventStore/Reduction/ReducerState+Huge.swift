import LMDB

/// Events that touch more rows of a collection than are noted one by one.
///
/// No change of a single row is kept then. The collection's indexes are brought up to date at once,
/// the journal restarts after the event, and subscribers get the current state.
extension ReducerState {
  /// Ends the event in the collections in which it touched that many rows.
  mutating func endHugeEvent(_ journal: inout Journal) throws {
    try lists.settle(shelves, isInEvent: true)
    try touched.inEvent.forEach { place throws in
      let shelf = shelves[Int(place)]
      guard shelf.table.isHuge else { return }
      try endHugeEvent(on: shelf, place, &journal)
      noteUpset(place)
    }
  }

  private mutating func endHugeEvent(
    on shelf: Shelf, _ place: UInt8, _ journal: inout Journal
  ) throws {
    lists.restartBuilding(ofCollection: place)
    var overhauls = lists.overhauls(ofCollection: place)
    if shelf.table.isSweptByEvent {
      for index in overhauls.indices { overhauls[index].noteSweep(clearing: cleared) }
    }
    let (shape, witness) = (shelf.collection.shape, witness)
    try shelf.table.endHugeEvent { row, before, now in
      witness?.note(place, row, before, now, shape)
      let touched = now.changes(from: before, shape)
      for index in overhauls.indices {
        overhauls[index].note(row, before: before, now: now, touched: touched)
      }
    }
    let last = journal.catalog.last
    if !lists.isDeferred { journal.begin(.rows(of: shelf.collection.number), after: last) }
    while let overhaul = overhauls.popLast() {
      let view = lists.views[Int(overhaul.place)]
      let isConcerned = try lists.apply(overhaul, shelf)
      if isConcerned, view.isKept { journal.begin(view.stream, after: last) }
    }
  }
}
