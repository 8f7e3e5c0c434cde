package import LMDB

/// What the log has told the views' thread and it has not dealt with yet.
package struct Backlog {
  /// The work that may wait before the log waits in turn: what a kill can leave to be done again
  /// is this and two frames, of which one is being committed.
  static let workMax = Duration.milliseconds(50)

  /// Whether the views may be written.
  enum Permission {
    /// Not yet: the log may say that they are on the medium, and left alone.
    case unasked
    /// The log was asked to take that back.
    case awaited
    /// They may be.
    case given
    /// Never, as the log can't be written either.
    case refused(LogError)

    var isGiven: Bool {
      if case .given = self { true } else { false }
    }
  }

  /// How far the frame is that was ended last.
  enum Writing {
    case finished
    /// It is being committed, on a thread of its own.
    case underWay
    /// That thread is done with it.
    case over
  }

  /// Whether this process writes the views; otherwise it follows who does, and writes nothing.
  let isKeeping: Bool
  private var waiting: [WrittenRecords] = []
  /// Who waits for records to be visible.
  private var awaiting: [(number: RecordNumber, receipt: Receipt)] = []
  private var taken = 0
  /// How many records wait.
  private(set) var count = 0
  /// Whether most of the records that were reduced last added a row; those of a new store do.
  private var areAdding = true
  /// How long reducing one record took lately.
  private var costPerRecord = Duration.microseconds(2)

  /// Whether the views may be written.
  var permission = Permission.unasked
  /// When the views are committed.
  package var frame: FrameSchedule
  /// How far the frame is that was ended last.
  var writing = Writing.finished
  /// The bytes of all that is reduced and not committed.
  var frameBytes = 0
  /// How many of them were there when the frame began.
  var bytesBefore = 0
  /// The last record that the frame before goes up to.
  var recordBefore: RecordNumber
  /// When what a person sees first is noted, once nothing else is to be done.
  var screenDue: Instant?
  /// The last record that is reduced.
  package var reduced: RecordNumber
  /// The last record that is committed to the views.
  var inViews: RecordNumber
  /// The last record that is in the log.
  package var committed: RecordNumber
  /// A record up to which nothing more can be read behind what is reduced, as all there is damaged.
  var unreadable = RecordNumber.zero
  /// The last record that the log's thread has written, is writing, or is known to have before it.
  package var written: RecordNumber
  /// The last record of which it is known that it is on the medium.
  var durable = RecordNumber.zero
  /// The last record that was handed over by this process's log, which flushes it.
  var handedOver = RecordNumber.zero
  /// Whether the log was asked for a flush that it did not owe.
  var hasAskedForFlush = false
  /// Whether the views' thread reduces what it has taken out.
  package var isReducing = false
  /// What was reduced that the log's thread has not written yet, or is being reduced meanwhile.
  package var ahead = AheadBatches()
  /// Before that no batch is reduced ahead, as another process wrote in between lately, or a write
  /// failed.
  package var aheadPause: Instant?
  /// Whether what was reduced is not in the log, so that the views must be taken back.
  package var isSpoiled = false
  /// Whether the log holds records that were not handed over: another process's, or the spool's.
  var isBehind: Bool { isEmpty && committed > reduced && ahead.isEmpty }
  /// Whether the views went back behind what the log's thread is writing.
  package var isBack: Bool { reduced < written }
  /// Whether the frame is to be committed at once.
  package var isUrgent = false
  /// Whether the thread is to end.
  package var isClosing = false
  /// Whether the thread waits for the log's flush.
  var isAwaitingFlush = false
  /// Whether the thread that commits a frame waits for the log's flush.
  var isFrameAwaitingFlush = false
  /// Whether the thread sleeps, so that it must be woken for anything new.
  var isAsleep = false

  /// A backlog behind a workspace that goes as far as `applied`, which is in the log, over views
  /// that are `inViews`; where these differ, there is something to commit already, as there is
  /// where a view `isNew`.
  package init(
    keeping isKeeping: Bool, applied: RecordNumber, inViews: RecordNumber, isNew: Bool,
    limits: FrameSchedule.Limits
  ) {
    self.isKeeping = isKeeping
    frame = FrameSchedule(limits: limits)
    (reduced, self.inViews, committed, written) = (applied, inViews, applied, applied)
    recordBefore = applied
    if inViews < applied || isNew { frame.reduced(now: .now) }
  }

  /// Whether all that was reduced may be committed: it is on the medium in the log, or on its way
  /// there, for which a frame waits, and the log says nothing of the views.
  var isCommittable: Bool {
    guard ahead.isEmpty else { return permission.isGiven && reduced <= handedOver && !isClosing }
    switch permission {
    case .unasked, .awaited: return !isKeeping
    case .given, .refused: return !isKeeping || reduced <= durable
    }
  }

  /// Whether everything that was reduced up to a record is on the medium: what has the numbers
  /// there of what was reduced ahead may be another process's.
  func isDurable(upTo number: RecordNumber) -> Bool {
    durable >= number && !ahead.hasAny(upTo: number)
  }

  /// Whether all that was reduced is on the medium in the log, which is still to say that the views
  /// may be written.
  var isPermissionDue: Bool {
    switch permission {
    case .unasked, .awaited: isKeeping && ahead.isEmpty && reduced <= durable
    case .given, .refused: false
    }
  }

  /// Whether nothing waits.
  package var isEmpty: Bool { taken == waiting.count }

  /// Whether to sketch what records add saves time: they have to wait, and those before them added
  /// rows.
  var isWorthSketching: Bool { areAdding && (isReducing || !isEmpty) && !isSpoiled }

  /// Whether one of the views' threads waits for the log's flush.
  var isFlushAwaited: Bool { isAwaitingFlush || isFrameAwaitingFlush }

  /// Whether the log may write more: it must go on where a flush is waited for, which is its own.
  var hasRoom: Bool {
    isEmpty || isClosing || isFlushAwaited || costPerRecord * count < Self.workMax
  }

  /// Puts records behind those that wait.
  package mutating func append(_ records: WrittenRecords) {
    waiting.append(records)
    count += records.count
  }

  /// Takes the oldest that wait, and with them those behind that may be reduced together with them;
  /// few are the last of them, as somebody may wait to see what they come to.
  package mutating func takeFirst() -> WrittenRecords? {
    guard !isEmpty else { return nil }
    var first = takeNext()
    var last = first.count
    while !isEmpty, last > Pipeline.inlineMax, first.mayBeReduced(with: waiting[taken]) {
      let next = takeNext()
      last = next.count
      first.append(next)
    }
    return first
  }

  private mutating func takeNext() -> WrittenRecords {
    let first = waiting[taken]
    taken += 1
    count -= first.count
    if isEmpty {
      waiting.removeAll(keepingCapacity: true)
      taken = 0
    }
    return first
  }

  /// Forgets those that wait and are in the log up to a record, from which they were reduced.
  mutating func removeAll(upTo number: RecordNumber) {
    while !isEmpty, waiting[taken].end.number <= number { _ = takeNext() }
  }

  /// Notes who waits for records to be visible.
  mutating func await(_ records: WrittenRecords) {
    for receipt in records.receipts { awaiting.append((records.end.number, receipt)) }
  }

  /// Notes who waits for a record to be visible.
  mutating func await(_ number: RecordNumber, _ receipt: Receipt) {
    awaiting.append((number, receipt))
  }

  /// Whether everything up to a record is reduced, but for what can't be read.
  func hasReduced(upTo number: RecordNumber) -> Bool { number <= max(reduced, unreadable) }

  /// Whether everything up to a record is committed, but for what can't be read.
  func hasCommitted(upTo number: RecordNumber) -> Bool {
    number <= inViews || number <= unreadable && reduced <= inViews
  }

  /// Takes out who waits for nothing beyond what is reduced, or for anything where nothing more is
  /// going to be.
  mutating func takeServed() -> [Receipt] {
    guard !awaiting.isEmpty else { return [] }
    let served = awaiting.filter { isClosing || hasReduced(upTo: $0.number) }
    let rest = awaiting.filter { !isClosing && !hasReduced(upTo: $0.number) }
    awaiting = rest
    return served.map(\.receipt)
  }

  /// Forgets all that wait.
  package mutating func removeAll() {
    // The log's thread has it before it all the same.
    if let end = ahead.end { written = max(written, end.number) }
    waiting = []
    (taken, count) = (0, 0)
    ahead.removeAll()
  }

  /// Notes how long reducing took, and how many rows were added that might have been sketched.
  mutating func took(_ duration: Duration, for records: Int, adding additions: Int) {
    guard records > 0 else { return }
    areAdding = additions * 2 >= records
    costPerRecord = (costPerRecord * 7 + duration / records) / 8
  }
}
