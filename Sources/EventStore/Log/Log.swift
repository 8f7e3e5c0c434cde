import LMDB
import Synchronization

/// A durable log of events: appended to by many tasks and processes, read and followed by more.
///
///     let log = try await Log.open(at: folder)
///     var batch = Batch()
///     batch.add(Event(kind: noted, recordedAt: now)) { $0.put(1, "Lunch?") }
///     let numbers = try await log.append(batch)
///
/// Records have consecutive numbers, in one order for all processes. What an append with
/// ``Durability/full`` returned for is there after a loss of power; what was appended together is
/// there together. Each record's checksums tie it to all before it, so that what was lost, swapped
/// or changed afterwards is named by its number. See <doc:LogFormat>.
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
  /// What the records stood on when it was opened.
  private let openedBase: LogBase
  private let secret: FingerprintKey
  let watch = Mutex<FileWatch?>(nil)
  /// What goes on with what was interrupted before this was opened.
  private let resumption = Mutex<Task<Void, Never>?>(nil)
  /// Who is told of records that another process appended.
  let follower = Mutex<(any LogFollower)?>(nil)

  /// The named limits of a log, and how it is opened.
  public struct Options: Sendable {
    /// The size of the map at first, in bytes; it is no limit, as the map grows.
    public var mapSize = 1 << 20
    /// The size beyond which the map doesn't grow: then nothing more is appended.
    public var mapSizeMax = 1 << 40
    /// How many transactions may read at once, over all processes.
    public var readersMax = 126
    /// How long records that were appended relaxed wait for a flush.
    public var relaxedDelay = Duration.milliseconds(100)
    /// How long records wait for others to be written with that are shown already, and that nobody
    /// waits for.
    package var patience = Duration.milliseconds(2)
    /// How long records wait for what is expected to come of them.
    package var expectation = Duration.microseconds(500)
    /// The bytes of records that one commit holds at most, a single batch excepted.
    public var groupBytesMax = 512 << 10
    /// Whether nothing may be written: for tools.
    public var isReadOnly = false
    /// Where a new store's identity and secret come from.
    public var random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    /// Whether commits are flushed; only a benchmark, measuring the log without the disk, says no.
    package var isFlushed = true

    /// The default limits.
    public init() {}
  }

  /// The bytes that one payload may have.
  public static let payloadBytesMax = 16 << 20
  /// The bytes that the records of one batch may have together.
  public static let batchBytesMax = 64 << 20
  /// The events that one batch may hold.
  public static let batchCountMax = 1 << 17

  init(_ opened: LogOpening, options: Options) {
    path = opened.file.environment.path
    store = opened.store.id
    openedBase = opened.store.base
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

  /// The last record that was compacted away, when this process last looked at the log.
  ///
  /// Records behind it have consecutive numbers. Those up to it are a baseline, with gaps between
  /// their numbers, or, where the log's beginning was lost, not there at all.
  public var floor: RecordNumber { base.number }

  /// This copy of the store, when this process last looked; another once payloads were erased, so
  /// that nothing that was made of it before is taken for its own.
  public var incarnation: StoreID { base.incarnation }

  /// Whether records stand for those up to the floor, when this process last looked.
  public var hasBaseline: Bool { base.baseline != nil }

  /// What the records stand on, when this process last looked.
  var base: LogBase { file.knownBase ?? openedBase }

  /// Goes on with what was interrupted; where another process is at it already, it is left to that.
  private func resumeUpkeep() {
    resumption.withLock { $0 = Task { try? await carryOn() } }
  }

  /// Returns once this process no longer goes on with what was interrupted.
  func waitForResumption() async { await resumption.withLock { $0 }?.value }

  /// Opens the log on the calling thread, as ``open(at:options:)`` does on one of its own.
  convenience init(at path: String, options: Options) throws(LogError) {
    self.init(try LogOpening(at: path, options: options), options: options)
  }

  /// Opens the log in an existing folder, and makes one where the folder holds none.
  ///
  /// The disk is touched on a thread of its own. What makes the folder's own name durable is done
  /// here, too, before anything is acknowledged; the names of folders above are the caller's to
  /// flush, if they are new.
  ///
  /// - Throws: ``LogError`` that says what is there instead; nothing was changed then.
  public static func open(
    at path: String, options: Options = Options()
  ) async throws(LogError) -> Log {
    try await answered { (answer: Answer<Result<Log, LogError>>) in
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
  /// Once it is on its way it is not cancelled with the task. Batches of many tasks share a commit.
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

  /// The name of a thing as records carry it: a hash under a secret of this store.
  ///
  /// - Complexity: O(*n*), without allocation.
  public func fingerprint(of name: String) -> Fingerprint {
    Fingerprint(rawValue: secret.fingerprint(of: name))
  }

  /// Waits for what is being appended and for open reads, flushes, and closes the files.
  ///
  /// Nothing can be appended or read any more. Without it the same happens when the last reference
  /// goes, but nobody can wait for it.
  public func close() async {
    await writer.close()
    await waitForResumption()
    guard let watch = stopWatching() else { return }
    await answered { (answer: Answer<Void>) in
      _ = WorkerThread {
        watch.waitForEnd()
        answer.resume(())
      }
    }
  }
}
