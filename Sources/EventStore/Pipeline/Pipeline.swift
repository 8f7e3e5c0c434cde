import LMDB

/// Brings new log records into the views: reduces and delivers them, and commits the views.
///
/// If nothing waits, a few records are reduced on the log's own thread before it flushes them. More
/// are handed to the views' thread, which reduces them during the flush.
final class Pipeline: LogFollower {
  /// The maximum number of records that the log's own thread reduces at once.
  static let inlineMax = 32

  /// The views.
  let stage: Stage
  let backlog: Monitor<Backlog>
  /// The reducer that sketches the rows that records will add, while others are being reduced.
  private let reducer: any Reducer

  init(_ stage: Stage, _ backlog: sending Backlog, _ reducer: any Reducer) {
    self.stage = stage
    self.backlog = Monitor(backlog)
    self.reducer = reducer
  }

  func waitForRoom() {
    _ = backlog.withLock(when: { $0.hasRoom }) { _ in }
  }

  func wrote(_ records: WrittenRecords) {
    let isMoved = backlog.withLock { $0.write(from: records.start, to: records.end) }
    guard !isMoved else { return leaveToLog(records) }
    if let rest = notReducedAhead(records) { follow(rest) }
  }

  /// Goes back to what the log has, and forward from there, which includes the records soon.
  func leaveToLog(_ records: WrittenRecords) {
    backlog.withLock { backlog in
      backlog.aheadPause = .now + Backlog.aheadPauseMax
      backlog.addWaiters(of: records)
    }
    spoil()
    serveIfClosing()
  }

  /// Notifies the receipts if nothing more will be visible.
  private func serveIfClosing() {
    if backlog.withLock({ $0.isClosing }) { serve() }
  }

  private func follow(_ records: WrittenRecords) {
    let isFirst = backlog.withLock { $0.isEmpty && !$0.isSpoiled }
    guard isFirst, records.mayBeReducedInline else { return hand(over: records) }
    let reduced: Int?
    do {
      reduced = try stage.withIfAvailable { try Self.reduce(records, $0) } ?? nil
    } catch {
      return leaveToLog(records)
    }
    guard let bytes = reduced else { return hand(over: records) }
    noteReduced(upTo: records.end.number, bytes: bytes)
    for receipt in records.receipts { receipt.becameVisible() }
  }

  /// Notes that what the log's thread writes was already reduced.
  func noteReduced(upTo last: RecordNumber, bytes: Int) {
    note { $0.noteReduced(upTo: last, bytes: bytes, now: .now) }
  }

  /// Returns the bytes of the frame, or `nil` if the views' thread must handle the records.
  private static func reduce(_ records: WrittenRecords, _ workspace: Workspace) throws -> Int? {
    try workspace.reduce(records) ? workspace.byteCount : nil
  }

  private func hand(over records: WrittenRecords) {
    var records = records
    if backlog.withLock({ $0.isWorthSketching(records.count) }) {
      records.sketches = [SketchBook(for: records)]
    }
    note { backlog in
      backlog.append(records)
      backlog.addWaiters(of: records)
      return true
    }
    records.sketches.first?.sketch(records, by: reducer)
    serveIfClosing()
  }

  func committed(upTo last: RecordNumber, isDurable: Bool) {
    note { backlog in
      backlog.committed(upTo: last)
      if isDurable { backlog.flushed(upTo: last) }
      return backlog.isBehind || backlog.isFlushAwaited
    }
  }

  func becameOtherCopy() {
    note { _ in true }
  }

  func failed() { goBack { $0.failed(now: .now) } }

  /// Permits writing the views from now on, unless the log can't be written.
  func permitWriting(unless failure: LogError?) {
    note { backlog in
      backlog.permission = failure.map { .refused($0) } ?? .given
      return backlog.isAwaitingFlush
    }
  }

  /// Whether the views may be written; throws if they never may be.
  func mayWrite() throws(LogError) -> Bool {
    let permission = backlog.withLock { $0.permission }
    if case .refused(let failure) = permission { throw failure }
    return permission.isGiven
  }

  /// Makes the views' thread go back to what is committed, and forward along the log from there.
  ///
  /// A permanent failure recurs there, and ends that thread.
  func spoil() { goBack { $0.spoil() } }

