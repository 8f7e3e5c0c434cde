import BenchmarkHarness
import EventStore

/// The rate at which the whole log is read in order.
enum Scan {
  /// The minimum ratio of the log's rate, with every checksum verified and every header decoded, to
  /// raw LMDB's.
  static let rateVerified = 0.7

  static let workload = Workload(
    "scan", "\(Append.payloads.size) B each, in order", smoke: 20_000, real: 1_000_000
  ) { setting in
    let raw = try RawLMDB(in: TemporaryFolder.made(in: setting.folder, "raw"))
    try raw.append(Append.records, count: setting.size, batch: Append.batch)
    let log = try await LogCase.open(
      TemporaryFolder.made(in: setting.folder, "log"), isFlushed: false)
    try await LogCase.append(Append.payloads, count: setting.size, batch: Append.batch, to: log)
    return [
      Case("raw cursor, every byte", Claim(.rate), Claim(.allocations)) { round in
        try await round.meter.measure(events: setting.size) { try raw.sum() }
      },
      Case(
        "log, verified",
        Claim(.rate, against: "raw cursor, every byte", .ratioAtLeast(rateVerified)),
        Claim(.allocations)
      ) { round in
        try await round.meter.measure(events: setting.size) { try sum(log) }
      },
      Case("log, about one thing", Claim(.rate)) { round in
        try await round.meter.measure(events: setting.size) { try count(log) }
      },
    ]
  }

  /// Reads every record with every check, and returns a sum over the headers.
  private static func sum(_ log: Log) throws -> UInt64 {
    try log.read { snapshot throws(LogError) in
      var sum: UInt64 = 0
      var cursor = try snapshot.records()
      while try cursor.next() {
        let header = cursor.record.header
        sum &+= UInt64(header.payloadCount) &+ UInt64(header.kind.rawValue)
      }
      return sum
    }
  }

  /// Searches for records of an entity that has none.
  private static func count(_ log: Log) throws -> UInt64 {
    try log.read { snapshot throws(LogError) in
      var count: UInt64 = 0
      var cursor = try snapshot.records()
      while try cursor.next(about: Fingerprint(rawValue: 1)) { count += 1 }
      return count
    }
  }
}
