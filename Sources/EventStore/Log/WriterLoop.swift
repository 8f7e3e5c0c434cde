import LMDB

/// What the writer's thread does: commits groups, answers who waits, flushes what is owed.
struct WriterLoop: Sendable {
  let file: LogFile
  let head: LogHead
  let underWay: BatchesUnderWay
  /// How a group that wants to be durable is committed: in full, except where a benchmark measures
  /// the log without the disk.
  let fullFlush: WriteTransaction.Flush

  /// What the names in a spool are hashed with.
  let secret: FingerprintKey
  /// The erasures that nothing in LMDB's memory is older than.
  private var erasures: UInt64
  /// Who is told of records before they are flushed.
  var follower: (any LogFollower)?
  private var end: LogFile.End?
  private var failure: LogError?
  /// Whether everything committed was flushed, and the queue doesn't know yet.
  private var hasFlushed = false

  init(
    file: LogFile, head: LogHead, underWay: BatchesUnderWay, secret: FingerprintKey,
    erasures: UInt64, fullFlush: WriteTransaction.Flush
  ) {
    self.file = file
    self.head = head
    self.underWay = underWay
    self.secret = secret
    self.erasures = erasures
    self.fullFlush = fullFlush
  }

  var path: String { file.environment.path }

  /// Works until the inbox is closed and empty.
  mutating func run(_ inbox: Monitor<LogWriter.Inbox>) {
    while true {
      for job in inbox.withLock({ $0.takeJobs() }) { job(&self) }
      noteFlush(in: inbox)
      // A job that arrived meanwhile is done before what was appended behind it.
      let next = inbox.withLock { inbox in
        inbox.jobs.isEmpty ? (inbox.next(), inbox.isClosing) : nil
      }
      guard let (action, isEnding) = next else { continue }
      switch action {
      case .commit(let appends, let durability):
        guard commit(appends, durability, { inbox.withLock { $0.told() } }) else { continue }
        inbox.withLock { $0.queue.committed(durability, now: .now) }
      case .gather(let moment): WorkerThread.sleep(moment)
      case .flush: flush()
      case .wait(let deadline):
        if isEnding { return finish(owingFlush: deadline != nil) }
        _ = inbox.withLock(until: deadline, when: { $0.hasWork }) { _ in }
      }
    }
  }

  /// Has the queue know of a flush, made by a job or because it was due.
  private mutating func noteFlush(in inbox: Monitor<LogWriter.Inbox>) {
    guard hasFlushed else { return }
    hasFlushed = false
    inbox.withLock { $0.queue.flushed() }
  }

  private mutating func finish(owingFlush: Bool) {
    if owingFlush { flush() }
    head.close()
    file.environment.close()
  }

  /// Commits a group, then answers each who is in it; says whether it is in the log.
  ///
  /// - Parameter told: What is done once the follower has been told of it.
  private mutating func commit(
    _ appends: [LogWriter.Append], _ durability: Durability, _ told: () -> Void
  ) -> Bool {
    follower?.waitForRoom()
    let isFollowed = follower != nil
    let result = write(durability) {
      Self.answer(appends, $0, isFollowed: isFollowed)
    } _: { (loop, transaction, end) throws(LMDBError) in
      let start = end.place
      for append in appends { try append.batch.write(to: &transaction, loop.file.table, &end) }
      loop.tell(
        WrittenRecords(
          batches: appends.map(\.batch), receipts: appends.compactMap(\.receipt), start: start,
          end: end.place))
      told()
    }
    return (try? result.get()) != nil
  }

  private static func answer(
    _ appends: [LogWriter.Append], _ result: Result<RecordNumber, LogError>, isFollowed: Bool
  ) {
    // Where nobody is told of records, nobody says that they are visible.
    if !isFollowed, case .success = result { appends.forEach { $0.receipt?.becameVisible() } }
    if appends.count == 1 {
      answer(appends, result)
    } else {
      // Waking tasks takes time that the next group's flush can pass meanwhile.
      Task.detached { answer(appends, result) }
    }
  }

  /// Tells the follower of records, whose contents can be read from then on.
  private func tell(_ records: WrittenRecords) {
    guard let follower else { return }
    underWay.note(records.batches, from: records.start.number.advanced(by: 1))
    follower.wrote(records)
  }

  /// Tells each of a group's tasks the number of its first record, or why there is none.
  private static func answer(
    _ appends: [LogWriter.Append], _ result: Result<RecordNumber, LogError>
  ) {
    var answer = result
    for append in appends {
      append.reply.resume(answer)
      answer = answer.map { $0.advanced(by: append.batch.count) }
    }
  }

  /// Runs one write transaction at the end of the log, and notes what came of it.
  ///
  /// - Parameter answer: Is told what came of it before the follower is, whom that may have do much
  ///   on the processor that whoever waits is to go on.
  /// - Returns: The number of the first record that it wrote.
  mutating func write(
    _ durability: Durability,
    answer: (Result<RecordNumber, LogError>) -> Void = { _ in },
    _ body: (inout WriterLoop, inout WriteTransaction, inout LogFile.End) throws(LMDBError) -> Void
  ) -> Result<RecordNumber, LogError> {
    let result: Result<(first: RecordNumber, last: RecordNumber), LogError>
    do throws(LogError) { result = .success(try writeOnce(durability, body)) } catch {
      // What goes ahead of a log that takes nothing more was shown for nothing.
      fail()
      result = .failure(error)
    }
    answer(result.map(\.first))
    if case .success((let first, let last)) = result, last >= first {
      follower?.committed(upTo: last, isDurable: durability == .full)
    }
    return result.map(\.first)
  }

