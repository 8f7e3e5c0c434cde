import LMDB

/// The log's own thread: the only place where it is written, flushed, or waits for a lock.
///
/// Requests arrive in a queue from any task; ``CommitQueue`` decides, ``WriterLoop`` acts.
final class LogWriter: Sendable {
  /// A batch on its way into the log, and who waits for it.
  struct Append: Sendable {
    let batch: Batch
    let reply: Reply
  }

  /// Who is told the number of a batch's first record, or why there is none.
  enum Reply: Sendable {
    /// A task that waits.
    case answer(Answer<Result<RecordNumber, LogError>>)
    /// Whoever looks at a receipt.
    case receipt(Receipt)

    func resume(_ result: Result<RecordNumber, LogError>) {
      switch self {
      case .answer(let answer): answer.resume(result)
      case .receipt(let receipt): receipt.resume(result)
      }
    }
  }

  /// Work for the writer's thread that is not an append.
  typealias Job = @Sendable (inout WriterLoop) -> Void

  /// What has arrived and not been taken up.
  struct Inbox {
    var queue: CommitQueue<Append>
    var jobs: [Job] = []
    var isClosing = false
    var hasEnded = false
    /// Whether whoever is told of records knows all that is on its way: nothing has arrived since
    /// it was told but what was put there ahead.
    var isOpen = false
    var closers: [Answer<Void>] = []
  }

  private let inbox: Monitor<Inbox>
  private let path: String

  init(_ loop: consuming WriterLoop, limits: CommitQueue<Append>.Limits) {
    let inbox = Monitor(Inbox(queue: CommitQueue(limits: limits)))
    self.inbox = inbox
    path = loop.path
    let start = loop
    _ = WorkerThread {
      var loop = start
      loop.run(inbox)
      let closers = inbox.withLock { $0.end() }
      closers.forEach { $0.resume(()) }
    }
  }

  deinit { beginClosing() }

  /// Appends a batch; returns the number of its first record.
  func append(_ batch: Batch, _ durability: Durability) async throws(LogError) -> RecordNumber {
    try await answered { answer in
      let isTaken = submit(Append(batch: batch, reply: .answer(answer)), durability)
      if !isTaken { answer.resume(.failure(.closed(path: path))) }
    }.get()
  }

  /// Puts a batch behind those that wait; says whether it was taken: not where the log is closed.
  func submit(_ append: Append, _ durability: Durability) -> Bool {
    let isTaken = inbox.withLock { inbox in
      guard !inbox.isClosing else { return false }
      inbox.isOpen = false
      inbox.append(append, durability)
      return true
    }
    if isTaken { inbox.notify() }
    return isTaken
  }

  /// Has what waits be written with what comes of it, which is about to be submitted.
  func expect() { inbox.withLock { if !$0.isClosing { $0.queue.expect(now: .now) } } }

  /// Has what waits be written without that.
  func expectNothing() { change { $0.expectNothing() } }

  /// Has nothing that waits wait for company any more.
  func hurry() { change { $0.hurry() } }

  private func change(_ body: (inout CommitQueue<Append>) -> Void) {
    inbox.withLock { body(&$0.queue) }
    wake()
  }

  /// Puts a batch where nothing is on its way but what was put there so, and it follows all that
  /// was told, and says whether that was the case; the thread is to be woken for it by whoever
  /// calls.
  ///
  /// - Parameters:
  ///   - isPatient: Whether nobody waits for it to be written.
  ///   - follows: Whether it follows that. What is found holds until the batch is there: nothing
  ///     else arrives before, and so nothing else is told.
  func submitAhead(
    _ append: Append, _ durability: Durability, isPatient: Bool, if follows: () -> Bool
  ) -> Bool {
    inbox.withLock { inbox in
      guard inbox.isOpen, !inbox.isClosing, follows() else { return false }
      inbox.append(append, durability, patientSince: isPatient ? .now : nil)
      return true
    }
  }

  /// Has the thread look for what has arrived, where that is news to it.
  func wake() { if inbox.withLock({ $0.hasWork }) { inbox.notify() } }

  /// Runs `body` on the writer's thread, between two commits.
  func run<R: Sendable>(
    _ body: @escaping @Sendable (inout WriterLoop) throws(LogError) -> R
  ) async throws(LogError) -> R {
    try await answered { (answer: Answer<Result<R, LogError>>) in
      let isTaken = inbox.withLock { inbox in
        guard !inbox.isClosing else { return false }
        inbox.post { loop in
          do throws(LogError) {
            answer.resume(.success(try body(&loop)))
          } catch {
            answer.resume(.failure(error))
          }
        }
        return true
      }
      if isTaken { inbox.notify() } else { answer.resume(.failure(.closed(path: path))) }
    }.get()
  }

  /// Has `body` run on the writer's thread, between two commits; says whether it will be: not
  /// where the log is closed.
  @discardableResult
  func post(_ body: @escaping Job) -> Bool {
    let isTaken = inbox.withLock { inbox in
      guard !inbox.isClosing else { return false }
      inbox.post(body)
      return true
    }
    if isTaken { inbox.notify() }
    return isTaken
  }

  /// Takes no more requests, and returns when those that it has are done and the files closed.
  func close() async {
    beginClosing()
    await answered { answer in
      let hasEnded = inbox.withLock { inbox in
        if !inbox.hasEnded { inbox.closers.append(answer) }
        return inbox.hasEnded
      }
      if hasEnded { answer.resume(()) }
    }
  }

  private func beginClosing() {
    inbox.withLock { inbox in
      inbox.isClosing = true
      inbox.queue.hurry()
    }
    inbox.notify()
  }
}

extension LogWriter.Inbox {
  /// Whether there is something for the thread to do.
  var hasWork: Bool { queue.hasNews || !jobs.isEmpty || isClosing }

  /// Puts a batch behind those that wait.
  mutating func append(
    _ append: LogWriter.Append, _ durability: Durability, patientSince: Instant? = nil
  ) {
    let batch = append.batch
    queue.append(
      append, records: batch.count, bytes: batch.byteCount, durability,
      patientSince: patientSince)
  }

  /// Puts a job behind those that wait.
  mutating func post(_ job: @escaping LogWriter.Job) {
    isOpen = false
    jobs.append(job)
    queue.hurry()
  }

  /// The jobs that have arrived.
  mutating func takeJobs() -> [LogWriter.Job] {
    defer { jobs = [] }
    return jobs
  }

  /// Decides what is next.
  mutating func next() -> CommitQueue<LogWriter.Append>.Action {
    let action = queue.next(now: .now)
    if queue.isEmpty, case .wait = action { isOpen = true }
    return action
  }

  /// Notes that whoever is to know of what was taken up has been told.
  mutating func told() {
    if queue.isEmpty, !hasWork { isOpen = true }
  }

  /// Notes that the thread has ended; returns who waits for that.
  mutating func end() -> [Answer<Void>] {
    hasEnded = true
    defer { closers = [] }
    return closers
  }
}

extension LogWriter.Append {
  /// The receipt, where one was given.
  var receipt: Receipt? {
    if case .receipt(let receipt) = reply { receipt } else { nil }
  }
}
