import LMDB
import Synchronization

/// The records of a log, those that are there and then each one as it is appended, by whichever
/// process.
///
/// It ends when the log is closed or the task cancelled. It holds no transaction while its reader
/// is busy, and nothing is buffered for a slow one: it reads on from where it is. Where only some
/// are looked for, whoever waits for them does not hurry what is on its way into the log.
public struct RecordSequence: AsyncSequence, Sendable {
  /// The records that are read at once.
  static let chunkMax = 256
  /// The bytes of payload beyond which a chunk takes no further record.
  static let chunkBytesMax = 1 << 20

  let log: Log
  let first: RecordNumber
  let filter: RecordFilter

  /// Reads on from record to record.
  public struct Iterator: AsyncIteratorProtocol {
    private let log: Log
    private let first: RecordNumber
    private let filter: RecordFilter
    /// Where it has come to, once it has read.
    private var place: Applied?
    private var chunk: ArraySlice<Result<Record, LogError>> = []

    init(_ log: Log, from first: RecordNumber, matching filter: RecordFilter) {
      (self.log, self.first, self.filter) = (log, first, filter)
    }

    /// The next record, once there is one, or `nil` when the log was closed or the task cancelled.
    ///
    /// - Throws: `damagedRecord`; asked again, it goes on behind that. `compacted` where what
    ///   follows was compacted before it was read.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(LogError) -> Record? {
      do throws(LogError) {
        while !Task.isCancelled, chunk.isEmpty {
          let behind = reached
          let isThere = try log.last > behind
          if isThere { try read() } else { await wait(beyond: behind) }
        }
      } catch .closed {
        return nil
      }
      guard !Task.isCancelled else { return nil }
      return try chunk.popFirst()?.get()
    }

    private func wait(beyond number: RecordNumber) async {
      if filter.isEmpty { return await log.wait(beyond: number) }
      log.startWatching()
      await log.head.wait(beyond: number)
    }

    /// The record behind which it reads on.
    private var reached: RecordNumber {
      if let place { return place.number }
      return first == .zero ? .zero : first.advanced(by: -1)
    }

    private mutating func read() throws(LogError) {
      (chunk, place) = try log.reading { snapshot throws(LogError) in
        guard let place else {
          var cursor = try snapshot.records(from: first)
          return (try cursor.chunk(matching: filter)[...], cursor.place)
        }
        var cursor = try snapshot.records(behind: place)
        return (try cursor.chunk(matching: filter)[...], cursor.place)
      }
    }
  }

  /// Begins at the first record asked for.
  public func makeAsyncIterator() -> Iterator { Iterator(log, from: first, matching: filter) }
}

extension Log {
  /// The records from a number on that a filter is true of, those that are there and those to come.
  public func records(
    from number: RecordNumber, matching filter: RecordFilter = RecordFilter()
  ) -> RecordSequence {
    RecordSequence(log: self, first: number, filter: filter)
  }

  /// Returns once there is a record behind `number`, or the log is closed, or the task cancelled.
  func wait(beyond number: RecordNumber) async {
    startWatching()
    hurry()
    await head.wait(beyond: number)
  }

  /// From the first wait on, the file is watched for what other processes append.
  ///
  /// What this process commits wakes the watch as well, with each page that it writes: then what
  /// others append meanwhile is noticed by looking once behind a pause.
  func startWatching() {
    watch.withLock { watch in
      guard watch == nil, !head.isClosed else { return }
      let path = Folder(path).path(of: Environment.dataFile)
      watch = FileWatch(path) { [weak self] in
        self?.noticeChange()
        if self?.head.takeCommitted() == true { WorkerThread.sleep(Self.ownPause) }
      }
    }
  }

  /// Ends the watching, for good once the log is closed.
  ///
  /// - Returns: The watch that ends now, where there was one.
  @discardableResult
  func stopWatching() -> FileWatch? {
    let watch = watch.withLock { $0.take() }
    watch?.stop()
    return watch
  }

  /// Looks for what another process appended.
  ///
  /// A commit shows in the file an instant before it can be read, so it looks until it can.
  private func noticeChange() {
    for _ in 0..<Self.noticeTriesMax {
      guard (try? last) != nil, let latest = try? file.environment.lastTransaction,
        head.last(asOf: latest) == nil
      else { return tellFollower() }
      WorkerThread.sleep(.milliseconds(1))
    }
  }

  /// Tells the follower of records that it may not have been told of.
  private func tellFollower() {
    guard let follower = follower.withLock({ $0 }), let last = try? last else { return }
    follower.committed(upTo: last, isDurable: false)
  }

  /// How long the watch rests where it is this process that writes.
  private static let ownPause = Duration.milliseconds(1)
  /// How often a change that can't be read yet is looked for again, a millisecond apart.
  private static let noticeTriesMax = 50
}

extension RecordCursor {
  /// Copies of those of the next records that a filter is true of, and what is wrong with damaged
  /// ones among them.
  ///
  /// A damaged record is not the last, as only this cursor knows how the next one is tied to it.
  @_lifetime(self: copy self)
  fileprivate mutating func chunk(
    matching filter: RecordFilter
  ) throws(LogError) -> [Result<Record, LogError>] {
    var chunk: [Result<Record, LogError>] = []
    var (count, bytes, isBehindDamage) = (0, 0, false)
    while isBehindDamage
      || (count < RecordSequence.chunkMax && bytes < RecordSequence.chunkBytesMax)
    {
      count += 1
      switch try find() {
      case .record?:
        if filter.matches(record) { chunk.append(.success(record.record)) }
        bytes += record.payload.byteCount
        isBehindDamage = false
      case .damage(let error)?:
        chunk.append(.failure(error))
        isBehindDamage = true
      case nil: return chunk
      }
    }
    return chunk
  }
}
