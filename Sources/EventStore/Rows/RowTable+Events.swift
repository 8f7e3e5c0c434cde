import LMDB

extension RowTable {
  /// Begins a batch.
  package mutating func beginBatch() { notes.beginBatch() }

  /// Ends a batch.
  package mutating func endBatch() { notes.endBatch() }

  /// Begins an event.
  package mutating func beginEvent() {
    notes.beginEvent(dirty.arena.count)
  }

  /// Ends an event: what it changed stays.
  ///
  /// - Complexity: O(bytes of the rows that were touched)
  package mutating func endEvent() {
    notes.endEvent()
    totals.follow(notes, dirty, shape)
  }

  /// Ends an event as if it had not been: rows, numbers and notes are as they were when it began.
  package mutating func rollBackEvent() {
    for touch in notes.event.reversed() {
      dirty.restore(touch, of: notes)
      if notes.touches[touch].image.isEmpty { totals.lastID -= 1 }
    }
    dirty.truncate(to: notes.arenaCount)
    notes.dropEvent()
  }

  /// How many rows the present event touched, or the last.
  package var touchedCount: Int { notes.event.count }

  /// Calls `body` with each row that the present event touched, or the last of the batch.
  ///
  /// It is given the row as it was before, or `nil` where there was none, and as it is. Either may
  /// not be present.
  ///
  /// - Complexity: O(rows touched)
  package func forEachTouchedRow(_ body: (RowID, _ before: RowView?, _ now: RowView) -> Void) {
    for index in notes.event {
      let id = notes.touches[index].id
      guard let place = dirty.place(of: id) else { continue }
      body(RowID(rawValue: id), notes.image(index), dirty.row(at: place))
    }
  }

  /// Calls `body` with a row as it was before the present event or the last of the batch, or with
  /// `nil` where there was none.
  ///
  /// - Complexity: As ``withRow(_:_:)``.
  /// - Throws: ``RowError/storage(_:)``.
  package func withRowBeforeEvent<R>(
    _ id: RowID, _ body: (RowView?) -> R
  ) throws(RowError) -> R {
    guard let place = dirty.place(of: id.rawValue) else { return try withRow(id, body) }
    let head = dirty.head(at: place)
    guard notes.isTouched(head) else { return body(dirty.row(at: place)) }
    return body(notes.image(Int(head.touch)))
  }
}
