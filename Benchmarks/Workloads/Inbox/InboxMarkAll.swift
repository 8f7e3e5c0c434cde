import BenchmarkHarness
import BenchmarkPeers
import EventStore
import Synchronization
import Tideline

/// The time until a list shows that everything was read: first its first change set, and then all.
enum InboxMarkAll {
  /// The maximum microseconds until the first change set.
  private static let limit = 50_000.0

  static func cases(_ setting: Workload.Setting) -> [Case] {
    let mailbox = Mailbox(count: setting.size, isAllUnread: true)
    let filled = Later {
      try await MailDesk.filled(InboxMail(mailbox: mailbox), in: setting.folder, "unread")
    }
    let name = "mark all read, \(grouped(setting.size)) messages"
    return [
      Case(
        "\(name), until the first change set", Claim(.latency, atMost: limit), Claim(.bytesWritten)
      ) { round in
        try await sample(try await filled.value(), mailbox.count, round) { $1 < $0 }
      },
      Case("\(name), until none is left", Claim(.latency)) { round in
        try await sample(try await filled.value(), mailbox.count, round) { $1 == 0 }
      },
    ]
  }

  /// Marks everything in a filled store, and returns when a live list has reported the awaited
  /// state.
  private static func sample(
    _ folder: String, _ count: Int, _ round: Round,
    until isTold: @escaping @Sendable (_ count: Int, _ left: Int) -> Bool
  ) async throws -> Sample {
    let store = try await MailDesk.open(folder)
    let sample = try await untilTold(MailDesk.inbox(of: store), count, round) { isTold(count, $0) }
    await store.close()
    return sample
  }

  private static func untilTold(
    _ inbox: Inbox, _ count: Int, _ round: Round, _ isTold: @escaping @Sendable (Int) -> Bool
  ) async throws -> Sample {
    let told = Mutex<(at: ContinuousClock.Instant, left: Int)?>(nil)
    let live = try inbox.store.core.live(
      ListName(InboxViews.unreadMessages, of: inbox.account), window: 0..<50, countsExactly: true
    ) { change in
      let now = ContinuousClock.now
      let left = change.total ?? -1
      told.withLock { if $0 == nil, isTold(left) { $0 = (now, left) } }
    }
    let receipts = Mutex<IntentReceipt?>(nil)
    let sample = try await round.meter.measureEach(1, events: count) { _ in
      let receipt = try await inbox.perform(.markAllRead(Message.self))
      receipts.withLock { $0 = receipt }
      guard let told = told.withLock({ $0 }) else { throw Untold() }
      return (told.at, UInt64(bitPattern: Int64(told.left)))
    } after: { _ in
    }
    live.end()
    try await receipts.withLock { $0 }?.withdraw()
    return sample
  }
}

/// The error that no change set reported the awaited state.
private struct Untold: Error {}
