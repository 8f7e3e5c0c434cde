import BenchmarkHarness
import EventStore

/// Helpers of the cases that measure the log.
enum LogCase {
  /// The event of each record: a fact of an account, about an entity.
  static let event = Event(
    kind: EventKind(rawValue: 7), recordedAt: Timestamp(rawValue: 1_700_000_000_000),
    login: Login(account: 1, epoch: 1), entity: Fingerprint(rawValue: 0x0123_4567_89AB_CDEF))

  /// The size of such a record's header, in bytes.
  static let headerBytes = 44

  /// Opens an empty log.
  static func open(_ folder: String, isFlushed: Bool = true) async throws -> Log {
    var options = Log.Options()
    options.isFlushed = isFlushed
    options.mapSize = 1 << 30
    return try await Log.open(at: folder, options: options)
  }

  /// Appends `count` payloads, `size` to a batch, and returns the last record's number.
  ///
  /// As in an ingest, the next batch is made while at most `inFlight` earlier ones are under way.
  @discardableResult
  static func append(
    _ payloads: Payloads, count: Int, batch size: Int, inFlight: Int = 1, to log: Log
  ) async throws -> UInt64 {
    try await withThrowingTaskGroup(of: RecordNumber.self) { group in
      var last: RecordNumber = 0
      for (index, start) in stride(from: 0, to: count, by: size).enumerated() {
        let batch = batch(payloads, start..<min(start + size, count))
        if index >= inFlight { last = max(last, try await group.next() ?? last) }
        group.addTask { try await log.append(batch).upperBound }
      }
      for try await number in group { last = max(last, number) }
      return last.rawValue
    }
  }

  /// Writes `count` payloads to a spool, each as its own event.
  static func write(_ payloads: Payloads, count: Int, to spool: Spool) throws {
    let bytes = unsafe payloads.bytes.span.bytes
    for index in 0..<count {
      try spool.write(event, payload: bytes.extracting(payloads.range(of: index)))
    }
  }

  /// Returns a batch of payloads.
  static func batch(_ payloads: Payloads, _ indices: Range<Int>) -> Batch {
    var batch = Batch()
    batch.reserveCapacity(events: indices.count, payloadBytes: indices.count * payloads.size)
    let bytes = unsafe payloads.bytes.span.bytes
    for index in indices { batch.add(event, payload: bytes.extracting(payloads.range(of: index))) }
    return batch
  }
}
