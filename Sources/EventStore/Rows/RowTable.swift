import LMDB

/// The rows of one collection: those changed in this frame, above those that are being committed,
/// above those that are.
///
/// Changes come in batches of events. Of each event it is known which rows it touched, and what
/// they were before; and of each batch, what they were when it began. It is not for two threads at
/// once.
package struct RowTable: ~Copyable {
  /// Whose rows these are.
  package let collection: RowCollection
  /// What all rows are together.
  package internal(set) var totals: RowTotals
  /// What the present batch touched.
  var notes: RowNotes
  /// The rows that were changed in this frame.
  var dirty: RowLayer
  /// The rows that are being committed.
  var frozen = RowLayer(after: 0)
  /// The memory of the frame before.
  var spare = RowLayer(after: 0)
  let base: RowBase?
  let shape: RowShape
  /// What not all rows have learned of that lie below this frame's layer.
  var sweeps: [Sweep] = []
  /// How many of these are of events before the present one.
  var sweepsBefore = 0
  /// What rows have learned of in the present event.
  var learned = LearnedHashes()
  /// The first of the sweeps, of which the rest learns as the frame before is written.
  var frozenSweeps: FrozenSweeps?
  /// How much the hash of rows becomes more when that is done, beside what is found then.
  var hashToCome: UInt64 = 0

  /// A collection's rows over those that are committed, whose totals were kept with them.
  ///
  /// - Parameter eventMax: How many rows an event may touch, each of which is noted.
  package init(
    _ collection: RowCollection, over base: RowBase? = nil, _ totals: RowTotals = RowTotals(),
    eventMax: Int = RowNotes.eventMaxDefault
  ) {
    self.collection = collection
    self.base = base
    self.totals = totals
    shape = collection.shape
    notes = RowNotes(eventMax: eventMax)
    dirty = RowLayer(after: totals.lastID)
  }

  /// How many bytes the changes of this frame take.
  package var dirtyBytes: Int { dirty.arena.count }

  /// Whether nothing was changed in this frame.
  package var isClean: Bool { dirty.count == 0 }

  /// Calls `body` with a row as it is now, or with `nil` where the number was never given; one that
  /// was deleted is a row that is not present.
  ///
  /// - Complexity: O(1) for a changed row, O(log n) for another.
  /// - Throws: ``RowError/storage(_:)``.
  package func withRow<R>(_ id: RowID, _ body: (RowView?) -> R) throws(RowError) -> R {
    if let place = dirty.place(of: id.rawValue) { return body(dirty.row(at: place)) }
    return try withLowerRow(id.rawValue, body)
  }

  /// Calls `body` with a row as it was when the batch began, or with `nil` where there was none.
  ///
  /// - Complexity: As ``withRow(_:_:)``.
  /// - Throws: ``RowError/storage(_:)``.
  package func withRowAtBatchStart<R>(
    _ id: RowID, _ body: (RowView?) -> R
  ) throws(RowError) -> R {
    guard let place = dirty.place(of: id.rawValue) else {
      return try withLowerRow(id.rawValue, by: sweepsBefore, body)
    }
    let head = dirty.head(at: place)
    if notes.isInCrowd(head) { return try withLowerRow(id.rawValue, by: sweepsBefore, body) }
    guard let first = notes.firstTouch(head) else { return body(dirty.row(at: place)) }
    return body(notes.image(first))
  }

  /// Calls `body` with a row that this frame has not changed, as it is now.
  func withLowerRow<R>(_ id: UInt32, _ body: (RowView?) -> R) throws(RowError) -> R {
    try withLowerRow(id, by: sweeps.count, body)
  }

  /// Calls `body` with what the first so many sweeps make of a row that this frame has not changed.
  @inline(__always)
  func withLowerRow<R>(
    _ id: UInt32, by count: Int, _ body: (RowView?) -> R
  ) throws(RowError) -> R {
    guard count > 0 else { return try withStoredRow(id, body) }
    let isFrozen = frozen.place(of: id) != nil
    return try withStoredRow(id) { row in
      guard let row else { return body(nil) }
      return withSweptRow(row, isFrozen: isFrozen, by: count, body)
    }
  }

  /// Calls `body` with a row as it lies below this frame's layer.
  func withStoredRow<R>(_ id: UInt32, _ body: (RowView?) -> R) throws(RowError) -> R {
    if let place = frozen.place(of: id) { return body(frozen.row(at: place)) }
    guard let base, id <= totals.lastID else { return body(nil) }
    return try base.read(id, body)
  }

  /// Calls `body` with each row that is present, or each from a number on, in ascending order of
  /// the numbers.
  ///
  /// - Complexity: O(rows)
  /// - Throws: ``RowError/storage(_:)``.
  package func forEachRow(
    from first: UInt32 = 1, _ body: (RowID, RowView) -> Void
  ) throws(RowError) {
    var next = first
    try base?.forEach(from: UInt64(first)) { id, row in
      guard id <= totals.lastID else { return }
      visitChanged(&next, before: id, body)
      if !visitChanged(id, body) { visitLower(id, row, isFrozen: false, body) }
      next = id + 1
    }
    visitChanged(&next, before: totals.lastID + 1, body)
  }

  private func visitChanged(
    _ next: inout UInt32, before end: UInt32, _ body: (RowID, RowView) -> Void
  ) {
    while next < end {
      visitChanged(next, body)
      next += 1
    }
  }

  /// Calls `body` with a row that a layer holds, where it is present; says whether one does.
  @discardableResult
  private func visitChanged(_ id: UInt32, _ body: (RowID, RowView) -> Void) -> Bool {
    if let place = dirty.place(of: id) {
      let row = dirty.row(at: place)
      if row.isPresent { body(RowID(rawValue: id), row) }
      return true
    }
    guard let place = frozen.place(of: id) else { return false }
    visitLower(id, frozen.row(at: place), isFrozen: true, body)
    return true
  }

  private func visitLower(
    _ id: UInt32, _ row: RowView, isFrozen: Bool, _ body: (RowID, RowView) -> Void
  ) {
    guard row.isPresent else { return }
    guard isSwept else { return body(RowID(rawValue: id), row) }
    withSweptRow(row, isFrozen: isFrozen, by: sweeps.count) { row in
      if let row { body(RowID(rawValue: id), row) }
    }
  }
}
