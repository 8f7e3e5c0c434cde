import LMDB

/// The work of the writer's thread: it commits groups, answers requesters, and performs due
/// flushes.
struct WriterLoop: Sendable {
  let file: LogFile
  let head: LogHead
  let underWay: BatchesUnderWay
  /// The flush of a fully durable group: a full one, unless a benchmark measures the log without
  /// the disk.
  let fullFlush: WriteTransaction.Flush

  /// The secret key that hashes names in a spool.
  let secret: FingerprintKey
  /// The erasure count that nothing in LMDB's memory is older than.
  private var erasures: UInt64
  /// The follower that is told of records before they are flushed.
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
  mutating func run(_ work: Monitor<LogWriter.Work>) {
    while true {
      for job in work.withLock({ $0.takeJobs() }) { job(&self) }
      noteFlush(in: work)
      // A job that arrived meanwhile runs before batches that were appended after it.
      let next = work.withLock { work in
        work.jobs.isEmpty ? (work.next(), work.isClosing) : nil
      }
      guard let (action, isEnding) = next else { continue }
      switch consume action {
      case .commit(let appends, let durability):
        guard commit(appends, durability, { work.withLock { $0.told() } }) else { continue }
        work.withLock { $0.queue.committed(durability, now: .now) }
      case .gather(let moment): WorkerThread.sleep(moment)
      case .flush: flush()
      case .wait(let deadline):
        if isEnding { return finish(owingFlush: deadline != nil) }
        _ = work.withLock(until: deadline, when: { $0.hasWork }) { _ in }
      }
    }
  }

  /// Informs the queue of a flush that a job made, or that was due.
  private mutating func noteFlush(in work: Monitor<LogWriter.Work>) {
    guard hasFlushed else { return }
    hasFlushed = false
    work.withLock { $0.queue.flushed() }
  }

  private mutating func finish(owingFlush: Bool) {
    if owingFlush { flush() }
    head.close()
    file.environment.close()
  }

  /// Commits a group and then answers its requesters; returns whether it is in the log.
  ///
  /// - Parameter told: Called once the follower has been told of the group.
  private mutating func commit(
    _ appends: consuming [LogWriter.Append], _ durability: Durability, _ told: () -> Void
  ) -> Bool {
    follower?.waitForRoom()
    let isFollowed = follower != nil
    // They were consumed, so that nobody else holds the batches, which are resolved in place.
    var appends = appends
    let result = write(durability) {
      Self.answer(appends, $0, isFollowed: isFollowed)
    } _: { (loop, transaction, end) throws(LMDBError) in
      let start = end.place
      var batches: [Batch] = []
      for index in appends.indices {
        if isFollowed { appends[index].batch.resolve(from: end.number.advanced(by: 1)) }
        try appends[index].batch.write(to: &transaction, loop.file.table, &end)
        batches.append(appends[index].batch)
      }
      loop.tell(
        WrittenRecords(
          batches: batches, receipts: appends.compactMap(\.receipt), start: start,
          end: end.place))
      told()
    }
    return (try? result.get()) != nil
  }

  private static func answer(
    _ appends: [LogWriter.Append], _ result: Result<RecordNumber, LogError>, isFollowed: Bool
  ) {
    // Without a follower, nobody else reports that the records are visible.
    if !isFollowed, case .success = result { appends.forEach { $0.receipt?.becameVisible() } }
    if appends.count == 1 {
      answer(appends, result)
    } else {
      // Waking tasks takes time, during which the next group can already be flushed.
      Task.detached { answer(appends, result) }
    }
  }

  /// Tells the follower of records, whose content can be read from then on.
  private func tell(_ records: WrittenRecords) {
    guard let follower else { return }
    // What was expected before the records' place has another place now, or is in the log.
    underWay.committed(upTo: records.start.number)
    underWay.note(records.batches, from: records.start.number.advanced(by: 1))
    follower.wrote(records)
  }

  /// Gives each request in a group the number of its first record, or the error.
  private static func answer(
    _ appends: [LogWriter.Append], _ result: Result<RecordNumber, LogError>
  ) {
    var answer = result
    for append in appends {
      append.reply.resume(answer)
      answer = answer.map { $0.advanced(by: append.batch.count) }
    }
  }

