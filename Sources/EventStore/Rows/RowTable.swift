import LMDB

/// The rows of one collection: those changed in this frame, above those being committed, above the
/// committed ones.
///
/// Changes come in batches of events. The table tracks which rows each event touched and their
/// values before it, and their values when the batch began. A table is not safe for concurrent use.
package struct RowTable: ~Copyable {
  /// The collection of the rows.
  package let collection: RowCollection
  /// The totals of all rows.
  package internal(set) var totals: RowTotals
  /// The touches of the present batch.
  var notes: RowNotes
  /// The rows changed in this frame.
  var dirty: RowLayer
  /// The rows being committed.
  var frozen = RowLayer(after: 0)
  /// The memory of the previous frame.
  var spare = RowLayer(after: 0)
  let base: RowBase?
  let shape: RowShape
  /// The sweeps pending for rows below this frame's layer.
  var sweeps: [Sweep] = []
  /// The number of these sweeps from events before the present one.
  var sweepsBefore = 0
  /// The effect of sweeps applied to rows in the present event.
  var learned = LearnedHashes()
  /// The first of the sweeps, applied to the remaining rows as the previous frame is written.
  var frozenSweeps: FrozenSweeps?
  /// The amount to add to the hash of rows afterwards, besides what the writer finds.
  var hashToCome: UInt64 = 0

  /// Creates the rows of a collection over the committed ones, whose totals were stored with them.
  ///
  /// - Parameter eventMax: The maximum number of touched rows per event that are each noted.
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

  /// The size in bytes of this frame's changes.
  package var dirtyBytes: Int { dirty.byteCount }

  /// Whether this frame has no changes.
  package var isClean: Bool { dirty.count == 0 }

  /// Calls `body` with a row as it is now, or with `nil` if the number was never assigned; a
  /// deleted row is not present.
  ///
  /// - Complexity: O(1) for a changed row, O(log n) for others.
  /// - Throws: ``RowError/storage(_:)``.
  package func withRow<R>(_ id: RowID, _ body: (RowView?) -> R) throws(RowError) -> R {
    if let place = dirty.place(of: id.rawValue) { return body(dirty.row(at: place)) }
    return try withLowerRow(id.rawValue, body)
  }

  /// Calls `body` with a row as it was when the batch began, or with `nil` if there was none.
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

  /// Calls `body` with a row not changed in this frame, as it is now.
  func withLowerRow<R>(_ id: UInt32, _ body: (RowView?) -> R) throws(RowError) -> R {
    try withLowerRow(id, by: sweeps.count, body)
  }

  /// Calls `body` with the result of the first `count` sweeps on a row not changed in this frame.
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

  /// Calls `body` with a row as stored below this frame's layer.
  func withStoredRow<R>(_ id: UInt32, _ body: (RowView?) -> R) throws(RowError) -> R {
    if let place = frozen.place(of: id) { return body(frozen.row(at: place)) }
    guard id <= totals.lastID, let row = try base?.read(id, body) else { return body(nil) }
    return row
  }

  /// Calls `body` with each present row, or each from a number on, in ascending order of the
  /// numbers.
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

  /// Calls `body` with a row in one of the layers if it is present; returns whether a layer holds
  /// it.
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
