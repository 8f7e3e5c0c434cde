import BenchmarkHarness
import EventStore

/// What the cases that measure the log have in common.
enum LogCase {
  /// The event of which each record is one: a fact of an account, about a thing.
  static let event = Event(
    kind: EventKind(rawValue: 7), recordedAt: Timestamp(rawValue: 1_700_000_000_000),
    login: Login(account: 1, epoch: 1), entity: Fingerprint(rawValue: 0x0123_4567_89AB_CDEF))

  /// The bytes of such a record's header.
  static let headerBytes = 44

  /// An empty log.
  static func open(_ folder: String, isFlushed: Bool = true) async throws -> Log {
    var options = Log.Options()
    options.isFlushed = isFlushed
    options.mapSize = 1 << 30
    return try await Log.open(at: folder, options: options)
  }

  /// Appends `count` payloads, `size` to a batch; returns the last one's number.
  ///
  /// As an ingest does it: the next batch is made while the last ones are on their way, of which
  /// there are `inFlight` at most.
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

  /// Writes `count` payloads to a spool, each event by itself.
  static func write(_ payloads: Payloads, count: Int, to spool: Spool) throws {
    let bytes = unsafe payloads.bytes.span.bytes
    for index in 0..<count {
      try spool.write(event, payload: bytes.extracting(payloads.range(of: index)))
    }
  }

  /// A batch of payloads.
  static func batch(_ payloads: Payloads, _ indices: Range<Int>) -> Batch {
    var batch = Batch()
    batch.reserveCapacity(events: indices.count, payloadBytes: indices.count * payloads.size)
    let bytes = unsafe payloads.bytes.span.bytes
    for index in indices { batch.add(event, payload: bytes.extracting(payloads.range(of: index))) }
    return batch
  }
}