  /// Returns the numbers of the first and the last record that it wrote; the last is lower where it
  /// wrote none.
  private mutating func writeOnce(
    _ durability: Durability,
    _ body: (inout WriterLoop, inout WriteTransaction, inout LogFile.End) throws(LMDBError) -> Void
  ) throws(LogError) -> (first: RecordNumber, last: RecordNumber) {
    if let failure { throw failure }
    let (first, end): (RecordNumber, LogFile.End)
    do throws(LMDBError) { (first, end) = try commit(durability, body) } catch {
      throw failed(error)
    }
    // A transaction that wrote no record may have written nothing, and its number be given again.
    guard end.number >= first else {
      self.end = nil
      return (first, end.number)
    }
    self.end = end
    hasFlushed = durability == .full
    head.committed(end.number, in: end.transaction, durable: durability == .full)
    underWay.committed(upTo: end.number)
    return (first, end.number)
  }

  /// Has all be taken back that was shown and is not in the log.
  private func fail() {
    underWay.failed()
    follower?.failed()
  }

  /// Commits; returns the number of the first record that may have been written, and the end.
  ///
  /// Where something was erased since the files were opened, they are opened anew before anything
  /// is written, so that it isn't written again.
  private mutating func commit(
    _ durability: Durability,
    _ body: (inout WriterLoop, inout WriteTransaction, inout LogFile.End) throws(LMDBError) -> Void
  ) throws(LMDBError) -> (first: RecordNumber, end: LogFile.End) {
    while true {
      let (start, end) = try file.environment.write(durability == .full ? fullFlush : .pages) {
        transaction throws(LMDBError) in
        let start = try currentEnd(in: transaction)
        var end = start
        guard start.base.erasures == erasures else { return (start, end) }
        try body(&self, &transaction, &end)
        end.transaction = transaction.id
        return (start, end)
      }
      guard start.base.erasures != erasures else { return (start.number.advanced(by: 1), end) }
      self.end = nil
      try file.environment.reopen()
      erasures = start.base.erasures
    }
  }

  /// Where the log ends: as this thread left it, or where another process has been there since.
  private func currentEnd(in transaction: borrowing WriteTransaction) throws(LMDBError)
    -> LogFile.End
  {
    if let end, end.transaction &+ 1 == transaction.id { return end }
    return try file.end(in: transaction)
  }

  /// Notes a failure; after one that leaves the disk's state in doubt nothing more is written.
  ///
  /// What is in the log can be read still: whoever has shown what is not in it goes back to that.
  private mutating func failed(_ error: LMDBError) -> LogError {
    end = nil
    let panic = panic()
    let failure = LogError(panic ?? error, path: path)
    if case .failed = failure { self.failure = failure }
    if panic != nil { try? file.environment.reopen() }
    return failure
  }

  /// LMDB's refusal to go on, where it could not write the meta page; why, it had said only once.
  ///
  /// A disk that is full there, and not before, leaves the commit in doubt.
  private func panic() -> LMDBError? {
    do throws(LMDBError) {
      _ = try file.environment.beginReading()
      return nil
    } catch {
      return error.code == .panic ? error : nil
    }
  }

  /// The store's own record as it is now, whichever process wrote it.
  func currentStore() throws(LogError) -> StoreRecord {
    let transaction: ReadTransaction
    do throws(LMDBError) {
      transaction = try file.environment.beginReading()
    } catch {
      throw LogError(error, path: path)
    }
    guard let store = try file.store(in: transaction) else { throw .notALog(path: path) }
    return store
  }

  /// Puts everything committed on the medium.
  mutating func flush() {
    hasFlushed = true
    guard failure == nil else { return }
    let last = head.last
    do throws(LMDBError) {
      try file.environment.flush()
      head.madeDurable(last)
      follower?.committed(upTo: last, isDurable: true)
    } catch {
      let failure = LogError(error, path: path)
      self.failure = failure
      // Nobody can tell what is on the medium now, and so nothing may rest on it.
      follower?.failed()
    }
  }

  /// Puts on the medium what can be read, unless this process knows that it is there; the follower
  /// is told in any case.
  mutating func flushWhatIsRead() {
    if let transaction = try? file.environment.lastTransaction,
      let last = head.last(asOf: transaction), last <= head.durable
    {
      // Who asks may not have been there when it was flushed.
      follower?.committed(upTo: last, isDurable: true)
      return
    }
    flush()
  }

  /// Notes that a flush failed that somebody else made.
  mutating func noteFailedFlush(_ error: LogError) {
    failure = error
    follower?.failed()
  }

  /// Throws where a failure has left the log untrusted.
  func check() throws(LogError) {
    if let failure { throw failure }
  }
}