  /// Runs one write transaction at the end of the log, and notes its outcome.
  ///
  /// - Parameter answer: Called with the outcome before the follower, whose work may occupy the
  ///   processor on which a waiting task is to continue.
  /// - Returns: The number of the first record that was written.
  mutating func write(
    _ durability: Durability,
    answer: (Result<RecordNumber, LogError>) -> Void = { _ in },
    _ body: (inout WriterLoop, inout WriteTransaction, inout LogFile.End) throws(LMDBError) -> Void
  ) -> Result<RecordNumber, LogError> {
    let result: Result<(first: RecordNumber, last: RecordNumber), LogError>
    do throws(LogError) { result = .success(try writeOnce(durability, body)) } catch {
      // Batches shown ahead of a log that accepts nothing more were shown in vain.
      fail()
      result = .failure(error)
    }
    answer(result.map(\.first))
    if case .success((let first, let last)) = result, last >= first {
      follower?.committed(upTo: last, isDurable: durability == .full)
    }
    return result.map(\.first)
  }

  /// Returns the numbers of the first and last record written; the last is lower than the first if
  /// none was.
  private mutating func writeOnce(
    _ durability: Durability,
    _ body: (inout WriterLoop, inout WriteTransaction, inout LogFile.End) throws(LMDBError) -> Void
  ) throws(LogError) -> (first: RecordNumber, last: RecordNumber) {
    if let failure { throw failure }
    let (first, end): (RecordNumber, LogFile.End)
    do throws(LMDBError) {
      (first, end) = try head.writing { () throws(LMDBError) in try commit(durability, body) }
    } catch {
      throw failed(error)
    }
    // A transaction without records may have written nothing, and its id may be reused.
    guard end.number >= first else {
      self.end = nil
      return (first, end.number)
    }
    self.end = end
    hasFlushed = durability == .full
    head.saw(end.number, in: end.transaction, durable: durability == .full)
    underWay.committed(upTo: end.number)
    return (first, end.number)
  }

  /// Makes the follower take back everything that was shown and is not in the log.
  private func fail() {
    underWay.failed()
    follower?.failed()
  }

  /// Commits; returns the number of the first record that may have been written, and the new end.
  ///
  /// If something was erased since the files were opened, reopens them before writing, so that the
  /// erased data isn't written again.
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

  /// Returns the end of the log as this thread left it, or as another process has moved it since.
  private func currentEnd(in transaction: borrowing WriteTransaction) throws(LMDBError)
    -> LogFile.End
  {
    if let end, end.transaction &+ 1 == transaction.id { return end }
    return try file.end(in: transaction)
  }

  /// Notes a failure; after one that leaves the disk's state in doubt, nothing more is written.
  ///
  /// What is in the log remains readable: a follower that has shown anything else goes back to
  /// that.
  private mutating func failed(_ error: LMDBError) -> LogError {
    end = nil
    let panic = panic()
    let failure = LogError(panic ?? error, path: path)
    if case .failed = failure { self.failure = failure }
    if panic != nil { try? file.environment.reopen() }
    return failure
  }

  /// Returns LMDB's refusal to continue after it failed to write the meta page; it reports the
  /// cause only once.
  ///
  /// A disk that becomes full only at that point leaves the commit in doubt.
  private func panic() -> LMDBError? {
    do throws(LMDBError) {
      _ = try file.environment.beginReading()
      return nil
    } catch {
      return error.code == .panic ? error : nil
    }
  }

  /// Returns the store's current record, whichever process wrote it.
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

  /// Flushes everything committed.
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
      // Nobody can tell what is on disk now, so nothing may rely on it.
      follower?.failed()
    }
  }

  /// Flushes what can be read unless this process knows that it is flushed; tells the follower in
  /// either case.
  mutating func flushWhatIsRead() {
    if let transaction = try? file.environment.lastTransaction,
      let last = head.last(asOf: transaction), last <= head.durable
    {
      // The requester may have missed the earlier flush.
      follower?.committed(upTo: last, isDurable: true)
      return
    }
    flush()
  }

  /// Notes the failure of a flush that was made elsewhere.
  mutating func noteFailedFlush(_ error: LogError) {
    failure = error
    follower?.failed()
  }

  /// Throws if a failure has left the log untrusted.
  func check() throws(LogError) {
    if let failure { throw failure }
  }
}
