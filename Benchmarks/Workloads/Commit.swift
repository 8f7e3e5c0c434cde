import BenchmarkHarness
import Foundation
import LMDB

/// How long one event takes to become durable alone.
enum Commit {
  /// The case that stands for what the medium can do: a log that grows can't do with less.
  static let limit = "append 4 KiB, fdatasync"

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
    ]
  }

  /// What the medium needs for the smallest write that makes something durable.
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
        try store.append(Append.payloads, count: 1, batch: 1)
      }
    }
  }
}
