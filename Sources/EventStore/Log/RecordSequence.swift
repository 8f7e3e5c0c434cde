import LMDB
import Synchronization

/// The records of a log: the existing ones, and then each one as it is appended, by any process.
///
/// The sequence ends when the log is closed or the task cancelled. It holds no transaction while
/// its reader is busy, and buffers nothing for a slow one, which continues from where it is. With a
/// filter, waiting for records does not hurry what is on its way into the log.
public struct RecordSequence: AsyncSequence, Sendable {
  /// The number of records read at once.
  static let chunkMax = 256
  /// The bytes of payload beyond which a chunk takes no more records.
  static let chunkBytesMax = 1 << 20

  let log: Log
  let first: RecordNumber
  let filter: RecordFilter

  /// Reads record after record.
  public struct Iterator: AsyncIteratorProtocol {
    private let log: Log
    private let first: RecordNumber
    private let filter: RecordFilter
    /// The place reached, once it has read.
    private var place: LogPoint?
    private var chunk: ArraySlice<Result<Record, LogError>> = []

    init(_ log: Log, from first: RecordNumber, matching filter: RecordFilter) {
      (self.log, self.first, self.filter) = (log, first, filter)
    }

    /// Returns the next record once it exists, or `nil` if the log was closed or the task
    /// cancelled.
    ///
    /// - Throws: `damagedRecord`; the next call continues after the damage. `compacted` if the next
    ///   records were compacted before they were read.
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

    /// The record after which reading continues.
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
        var cursor = try snapshot.records(after: place)
        return (try cursor.chunk(matching: filter)[...], cursor.place)
      }
    }
  }

  /// Begins at the first record requested.
  public func makeAsyncIterator() -> Iterator { Iterator(log, from: first, matching: filter) }
}

extension Log {
  /// Returns the records from a number on that match a filter, both existing ones and those to
  /// come.
  public func records(
    from number: RecordNumber, matching filter: RecordFilter = RecordFilter()
  ) -> RecordSequence {
    RecordSequence(log: self, first: number, filter: filter)
  }

  /// Waits for a record after `number`, or until the log is closed or the task cancelled.
  func wait(beyond number: RecordNumber) async {
    startWatching()
    hurry()
    await head.wait(beyond: number)
  }

  /// Starts watching the file, from the first wait on, for records that other processes append.
  ///
  /// What this process itself writes also wakes the watch, with each call that writes; meanwhile,
  /// records that others append are noticed by one check after a rest.
  func startWatching() {
    watch.withLock { watch in
      guard watch == nil, !head.isClosed else { return }
      let path = Folder(path).path(of: Environment.dataFile)
      watch = FileWatch(path, rest: { [head] in head.takeActivity() ? Self.ownRest : .zero }) {
        [weak self] in self?.noticeChange()
      }
    }
  }

  /// Stops watching, for good once the log is closed.
  ///
  /// - Returns: The watch that ends now, if any.
  @discardableResult
  func stopWatching() -> FileWatch? {
    let watch = watch.withLock { $0.take() }
    watch?.stop()
    return watch
  }

  /// Checks for records that another process appended.
  ///
  /// A commit shows in the file just before it can be read, so this retries until it can, but
  /// less often later, since another process may be held up right in between.
  private func noticeChange() {
    for attempt in 0..<Self.noticeTriesMax {
      guard (try? last) != nil, let latest = try? file.environment.lastTransaction,
        head.last(asOf: latest) == nil
      else { return tellFollower() }
      WorkerThread.sleep(.milliseconds(attempt < 50 ? 1 : 64))
    }
  }

  /// Tells the follower of records and of an erasure that it may not have been told of.
  private func tellFollower() {
    guard let follower = follower.withLock({ $0 }), let last = try? last else { return }
    follower.committed(upTo: last, isDurable: false)
    // An erasure appends nothing.
    let incarnation = incarnation
    let isOther = copyTold.withLock { told in
      defer { told = incarnation }
      return told != incarnation
    }
    if isOther { follower.becameOtherCopy() }
  }

  /// The rest of the watch while this process itself writes.
  private static let ownRest = Duration.milliseconds(5)
  /// The maximum number of checks for a change that can't be read yet, in some two seconds.
  private static let noticeTriesMax = 80
}

extension RecordCursor {
  /// Copies those of the next records that match a filter, along with the errors of damaged ones.
  ///
  /// A chunk never ends with damage, because only this cursor knows how the next record is tied to
  /// it.
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
