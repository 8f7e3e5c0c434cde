import LMDB

/// Changes to very many rows that are applied to each row later.
///
/// Rows in this frame's layer reflect all sweeps. Rows in lower layers don't: reading or changing
/// one applies the sweeps to it first. The others are updated when the frame is written. Therefore
/// no sweep is ever on disk, and no row shows that there was one.
extension RowTable {
  /// Whether rows in lower layers have sweeps pending.
  package var isSwept: Bool { !sweeps.isEmpty }

  /// Whether another sweep is possible.
  var hasRoomForSweep: Bool { sweeps.count < Sweep.countMax && !isSweptByEvent }

  /// Whether the present or last event swept the rows.
  package var isSweptByEvent: Bool { sweeps.count > sweepsBefore }

  /// Changes all rows that a sweep applies to: those that met its condition when the event began
  /// and still do.
  ///
  /// - Complexity: O(rows of the frame)
  /// - Precondition: An event is under way, and has not swept these rows yet; a second sweep would
  ///   lose the values from before the event of rows with its first sweep pending.
  /// - Throws: ``RowError/storage(_:)``.
  package mutating func sweep(_ sweep: Sweep) throws(RowError) {
    precondition(notes.isInEvent, "rows of \(collection.name) change in events alone")
    precondition(!isSweptByEvent, "a second sweep of \(collection.name) in one event")
    var rows: [RowID] = []
    dirty.forEach { id, place in
      if sweep.changes(dirty.row(at: place)) { rows.append(RowID(rawValue: id)) }
    }
    for row in rows {
      let isConcerned = try withRowBeforeEvent(row) { before in
        if let before { sweep.condition.matches(before) } else { false }
      }
      if isConcerned { try edit(row) { sweep.change(&$0) } }
    }
    sweeps.append(sweep)
  }

  /// Notes that an event begins.
  @inline(__always)
  mutating func beginSweeps() {
    sweepsBefore = sweeps.count
    learned = LearnedHashes()
  }

  /// Adds the effect of sweeps that were applied to rows in an ending event.
  @inline(__always)
  mutating func endSweeps() {
    guard isSwept else { return }
    totals.hash &+= learned.all
    hashToCome &-= learned.frozen
  }

  /// Drops the sweeps of the present event.
  mutating func rollBackSweeps() { sweeps.removeLast(sweeps.count - sweepsBefore) }

  /// Hands over the sweeps to be written with the frame.
  mutating func freezeSweeps() -> FrozenSweeps? {
    guard isSwept else { return nil }
    let frozen = FrozenSweeps(sweeps)
    (frozenSweeps, hashToCome) = (frozen, 0)
    return frozen
  }

  /// Notes that the frozen sweeps have been applied to all lower rows.
  mutating func commitSweeps() {
    guard let frozen = frozenSweeps.take() else { return }
    totals.hash &+= frozen.hash &+ hashToCome
    sweeps.removeFirst(frozen.sweeps.count)
    sweepsBefore = max(0, sweepsBefore - frozen.sweeps.count)
  }

  /// Applies the sweeps of earlier events to a row copied to the end of this frame's layer, which
  /// yields its state before the present event.
  mutating func learnOfEventsBefore(_ id: UInt32, at place: UInt32) {
    let (start, isFrozen) = (RowLayer.start(place), frozen.place(of: id) != nil)
    let frozenCount = frozenSweeps?.sweeps.count ?? 0
    let stored = hashOfLastRow(from: start)
    if !isFrozen, sweeps.change(0..<frozenCount, of: &dirty.arena, at: start) {
      learned.frozen &+= hashOfLastRow(from: start) &- stored
    }
    _ = sweeps.change(frozenCount..<sweepsBefore, of: &dirty.arena, at: start)
    learned.all &+= hashOfLastRow(from: start) &- stored
  }

  private func hashOfLastRow(from start: Int) -> UInt64 {
    let row = RowView(dirty.arena.raw.extracting(droppingFirst: start))
    return row.isPresent ? row.hash(shape) : 0
  }

  /// Applies the sweeps of the present event to such a row.
  mutating func learnOfEvent(at place: UInt32) {
    _ = sweeps.change(sweepsBefore..<sweeps.count, of: &dirty.arena, at: RowLayer.start(place))
  }

  /// Calls `body` with the result of the first `count` sweeps on a lower row.
  func withSweptRow<R>(
    _ row: RowView, isFrozen: Bool, by count: Int, _ body: (RowView?) -> R
  ) -> R {
    let known = isFrozen ? frozenSweeps?.sweeps.count ?? 0 : 0
    guard let swept = sweeps.swept(row, by: min(known, count)..<count) else { return body(row) }
    return body(RowView(swept.raw))
  }

  /// Computes the expected totals, which count rows with pending sweeps as they are stored.
  ///
  /// - Complexity: O(rows)
  func countedTotals() throws(RowError) -> RowTotals {
    var counted = RowTotals(lastID: totals.lastID, count: 0, hash: 0)
    dirty.forEach { _, place in counted.add(dirty.row(at: place), shape) }
    frozen.forEach { id, place in
      if dirty.place(of: id) == nil { counted.add(frozen.row(at: place), shape) }
    }
    try base?.forEach { id, row in
      if dirty.place(of: id) == nil, frozen.place(of: id) == nil { counted.add(row, shape) }
    }
    return counted
  }
}

/// How much applying sweeps to changed rows has added to the hash of rows.
struct LearnedHashes {
  /// The amount from all applied sweeps.
  var all: UInt64 = 0
  /// The amount from sweeps being written, which the writer will find as well.
  var frozen: UInt64 = 0
}
