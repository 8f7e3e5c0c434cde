import BenchmarkHarness
import EventStore

/// The cost of checking for news in vain, and the delay until another process's append is seen.
enum Look {
  /// The maximum nanoseconds for a check without news.
  static let cost = 200.0
  /// The maximum milliseconds until another process's append is seen.
  static let delay = 50.0
  /// The maximum wake-ups of an idle process per minute.
  static let wakeups = 0.0

  static let workload = Workload(
    "look", "a look with nothing new", smoke: 10_000, real: 1_000_000
  ) { setting in
    let log = try await LogCase.open(setting.folder)
    try await LogCase.append(Append.payloads, count: 100, batch: 100, to: log)
    return [
      Case("log", Claim(.cost, atMost: cost), Claim(.allocations)) { round in
        try await round.meter.measure(events: setting.size) {
          var sum: UInt64 = 0
          for _ in 0..<setting.size { sum &+= try log.last.rawValue }
          return sum
        }
      }
    ]
  }

  static let processes = Workload(
    "processes", "another process's appends, seen by a follower", smoke: 5, real: 50
  ) { setting in
    [
      Case("slowest of all", Claim(.amount(unit: "ms"), atMost: delay)) { round in
        Sample(amount: try await slowest(of: setting.size, in: round.folder))
      }
    ]
  }

  /// Follows a child's appends, and returns the longest time until one was seen, from just before
  /// its append.
  private static func slowest(of count: Int, in folder: String) async throws -> Double {
    let log = try await LogCase.open(folder)
    async let child = Role.appendSlowly.spawned(folder, "\(count)")
    var slowest = Duration.zero
    var seen = 0
    for try await record in log.records(from: 1) {
      slowest = max(slowest, Clock.since(record.payload))
      seen += 1
      if seen == count { break }
    }
    _ = try await child
    await log.close()
    return slowest / .milliseconds(1)
  }

  static let idle = Workload(
    "idle", "wake-ups in \(idleSeconds.real) s of the threads that an idle, followed log began",
    smoke: idleSeconds.smoke, real: idleSeconds.real
  ) { setting in
    // Once for all rounds: it takes as many seconds as the size says.
    let counted = try await Double(Role.idle.spawned(setting.folder, "\(setting.size)"))
    return [
      Case("log with a follower", Claim(.amount(unit: "wake-ups"), atMost: wakeups)) { _ in
        Sample(amount: counted)
      }
    ]
  }

  private static let idleSeconds = (smoke: 1, real: 60)
}
