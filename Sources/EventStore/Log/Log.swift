import LMDB
import Synchronization

/// A durable log of events: appended to by many tasks and processes, read and followed by more.
///
///     let log = try await Log.open(at: folder)
///     var batch = Batch()
///     batch.add(Event(kind: noted, recordedAt: now)) { $0.put(1, "Lunch?") }
///     let numbers = try await log.append(batch)
///
/// Records have consecutive numbers, in one order for all processes. An append with
/// ``Durability/full`` survives a loss of power once it has returned, and a batch is there as a
/// whole or not at all. Each record's checksums tie it to all before it, so that anything lost,
/// swapped or changed later is identified by its number. See <doc:LogFormat>.
public final class Log: Sendable {
  /// The folder.
  public let path: String
  /// The store that the log belongs to; copies share it.
  public let store: StoreID
  package let file: LogFile
  package let head = LogHead()
  let writer: LogWriter
  let underWay = BatchesUnderWay()
  let options: Options
  /// The records' base when the log was opened.
  private let openedBase: LogBase
  private let secret: FingerprintKey
  let watch = Mutex<FileWatch?>(nil)
  /// The task that resumes what was interrupted before this log was opened.
  private let resumption = Mutex<Task<Void, Never>?>(nil)
  /// The follower to be told of records that another process appended.
  let follower = Mutex<(any LogFollower)?>(nil)
  /// The copy of the store that the follower was last told of.
  let copyTold: Mutex<StoreID>

  /// The named limits of a log, and how it is opened.
  public struct Options: Sendable {
    /// The initial size of the map in bytes, which is no limit, as the map grows.
    public var mapSize = 1 << 20
    /// The size beyond which the map doesn't grow; nothing more is appended then.
    public var mapSizeMax = 1 << 40
    /// The number of transactions that may read at once, over all processes.
    public var readersMax = 126
    /// The time that records appended relaxed wait for a flush.
    public var relaxedDelay = Duration.milliseconds(100)
    /// The time that records already shown, and awaited by nobody, wait to be written with others.
    package var patience = Duration.milliseconds(2)
    /// The time that records wait for their expected consequences.
    package var expectation = Duration.microseconds(500)
    /// The maximum bytes of records in one commit, except for a single larger batch.
    public var groupBytesMax = 512 << 10
    /// Whether nothing may be written: for tools.
    public var isReadOnly = false
    /// Whether opening examines every page of the file, so that none can end the process later; see
    /// ``Environment/Options/examinesPages``.
    package var examinesPages = false
    /// The source of a new store's identity and secret.
    public var random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    /// Whether commits are flushed; `false` only in a benchmark that measures the log without the
    /// disk.
    package var isFlushed = true

    /// The default limits.
    public init() {}
  }

  /// The maximum bytes of one payload.
  public static let payloadBytesMax = 16 << 20
  /// The maximum total bytes of a batch's records.
  public static let batchBytesMax = 64 << 20
  /// The maximum number of events in a batch.
  public static let batchCountMax = 1 << 17

  init(_ opened: LogOpening, options: Options) {
    path = opened.file.environment.path
    store = opened.store.id
    openedBase = opened.store.base
    copyTold = Mutex(opened.store.incarnation)
    secret = opened.store.secret
    file = opened.file
    self.options = options
    head.saw(opened.end.number, in: opened.end.transaction)
    let loop = WriterLoop(
      file: file, head: head, underWay: underWay, secret: opened.store.secret,
      erasures: opened.store.erasures, fullFlush: options.isFlushed ? .full : .none)
    var limits = CommitQueue<LogWriter.Append>.Limits()
    limits.bytesMax = options.groupBytesMax
    limits.relaxedDelay = options.relaxedDelay
    (limits.patience, limits.expectation) = (options.patience, options.expectation)
    writer = LogWriter(loop, limits: limits)
    if opened.store.task != nil, !options.isReadOnly { resumeUpkeep() }
  }

  deinit { stopWatching() }

  /// The last record that was compacted away, when this process last read the log.
  ///
  /// Records after it have consecutive numbers. Those up to it are a baseline with gaps between
  /// their numbers or, if the log's beginning was lost, absent.
  public var floor: RecordNumber { base.number }

