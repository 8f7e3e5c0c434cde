import LMDB

extension RowTable {
  /// Begins a batch.
  package mutating func beginBatch() { notes.beginBatch() }

  /// Ends a batch, and moves on after its last event.
  package mutating func endBatch() {
    if !notes.event.isEmpty { passEvent() }
    notes.endBatch()
  }

  /// Begins an event, and moves on after the one before.
  package mutating func beginEvent() {
    if !notes.event.isEmpty { passEvent() }
    dirty.makeRoomForMany()
    notes.beginEvent(dirty.end)
    beginSweeps()
  }

  /// Ends an event and keeps its changes, which the totals don't include before it is passed.
  package mutating func endEvent() {
    notes.endEvent()
    endSweeps()
  }

  /// Moves on after an ended event: no row counts as touched by it any more.
  ///
  /// - Complexity: O(bytes of the touched rows)
  package mutating func passEvent() {
    totals.follow(notes, dirty, shape)
    notes.passEvent()
  }

  /// Undoes an event: rows, numbers, and notes are as they were when it began.
  package mutating func rollBackEvent() {
    notes.crowd.forEachReversed { id in
      if id >= dirty.firstNew { totals.lastID -= 1 }
      dirty.forget(id)
    }
    for touch in notes.event.reversed() {
      dirty.restore(touch, of: notes)
      if notes.touches[touch].image.isEmpty { totals.lastID -= 1 }
    }
    dirty.truncate(to: notes.layerEnd)
    rollBackSweeps()
    notes.dropEvent()
  }

  /// The number of rows that the present or last event touched.
  package var touchedCount: Int { notes.touchedCount }

  /// Calls `body` with each noted row that the present event, or the last of the batch, touched.
  ///
  /// `body` gets the row as it was before, or `nil` if there was none, and as it is. Either may not
  /// be present.
  ///
  /// - Complexity: O(rows touched)
  package func forEachTouchedRow(_ body: (RowID, _ before: RowView?, _ now: RowView) -> Void) {
    for index in notes.event {
      let id = notes.touches[index].id
      guard let place = dirty.place(of: id) else { continue }
      body(RowID(rawValue: id), notes.image(index), dirty.row(at: place))
    }
  }

  /// Calls `body` once with each noted row that the present batch touched, and whether the batch
  /// created it.
  ///
  /// - Complexity: O(touches)
  func forEachRowOfBatch(_ body: (RowID, _ isNew: Bool) -> Void) {
    for (index, touch) in notes.touches.enumerated() where touch.first == index {
      body(RowID(rawValue: touch.id), touch.image.isEmpty)
    }
  }

  /// The number of the last row that existed when this frame began.
  var lastBeforeFrame: UInt32 { dirty.firstNew - 1 }

  /// Calls `body` with each row that existed when this frame began and that the frame changed, in
  /// ascending order of the numbers.
  ///
  /// `body` gets the row as it was when the frame began, and as it is or, if requested, was before
  /// the present event. Either may not be present.
  ///
  /// - Complexity: O(log *n*) for each.
  /// - Throws: ``RowError/storage(_:)``.
  func forEachRowOfFrame(
    beforeEvent: Bool, _ body: (RowID, _ before: RowView, _ now: RowView) -> Void
  ) throws(RowError) {
    try dirty.forEachOld { id, place throws(RowError) in
      let (row, head) = (RowID(rawValue: id), dirty.head(at: place))
      try withStoredRow(id) { before in
        guard let before else { return }
        if !beforeEvent || !notes.isTouched(head) {
          body(row, before, dirty.row(at: place))
        } else if !notes.isInCrowd(head), let image = notes.image(Int(head.touch)) {
          body(row, before, image)
        }
      }
    }
  }

  /// Calls `body` with a row as it was before the present event, or the last of the batch, or with
  /// `nil` if there was none.
  ///
  /// - Complexity: As ``withRow(_:_:)``.
  /// - Throws: ``RowError/storage(_:)``.
  package func withRowBeforeEvent<R>(
    _ id: RowID, _ body: (RowView?) -> R
  ) throws(RowError) -> R {
    guard let place = dirty.place(of: id.rawValue) else {
      return try withLowerRow(id.rawValue, by: sweepsBefore, body)
    }
    let head = dirty.head(at: place)
    guard notes.isTouched(head) else { return body(dirty.row(at: place)) }
    if notes.isInCrowd(head) { return try withLowerRow(id.rawValue, by: sweepsBefore, body) }
    return body(notes.image(Int(head.touch)))
  }
}

/// Events that touch more rows than are noted one by one.
extension RowTable {
  /// Whether the present event is huge.
  package var isHuge: Bool { notes.isHuge || isSweptByEvent }

  /// The maximum number of touched rows per event that are each noted.
  package var eventMax: Int { notes.eventMax }

  /// Ends such an event, as ``endEvent()`` does, and restarts the batch after it: earlier values of
  /// rows are no longer known.
  ///
  /// Before that, `body` is called once with each row that the event touched, in no particular
  /// order: with the row as it was before, or `nil` if there was none, and as it is.
  ///
  /// - Complexity: O(bytes of the touched rows + greatest number)
  /// - Throws: ``RowError/storage(_:)``.
  package mutating func endHugeEvent(
    _ body: (RowID, _ before: RowView?, _ now: RowView) -> Void
  ) throws(RowError) {
    endEvent()
    forEachTouchedRow(body)
    var totals = totals
    totals.follow(notes, dirty, shape)
    try forEachRowOfCrowd { id, before, now in
      if let before { totals.remove(before, shape) }
      totals.add(now, shape)
      body(id, before, now)
    }
    self.totals = totals
    notes.restartBatch()
    sweepsBefore = sweeps.count
  }

  private func forEachRowOfCrowd(
    _ body: (RowID, _ before: RowView?, _ now: RowView) -> Void
  ) throws(RowError) {
    guard let base else { return notes.crowd.forEach { visit($0, nil, body) } }
    try base.read(notes.crowd) { visit($0, $1, body) }
  }

  /// Calls `body` with a row of the crowd, given its committed state.
  private func visit(
    _ id: UInt32, _ committed: RowView?,
    _ body: (RowID, _ before: RowView?, _ now: RowView) -> Void
  ) {
    guard let place = dirty.place(of: id) else { return }
    let now = dirty.row(at: place)
    let lower = frozen.place(of: id)
    var before = committed
    if let lower { before = frozen.row(at: lower) }
    guard let before else { return body(RowID(rawValue: id), nil, now) }
    withSweptRow(before, isFrozen: lower != nil, by: sweepsBefore) {
      body(RowID(rawValue: id), $0, now)
    }
  }
}
