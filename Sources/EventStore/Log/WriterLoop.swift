import LMDB

/// What the writer's thread does: commits groups, answers who waits, flushes what is owed.
struct WriterLoop: Sendable {
  let file: LogFile
  let head: LogHead
  /// How a group that wants to be durable is committed: in full, except where a benchmark measures
  /// the log without the disk.
  let fullFlush: WriteTransaction.Flush

  var store: StoreRecord
  private var end: LogFile.End?
  private var failure: LogError?

  init(
    file: LogFile, head: LogHead, store: StoreRecord, fullFlush: WriteTransaction.Flush
  ) {
    self.file = file
    self.head = head
    self.store = store
    self.fullFlush = fullFlush
  }

  var path: String { file.environment.path }

  /// Works until the inbox is closed and empty.
  mutating func run(_ inbox: Monitor<LogWriter.Inbox>) {
    while true {
      let (jobs, action, isClosing) = inbox.withLock {
        ($0.takeJobs(), $0.queue.next(now: .now), $0.isClosing)
      }
      for job in jobs { job(&self) }
      switch action {
      case .commit(let appends, let durability):
        guard commit(appends, durability) else { continue }
        inbox.withLock { $0.queue.committed(durability, now: .now) }
      case .flush:
        flush()
        inbox.withLock { $0.queue.flushed() }
      case .wait(let deadline):
        if isClosing { return finish(owingFlush: deadline != nil) }
        _ = inbox.withLock(until: deadline, when: { $0.hasWork }) { _ in }
      }
    }
  }

  private mutating func finish(owingFlush: Bool) {
    if owingFlush { flush() }
    head.close()
    file.environment.close()
  }

  /// Commits a group, then answers each who is in it; says whether it is in the log.
  private mutating func commit(_ appends: [LogWriter.Append], _ durability: Durability) -> Bool {
    let result = write(durability) { (loop, transaction, end) throws(LMDBError) in
      for append in appends { try append.batch.write(to: &transaction, loop.file.table, &end) }
    }
    var answer = result
    for append in appends {
      append.answer.resume(answer)
      answer = answer.map { $0.advanced(by: append.batch.count) }
    }
    return (try? result.get()) != nil
  }

  /// Runs one write transaction at the end of the log, and notes what came of it.
  ///
  /// - Returns: The number of the first record that it wrote.
  mutating func write(
    _ durability: Durability,
    _ body: (inout WriterLoop, inout WriteTransaction, inout LogFile.End) throws(LMDBError) -> Void
  ) -> Result<RecordNumber, LogError> {
    if let failure { return .failure(failure) }
    var first = RecordNumber.zero
    var end = LogFile.End(number: .zero, chain: Chain(0), transaction: 0)
    do throws(LMDBError) {
      try file.environment.write(durability == .full ? fullFlush : .pages) {
        transaction throws(LMDBError) in
        end = try currentEnd(in: transaction)
        first = end.number.advanced(by: 1)
        try body(&self, &transaction, &end)
        end.transaction = transaction.id
      }
    } catch {
      return .failure(failed(error))
    }
    self.end = end
    head.saw(end.number, in: end.transaction, durable: durability == .full)
    return .success(first)
  }

  /// Where the log ends: as this thread left it, or where another process has been there since.
  private func currentEnd(in transaction: borrowing WriteTransaction) throws(LMDBError)
    -> LogFile.End
  {
    if let end, end.transaction &+ 1 == transaction.id { return end }
    return try file.end(in: transaction, store.base)
  }

  /// Notes a failure; after one that leaves the disk's state in doubt nothing more is written.
  private mutating func failed(_ error: LMDBError) -> LogError {
    end = nil
    let failure = LogError(panic() ?? error, path: path)
    if case .failed = failure { self.failure = failure }
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

  /// Puts everything committed on the medium.
  mutating func flush() {
    guard failure == nil else { return }
    let last = head.last
    do throws(LMDBError) {
      try file.environment.flush()
      head.madeDurable(last)
    } catch {
      let failure = LogError(error, path: path)
      self.failure = failure
    }
  }

  /// Throws where a failure has left the log untrusted.
  func check() throws(LogError) {
    if let failure { throw failure }
  }
}
