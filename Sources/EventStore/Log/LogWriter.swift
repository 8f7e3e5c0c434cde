import LMDB

/// The log's own thread: the only place that writes or flushes the log, or waits for a lock.
///
/// Any task may put requests into its queue; ``CommitQueue`` decides, and ``WriterLoop`` acts.
final class LogWriter: Sendable {
  /// A batch on its way into the log, and the recipient of the result.
  struct Append: Sendable {
    var batch: Batch
    let reply: Reply
  }

  /// The recipient of the number of a batch's first record, or of the error.
  enum Reply: Sendable {
    /// A waiting task.
    case answer(ResumeOnce<Result<RecordNumber, LogError>>)
    /// The holders of a receipt.
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

  /// The requests that have arrived and are not taken up.
  struct Work {
    var queue: CommitQueue<Append>
    var jobs: [Job] = []
    var isClosing = false
    var hasEnded = false
    /// Whether the follower knows everything that is on its way: since it was told, only batches
    /// submitted ahead have arrived.
    var isOpen = false
    var closers: [ResumeOnce<Void>] = []
  }

  private let work: Monitor<Work>
  private let path: String

  init(_ loop: consuming WriterLoop, limits: CommitQueue<Append>.Limits) {
    let work = Monitor(Work(queue: CommitQueue(limits: limits)))
    self.work = work
    path = loop.path
    let start = loop
    _ = WorkerThread {
      var loop = start
      loop.run(work)
      let closers = work.withLock { $0.end() }
      closers.forEach { $0.resume(()) }
    }
  }

  deinit { beginClosing() }

  /// Appends a batch and returns the number of its first record.
  func append(_ batch: Batch, _ durability: Durability) async throws(LogError) -> RecordNumber {
    try await answered { answer in
      let isTaken = submit(Append(batch: batch, reply: .answer(answer)), durability)
      if !isTaken { answer.resume(.failure(.closed(path: path))) }
    }.get()
  }

  /// Enqueues a batch; returns whether it was accepted, which it isn't once the log is closed.
  func submit(_ append: Append, _ durability: Durability) -> Bool {
    let isTaken = work.withLock { work in
      guard !work.isClosing else { return false }
      work.isOpen = false
      work.append(append, durability)
      return true
    }
    if isTaken { work.notify() }
    return isTaken
  }

  /// Delays what waits, so that its consequences, about to be submitted, are written with it.
  func expect() { work.withLock { if !$0.isClosing { $0.queue.expect(now: .now) } } }

  /// Stops waiting for such consequences.
  func expectNothing() { change { $0.expectNothing() } }

  /// Writes everything that waits now without waiting for more.
  func hurry() { change { $0.hurry() } }

  private func change(_ body: (inout CommitQueue<Append>) -> Void) {
    work.withLock { body(&$0.queue) }
    wake()
  }

  /// Enqueues a batch if only batches submitted this way are on their way, and it follows all that
  /// was told; returns whether it was enqueued.
  ///
  /// The caller must then wake the thread.
  ///
  /// - Parameters:
  ///   - isPatient: Whether nobody waits for the batch to be written.
  ///   - follows: Whether the batch follows all that was told. The answer holds until the batch is
  ///     enqueued: nothing else arrives before, so nothing else is told.
  func submitAhead(
    _ append: Append, _ durability: Durability, isPatient: Bool, if follows: () -> Bool
  ) -> Bool {
    work.withLock { work in
      guard work.isOpen, !work.isClosing, follows() else { return false }
      work.append(append, durability, patientSince: isPatient ? .now : nil)
      return true
    }
  }

  /// Wakes the thread if it has new work.
  func wake() { if work.withLock({ $0.hasWork }) { work.notify() } }

  /// Runs `body` on the writer's thread, between two commits.
  func run<R: Sendable>(
    _ body: @escaping @Sendable (inout WriterLoop) throws(LogError) -> R
  ) async throws(LogError) -> R {
    try await answered { (answer: ResumeOnce<Result<R, LogError>>) in
      let isTaken = work.withLock { work in
        guard !work.isClosing else { return false }
        work.post { loop in
          do throws(LogError) {
            answer.resume(.success(try body(&loop)))
          } catch {
            answer.resume(.failure(error))
          }
        }
        return true
      }
      if isTaken { work.notify() } else { answer.resume(.failure(.closed(path: path))) }
    }.get()
  }

  /// Runs `body` later on the writer's thread, between two commits; returns whether it will, which
  /// it won't once the log is closed.
  @discardableResult
  func post(_ body: @escaping Job) -> Bool {
    let isTaken = work.withLock { work in
      guard !work.isClosing else { return false }
      work.post(body)
      return true
    }
    if isTaken { work.notify() }
    return isTaken
  }

  /// Accepts no more requests, and returns once the accepted ones are done and the files closed.
  func close() async {
    beginClosing()
    await answered { answer in
      let hasEnded = work.withLock { work in
        if !work.hasEnded { work.closers.append(answer) }
        return work.hasEnded
      }
      if hasEnded { answer.resume(()) }
    }
  }

  private func beginClosing() {
    work.withLock { work in
      work.isClosing = true
      work.queue.hurry()
    }
    work.notify()
  }
}

extension LogWriter.Work {
  /// Whether the thread has work to do.
  var hasWork: Bool { queue.hasNews || !jobs.isEmpty || isClosing }

  /// Enqueues a batch.
  mutating func append(
    _ append: LogWriter.Append, _ durability: Durability, patientSince: Instant? = nil
  ) {
    let batch = append.batch
    queue.append(
      append, records: batch.count, bytes: batch.byteCount, durability,
      patientSince: patientSince)
  }

  /// Enqueues a job.
  mutating func post(_ job: @escaping LogWriter.Job) {
    isOpen = false
    jobs.append(job)
    queue.hurry()
  }

  /// Takes the jobs that have arrived.
  mutating func takeJobs() -> [LogWriter.Job] {
    defer { jobs = [] }
    return jobs
  }

  /// Decides the next action.
  mutating func next() -> CommitQueue<LogWriter.Append>.Action {
    let action = queue.next(now: .now)
    if queue.isEmpty, case .wait = action { isOpen = true }
    return action
  }

  /// Notes that the follower has been told of everything taken up.
  mutating func told() {
    if queue.isEmpty, !hasWork { isOpen = true }
  }

  /// Notes that the thread has ended, and returns those waiting for that.
  mutating func end() -> [ResumeOnce<Void>] {
    hasEnded = true
    defer { closers = [] }
    return closers
  }
}

extension LogWriter.Append {
  /// The receipt, if one was given.
  var receipt: Receipt? {
    if case .receipt(let receipt) = reply { receipt } else { nil }
  }
}
