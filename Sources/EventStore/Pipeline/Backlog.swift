package import LMDB

/// The log's messages to the views' thread that it has not processed yet.
package struct Backlog {
  /// The pending work at which the log waits in turn: a kill leaves at most this much to redo, and
  /// two frames, one of them being committed.
  static let workMax = Duration.milliseconds(50)

  /// Whether the views may be written.
  enum Permission {
    /// Not yet: the log may still say that they are flushed and left alone.
    case unasked
    /// The log was asked to withdraw that.
    case awaited
    /// They may be written.
    case given
    /// Never, because the log can't be written either.
    case refused(LogError)

    var isGiven: Bool {
      if case .given = self { true } else { false }
    }
  }

  /// The progress of the frame that was ended last.
  enum Writing {
    case finished
    /// The frame is being committed, on its own thread.
    case underWay
    /// That thread is done with the frame.
    case over
  }

  /// Whether this process writes the views; otherwise it follows the one that does, and writes
  /// nothing.
  let isKeeping: Bool
  private var waiting = WaitingRecords()
  /// The receipts that wait for records to be visible.
  private var awaiting: [(number: RecordNumber, receipt: Receipt)] = []
  /// Whether most of the last reduced records added a row; initially true, for a new store.
  private var areAdding = true
  /// The recent time to reduce one record.
  private var costPerRecord = Duration.microseconds(2)

  /// Whether the views may be written.
  var permission = Permission.unasked
  /// The schedule for committing the views.
  package var frame: FrameSchedule
  /// The progress of the frame that was ended last.
  var writing = Writing.finished
  /// The bytes of everything that is reduced and not committed.
  var frameBytes = 0
  /// The part of those bytes that existed when the frame began.
  var bytesBefore = 0
  /// The last record of the previous frame.
  var recordBefore: RecordNumber
  /// The time to note what a person sees first, once nothing else is to be done.
  var screenDue: Instant?
  /// The last record that is reduced.
  package var reduced: RecordNumber
  /// The last record that is committed to the views.
  var inViews: RecordNumber
  /// The last record that is in the log.
  package var committed: RecordNumber
  /// A record up to which everything after the reduced records is damaged and can't be read.
  var unreadable = RecordNumber.zero
  /// The last record that the log's thread has written, is writing, or knows to precede its writes.
  package var written: RecordNumber
  /// The place after which the log's thread is writing records that it has told of.
  var writingFrom: LogPoint?
  /// The last record known to be flushed.
  var durable = RecordNumber.zero
  /// The last record that was handed over by this process's log, which flushes it.
  var handedOver = RecordNumber.zero
  /// Whether the log was asked for a flush that it did not owe.
  var hasAskedForFlush = false
  /// Whether the views' thread is reducing what it has taken out.
  package var isReducing = false
  /// The batches reduced before the log's thread has written them, or still being reduced.
  package var ahead = AheadBatches()
  /// The time before which no batch is reduced ahead, because another process recently wrote in
  /// between, or a write failed.
  package var aheadPause: Instant?
  /// Whether what was reduced is not in the log, so that the views must be taken back.
  package var isSpoiled = false
  /// Whether the log holds records that were not handed over: another process's, or the spool's.
  var isBehind: Bool { isEmpty && committed > reduced && ahead.isEmpty }
  /// Whether the views went back to before what the log's thread is writing.
  package var isBack: Bool { reduced < written }
  /// Whether the frame must be committed at once.
  package var isUrgent = false
  /// Whether the thread must end.
  package var isClosing = false
  /// Whether the thread waits for the log's flush.
  var isAwaitingFlush = false
  /// Whether the thread that commits a frame waits for the log's flush.
  var isFrameAwaitingFlush = false
  /// Whether the thread sleeps, so that it must be woken for anything new.
  var isAsleep = false

  /// Creates the backlog of a workspace that is reduced up to `applied`, which is in the log, over
  /// views committed up to `inViews`; if these differ, or a view `isNew`, there is something to
  /// commit already.
  package init(
    keeping isKeeping: Bool, applied: RecordNumber, inViews: RecordNumber, isNew: Bool,
    limits: FrameSchedule.Limits
  ) {
    self.isKeeping = isKeeping
    frame = FrameSchedule(limits: limits)
    (reduced, self.inViews, committed, written) = (applied, inViews, applied, applied)
    recordBefore = applied
    // The first frame may end early as well; a follower writes none.
    if isKeeping { frame.wrote(in: .zero) }
    if inViews < applied || isNew { frame.reduced(now: .now) }
  }

  /// Whether everything reduced may be committed: it is flushed in the log, or the frame can wait
  /// for that, and the log no longer says that the views are left alone.
  var isCommittable: Bool {
    guard ahead.isEmpty else { return permission.isGiven && reduced <= handedOver && !isClosing }
    switch permission {
    case .unasked, .awaited: return !isKeeping
    case .given, .refused: return !isKeeping || reduced <= durable
    }
  }

  /// Whether everything reduced up to a record is flushed; the log's records there may be another
  /// process's, in place of those reduced ahead.
  func isDurable(upTo number: RecordNumber) -> Bool {
    durable >= number && !ahead.hasAny(upTo: number)
  }

  /// Whether everything reduced is flushed in the log, and only permission to write the views is
  /// missing.
  var isPermissionDue: Bool {
    switch permission {
    case .unasked, .awaited: isKeeping && ahead.isEmpty && reduced <= durable
    case .given, .refused: false
    }
  }

  /// Whether nothing waits.
  package var isEmpty: Bool { waiting.isEmpty }

  /// The number of waiting records.
  var count: Int { waiting.count }

  /// Returns whether sketching the rows that so many records add saves time: previous records added
  /// rows, and these, or most of them, have to wait for others.
  func isWorthSketching(_ count: Int) -> Bool {
    let isFirst = isEmpty && !isReducing
    return areAdding && count > (isFirst ? 2 * RecordQueue.sliceMin : Pipeline.inlineMax)
  }

  /// Whether one of the views' threads waits for the log's flush.
  var isFlushAwaited: Bool { isAwaitingFlush || isFrameAwaitingFlush }

  /// Whether the log may write more; it must go on when its own flush is awaited.
  var hasRoom: Bool {
    isEmpty || isClosing || isFlushAwaited || costPerRecord * count < Self.workMax
  }

  /// Notes that the log's thread is writing records; returns whether it had begun to write them in
  /// another place, which is void.
  ///
  /// It writes them again if the log's map had to grow, and another process may have come first.
  package mutating func write(from start: LogPoint, to end: LogPoint) -> Bool {
    defer { writingFrom = start }
    written = max(written, end.number)
    return writingFrom.map { $0 != start } ?? false
  }

  /// Notes that everything up to a record is in the log.
  package mutating func committed(upTo last: RecordNumber) {
    writingFrom = nil
    committed = max(committed, last)
  }

  /// Appends records to those that wait.
  package mutating func append(_ records: WrittenRecords) { waiting.append(records) }

  /// Takes out the oldest waiting records, with later ones that may be reduced together with them.
  package mutating func takeFirst() -> WrittenRecords? { waiting.takeFirst() }

  /// Discards the waiting records that were reduced from the log up to a record.
  mutating func removeAll(upTo number: RecordNumber) { waiting.removeAll(upTo: number) }

  /// Adds the receipts that wait for records to be visible.
  mutating func addWaiters(of records: WrittenRecords) {
    for receipt in records.receipts { awaiting.append((records.end.number, receipt)) }
  }

  /// Adds a receipt that waits for a record to be visible.
  mutating func addWaiter(_ receipt: Receipt, for number: RecordNumber) {
    awaiting.append((number, receipt))
  }

  /// Whether everything up to a record is reduced, apart from unreadable records.
  func hasReduced(upTo number: RecordNumber) -> Bool { number <= max(reduced, unreadable) }

  /// Whether everything up to a record is committed, apart from unreadable records.
  func hasCommitted(upTo number: RecordNumber) -> Bool {
    number <= inViews || number <= unreadable && reduced <= inViews
  }

  /// Takes out the receipts whose records are reduced, or all of them if nothing more will be.
  mutating func takeServed() -> [Receipt] {
    guard !awaiting.isEmpty else { return [] }
    let served = awaiting.filter { isClosing || hasReduced(upTo: $0.number) }
    let rest = awaiting.filter { !isClosing && !hasReduced(upTo: $0.number) }
    awaiting = rest
    return served.map(\.receipt)
  }

  /// Discards all waiting records.
  package mutating func removeAll() {
    // The log's thread has them before its next write all the same.
    if let end = ahead.end { written = max(written, end.number) }
    waiting = WaitingRecords()
    ahead.removeAll()
  }

  /// Notes how long reducing took, and how many of the added rows might have been sketched.
  mutating func took(_ duration: Duration, for records: Int, adding additions: Int) {
    guard records > 0 else { return }
    areAdding = additions * 2 >= records
    costPerRecord = (costPerRecord * 7 + duration / records) / 8
  }
}
