import BenchmarkHarness
import EventStore
import Foundation
import LMDB

/// The time for one event alone to become durable.
enum Commit {
  /// The case for the medium's limit: a growing log can't take less.
  static let limit = "append 4 KiB, fdatasync"
  /// The maximum ratio of a durable append's median to raw LMDB's.
  static let latency = 1.1
  /// The maximum number of bytes for one durable record: four pages and a share of the meta page.
  static let bytesWritten = 16_600.0

  static let workload = Workload(
    "commit", "one after another, each of them durable", smoke: 100, real: 2_000
  ) { setting in
    [
      Case("overwrite 4 KiB, fdatasync", Claim(.latency), Claim(.bytesWritten)) { round in
        try await writePages(round, setting) { _ in 0 }
      },
      Case(limit, Claim(.latency), Claim(.bytesWritten)) { round in
        try await writePages(round, setting) { index in index }
      },
      raw("raw LMDB, no meta sync", .noMetaSync, setting),
      raw("raw LMDB, sync", .sync, setting),
      Case(
        "log", Claim(.latency, against: "raw LMDB, sync", .ratioAtMost(latency)),
        Claim(.bytesWritten, atMost: bytesWritten)
      ) { round in
        let log = try await LogCase.open(round.folder)
        let sample = try await round.meter.measureEach(setting.size) { _ in
          try await log.append(LogCase.batch(Append.payloads, 0..<1)).upperBound.rawValue
        }
        await log.close()
        return sample
      },
    ]
  }

  /// Measures the smallest durable writes of the medium.
  private static func writePages(
    _ round: Round, _ setting: Workload.Setting, at position: (Int) -> Int
  ) async throws -> Sample {
    let page = [UInt8](repeating: 1, count: 4096)
    let file = try File("\(round.folder)/pages", .create)
    return try await round.meter.measureEach(setting.size) { index in
      try file.write(page, at: position(index) * page.count)
      try flushData(of: file)
      return 1
    }
  }

  /// Flushes a file's bytes and size, but not its times.
  private static func flushData(of file: borrowing File) throws {
    #if canImport(Darwin)
      try file.flush()
    #else
      if fdatasync(file.descriptor) != 0 { throw LMDBError.lastSystemError("flush \(file.path)") }
    #endif
  }

  private static func raw(
    _ name: String, _ durability: RawLMDB.Durability, _ setting: Workload.Setting
  ) -> Case {
    Case(name, Claim(.latency, against: limit), Claim(.bytesWritten)) { round in
      let store = try RawLMDB(in: round.folder, durability)
      return try await round.meter.measureEach(setting.size) { _ in
        try store.append(Append.records, count: 1, batch: 1)
      }
    }
  }
}
