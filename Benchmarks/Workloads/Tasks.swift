import BenchmarkHarness
import EventStore

/// The rate at which single events become durable when many tasks append at once.
enum Tasks {
  /// The number of tasks.
  static let count = 64
  /// The minimum ratio of the log's rate to that of raw LMDB with single commits.
  static let rate = 25.0

  static let workload = Workload(
    "tasks", "single durable records, \(count) tasks at once", smoke: 640, real: 32_000
  ) { setting in
    // Raw LMDB does only part of the work: its single commits take long enough to measure.
    let fewer = setting.size / count
    return [
      Case("raw LMDB, sync, one by one", Claim(.rate)) { round in
        let store = try RawLMDB(in: round.folder, .sync)
        return try await round.meter.measure(events: fewer) {
          try store.append(Append.records, count: fewer, batch: 1)
        }
      },
      Case(
        "log, \(count) tasks",
        Claim(.rate, against: "raw LMDB, sync, one by one", .ratioAtLeast(rate)),
        Claim(.bytesWritten), Claim(.allocations)
      ) { round in
        let log = try await LogCase.open(round.folder)
        let sample = try await round.meter.measure(events: setting.size) {
          try await append(setting.size, to: log)
          return try log.last.rawValue
        }
        await log.close()
        return sample
      },
    ]
  }

  private static func append(_ size: Int, to log: Log) async throws {
    try await withThrowingTaskGroup { group in
      for task in 0..<count {
        group.addTask {
          for index in 0..<(size / count) {
            try await log.append(
              LogCase.batch(Append.payloads, (task + index)..<(task + index + 1)))
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
