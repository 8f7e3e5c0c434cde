import BenchmarkHarness
import BenchmarkPeers
import EventStore
import Synchronization

/// The cost of one event that changes all rows of a view and removes them from it.
enum Huge {
  /// The targets for 300,000 items.
  enum Goal {
    /// The maximum microseconds until all subscribers have the new state.
    static let firstScreen = 50_000.0
    /// The maximum microseconds until the change is in the views' file.
    static let committed = 1_500_000.0
    /// The maximum KiB of peak memory above the store's memory before.
    static let memory = 64.0 * 1024
  }

  static let workload = Workload(
    "huge", "one event that marks all unread items read", smoke: 2_000, real: 300_000, rounds: 3
  ) { setting in
    let mailbox = Mailbox(count: setting.size, isAllUnread: true)
    // Rows stored in the order of the view are found without waiting for memory.
    let ordered = Mailbox(count: setting.size, order: .newestFirst, isAllUnread: true)
    return [
      Case("store, until all who look are told", Claim(.latency, atMost: Goal.firstScreen)) {
        round in try await until(.shown, mailbox, round)
      },
      Case("store, newest first, until all who look are told", Claim(.latency)) { round in
        try await until(.shown, ordered, round)
      },
      Case("store, row by row, until all who look are told", Claim(.latency)) { round in
        try await until(.shown, mailbox, round, MailStore.markEach)
      },
      Case(
        "store, until it is committed", Claim(.latency, atMost: Goal.committed),
        Claim(.bytesWritten)
      ) { round in try await until(.committed, mailbox, round) },
      Case(
        "store, memory at its height", Claim(.amount(unit: "KiB"), atMost: Goal.memory),
        isSlow: true
      ) { round in
        let folder = try await MailStore.filled(mailbox, in: round.folder)
        return try Sample(amount: Double(Role.markAll.spawn(folder, "\(mailbox.count)")))
      },
    ]
  }

  /// The awaited moment.
  private enum Moment { case shown, committed }

  /// Measures from calling `submit`, in a filled and reopened store.
  private static func until(
    _ moment: Moment, _ mailbox: Mailbox, _ round: Round, _ batch: Batch = MailStore.markAll
  ) async throws -> Sample {
    let folder = try await MailStore.filled(mailbox, in: round.folder)
    let store = try await MailStore.open(folder)
    let told = Told()
    let looking = try [MailReducer.groups, MailReducer.unread].map { view in
      try store.live(view, window: 0..<SQLiteMail.window, countsExactly: true) { _ in
        told.count.add(1, ordering: .releasing)
      }
    }
    let sample = try await round.meter.measure(events: mailbox.count) {
      let receipt = try store.submit(batch)
      switch moment {
      case .shown: while told.count.load(ordering: .acquiring) < looking.count {}
      case .committed:
        try await receipt.durable()
        try await store.commitViews()
      }
      return UInt64(looking.count)
    }
    looking.forEach { $0.end() }
    await store.close()
    return sample
  }

  /// The number of notifications of subscribers.
  private final class Told: Sendable {
    let count = Atomic(0)
  }
}

extension Role {
  static func markAllRead(_ folder: String, _ count: Int) async throws {
    let store = try await MailStore.open(folder)
    let looking = try store.live(MailReducer.unread, window: 0..<SQLiteMail.window) { _ in }
    let height = MemoryHeight()
    try await store.append(MailStore.markAll)
    try await store.commitViews()
    print(height.end().map { "\($0)" } ?? "absent")
    looking.end()
    await store.close()
  }
}
