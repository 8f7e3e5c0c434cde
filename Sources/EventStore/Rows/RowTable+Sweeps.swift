import LMDB

/// Changes of very many rows that these learn of by and by.
///
/// What lies in this frame's layer has learned of all sweeps. What lies below has not: whoever
/// reads it is given what they make of it, and whoever changes it changes that. The rest learns of
/// them when the frame is written. So no sweep is ever on disk, and no row tells that there was
/// one.
extension RowTable {
  /// Whether there are sweeps that rows below have not learned of.
  package var isSwept: Bool { !sweeps.isEmpty }

  /// Whether a further sweep can be.
  var hasRoomForSweep: Bool { sweeps.count < Sweep.countMax && !isSweptByEvent }

  /// Whether the present event swept the rows, or the last.
  package var isSweptByEvent: Bool { sweeps.count > sweepsBefore }

  /// Changes all rows that a sweep concerns: that met its condition when the event began and still
  /// do.
  ///
  /// - Complexity: O(rows of the frame)
  /// - Precondition: An event is under way, and has not swept these rows yet: what it found of
  ///   those that have not learned of its first sweep would be known no more.
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

  /// Counts in what rows learned of in an event that ends.
  @inline(__always)
  mutating func endSweeps() {
    guard isSwept else { return }
    totals.hash &+= learned.all
    hashToCome &-= learned.frozen
  }

  /// Forgets what the present event swept.
  mutating func rollBackSweeps() { sweeps.removeLast(sweeps.count - sweepsBefore) }

  /// Hands the sweeps out to be written with the frame.
  mutating func freezeSweeps() -> FrozenSweeps? {
    guard isSwept else { return nil }
    let frozen = FrozenSweeps(sweeps)
    (frozenSweeps, hashToCome) = (frozen, 0)
    return frozen
  }

  /// Notes that all rows below have learned of the sweeps that were frozen.
  mutating func commitSweeps() {
    guard let frozen = frozenSweeps.take() else { return }
    totals.hash &+= frozen.hash &+ hashToCome
    sweeps.removeFirst(frozen.sweeps.count)
    sweepsBefore = max(0, sweepsBefore - frozen.sweeps.count)
  }

  /// Has a row that was copied to the end of this frame's layer learn of the sweeps of the events
  /// before: what it is behind them is what the present event found.
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

  /// Has such a row learn of the sweeps of the present event.
  mutating func learnOfEvent(at place: UInt32) {
    _ = sweeps.change(sweepsBefore..<sweeps.count, of: &dirty.arena, at: RowLayer.start(place))
  }

  /// Calls `body` with what the first so many sweeps make of a row that lies below.
  func withSweptRow<R>(
    _ row: RowView, isFrozen: Bool, by count: Int, _ body: (RowView?) -> R
  ) -> R {
    let known = isFrozen ? frozenSweeps?.sweeps.count ?? 0 : 0
    guard let swept = sweeps.swept(row, by: min(known, count)..<count) else { return body(row) }
    return body(RowView(swept.raw))
  }

  /// What the totals must be: of rows that have not learned of a sweep they know what lies there.
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

/// How much the hash of rows has become more, as they were changed and learned of sweeps then.
struct LearnedHashes {
  /// By all that they learned of.
  var all: UInt64 = 0
  /// By what is being written, where the writer will find the same.
  var frozen: UInt64 = 0
}
