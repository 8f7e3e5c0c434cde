import BenchmarkHarness

/// How fast events enter the log when many share a commit.
enum Append {
  /// Records per commit.
  static let batch = 500

  /// What is appended, here and in the other workloads of the log.
  static let payloads = Payloads(size: 250)

  static let workload = Workload(
    "append", "\(payloads.size) B each, \(batch) to a commit", smoke: 10_000, real: 100_000
  ) { setting in
    [
      raw("raw LMDB, no sync", .noSync, setting),
      raw("raw LMDB, sync", .sync, setting),
    ]
  }

  private static func raw(
    _ name: String, _ durability: RawLMDB.Durability, _ setting: Workload.Setting
  ) -> Case {
    Case(name, Claim(.rate), Claim(.bytesWritten), Claim(.allocations)) { round in
      let store = try RawLMDB(in: round.folder, durability)
      return try await round.meter.measure(events: setting.size) {
        try store.append(payloads, count: setting.size, batch: batch)
      }
    }
  }
}