  private func goBack(_ change: (inout Backlog) -> Void) {
    note { backlog in
      change(&backlog)
      return true
    }
    backlog.notify()
  }

  /// Waits until everything up to a record is durable; returns `false` if it did not reach the log,
  /// or if the thread is to end before it is known to be durable.
  ///
  /// For the thread that commits a frame.
  func waitUntilDurable(_ number: RecordNumber) -> Bool {
    let mustWait = backlog.withLock { backlog in
      backlog.isFrameAwaitingFlush = !backlog.isDurable(upTo: number)
      return backlog.isFrameAwaitingFlush
    }
    // The log may be waiting for room, and this thread waits for its flush.
    if mustWait { backlog.notify() }
    let isDurable = backlog.withLock(
      when: { $0.isDurable(upTo: number) || $0.isSpoiled || $0.isClosing },
      { backlog in
        backlog.isFrameAwaitingFlush = false
        return backlog.isDurable(upTo: number) && !backlog.isSpoiled
      })
    return isDurable == true
  }

  /// Notes that the ended frame was written, or was dropped.
  func wroteFrame() {
    note { backlog in
      backlog.writing = .over
      return true
    }
  }

  /// Sleeps until there is work to do, or until the deadline.
  func sleep(until deadline: Instant?) {
    // The log may be waiting for room, and this thread waits for its flush.
    if backlog.withLock({ $0.isAwaitingFlush }) { backlog.notify() }
    _ = backlog.withLock(until: deadline, when: { !$0.isAsleep }) { _ in }
    backlog.withLock { $0.isAsleep = false }
  }

  /// Waits until everything up to a record is committed, or the views' thread has ended; returns
  /// `false` if nothing more was committed for as long as `patience`.
  @discardableResult
  func commit(upTo last: RecordNumber, patience: Duration? = nil) -> Bool {
    var (reached, since) = (RecordNumber.zero, Instant.now)
    while true {
      note { backlog in
        backlog.isUrgent = backlog.inViews < last
        // A follower checks again what the keeper has committed.
        if backlog.isUrgent, !backlog.isKeeping { backlog.frame.reduced(now: .now) }
        return true
      }
      let isDone = backlog.withLock(
        until: .now + .milliseconds(20), when: { $0.isClosing || $0.hasCommitted(upTo: last) }
      ) { _ in true }
      if isDone == true { return true }
      let inViews = backlog.withLock { $0.inViews }
      if inViews > reached { (reached, since) = (inViews, .now) }
      if let patience, since + patience < .now { return false }
    }
  }

  /// Makes the views' thread commit what is known to be durable, and end.
  func close() {
    note { backlog in
      backlog.isClosing = true
      return true
    }
    backlog.notify()
  }

  /// Lets the log go on without the views, whose thread has ended.
  func abandon() {
    backlog.withLock { $0.isClosing = true }
    backlog.notify()
    serve()
  }

  /// Waits until a record is reduced, or until no more will be; returns whether everything up to
  /// the record is reduced, apart from unreadable records.
  func reduced(upTo number: RecordNumber) async -> Bool {
    if backlog.withLock({ $0.hasReduced(upTo: number) }) { return true }
    let receipt = Receipt(count: 1)
    backlog.withLock { $0.addWaiter(receipt, for: number) }
    serve()
    // The receipt has no result, and so nothing to throw.
    try? await receipt.visible()
    return backlog.withLock { $0.hasReduced(upTo: number) }
  }

  /// Notifies the receipts whose records are visible.
  func serve() {
    for receipt in backlog.withLock({ $0.takeServed() }) { receipt.becameVisible() }
  }

  /// Updates the backlog, and wakes the views' threads if they sleep and must know.
  func note(_ change: (inout Backlog) -> Bool) {
    let mustWake = backlog.withLock { backlog in
      guard change(&backlog), backlog.isAsleep || backlog.isFrameAwaitingFlush else { return false }
      backlog.isAsleep = false
      return true
    }
    if mustWake { backlog.notify() }
  }
}

extension WrittenRecords {
  /// Whether the log's own thread reduces these records if nothing waits.
  fileprivate var mayBeReducedInline: Bool {
    count <= Pipeline.inlineMax && !isStepwise
  }
}