  /// The identity of this copy of the store, when this process last read it; erasing payloads
  /// changes it, so that nothing derived from the old copy is taken for this one's.
  public var incarnation: StoreID { base.incarnation }

  /// Whether a baseline stands for the records up to the floor, when this process last read the
  /// log.
  public var hasBaseline: Bool { base.baseline != nil }

  /// The records' base when this process last read the log.
  var base: LogBase { file.knownBase ?? openedBase }

  /// Resumes an interrupted task, unless another process is already doing so.
  private func resumeUpkeep() {
    resumption.withLock { $0 = Task { try? await carryOn() } }
  }

  /// Waits until this process is no longer resuming an interrupted task.
  func waitForResumption() async { await resumption.withLock { $0 }?.value }

  /// Opens the log on the calling thread; ``open(at:options:)`` uses a separate thread.
  convenience init(at path: String, options: Options) throws(LogError) {
    self.init(try LogOpening(at: path, options: options), options: options)
  }

  /// Opens the log in an existing folder, or creates one if the folder holds none.
  ///
  /// Accesses the disk on a separate thread. The folder's own name is also made durable, before
  /// anything is acknowledged; the caller must flush the names of any new parent folders.
  ///
  /// - Throws: ``LogError`` that says what is there instead; nothing was changed then.
  public static func open(
    at path: String, options: Options = Options()
  ) async throws(LogError) -> Log {
    try await answered { (answer: ResumeOnce<Result<Log, LogError>>) in
      _ = WorkerThread {
        answer.resume(
          Result { () throws(LogError) in
            try Log(at: path, options: options)
          })
      }
    }.get()
  }

  /// Appends a batch: all of its events, in order and with nothing between them, or none.
  ///
  /// Cancelling the task doesn't cancel a batch on its way. Batches of many tasks share a commit.
  ///
  /// - Returns: The numbers of the records; those of one task ascend from call to call.
  /// - Throws: `tooLarge`, `tooMany`, `diskFull`, `mapFull`: nothing was appended. `failed`: it may
  ///   have been; reopen to find out. `closed`, `readOnly`.
  /// - Complexity: O(*n* log *m*) for *n* events in a log of *m*.
  /// - Precondition: The batch holds an event.
  @discardableResult
  public func append(
    _ batch: Batch, durability: Durability = .full
  ) async throws(LogError) -> ClosedRange<RecordNumber> {
    precondition(!batch.isEmpty, "an empty batch has no numbers")
    try checkLimits(batch)
    let first = try await writer.append(batch, durability)
    return first...first.advanced(by: batch.count - 1)
  }

  func checkLimits(_ batch: Batch) throws(LogError) {
    guard !options.isReadOnly else { throw .readOnly(path: path) }
    guard batch.count <= Self.batchCountMax else {
      throw .tooMany(of: "events of a batch", count: batch.count, limit: Self.batchCountMax)
    }
    guard batch.byteCount <= Self.batchBytesMax else {
      throw .tooLarge(what: "batch", bytes: batch.byteCount, limit: Self.batchBytesMax)
    }
    guard batch.longestPayload <= Self.payloadBytesMax else {
      throw .tooLarge(what: "payload", bytes: batch.longestPayload, limit: Self.payloadBytesMax)
    }
  }

  /// Returns the fingerprint by which records refer to an entity's name: a hash under a secret of
  /// this store.
  ///
  /// - Complexity: O(*n*), without allocation.
  public func fingerprint(of name: String) -> Fingerprint {
    Fingerprint(rawValue: secret.fingerprint(of: name))
  }

  /// Waits for ongoing appends and open reads, flushes, and closes the files.
  ///
  /// Nothing can be appended or read afterwards. The same happens when the last reference is
  /// released, but nobody can wait for that.
  public func close() async {
    await writer.close()
    await waitForResumption()
    guard let watch = stopWatching() else { return }
    await answered { (answer: ResumeOnce<Void>) in
      _ = WorkerThread {
        watch.waitForEnd()
        answer.resume(())
      }
    }
  }
}
