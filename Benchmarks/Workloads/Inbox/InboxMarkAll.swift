import BenchmarkHarness
import BenchmarkPeers
import EventStore
import Synchronization
import Tideline

/// How long it takes until lists show that everything was read.
enum InboxMarkAll {
  /// Microseconds until the first change set.
  private static let limit = 50_000.0

  static func cases(_ setting: Workload.Setting) -> [Case] {
    let mailbox = Mailbox(count: setting.size, isAllUnread: true)
    let filled = Later {
      try await MailDesk.filled(InboxMail(mailbox: mailbox), in: setting.folder, "unread")
    }
    let name = "mark all read, \(grouped(setting.size)) messages, until the first change set"
    return [
      Case(name, Claim(.latency, atMost: limit), Claim(.bytesWritten)) { round in
        let store = try await MailDesk.open(try await filled.value())
        let sample = try await untilTold(MailDesk.inbox(of: store), mailbox.count, round)
        await store.close()
        return sample
      }
    ]
  }

  private static func untilTold(
    _ inbox: Inbox, _ count: Int, _ round: Round
  ) async throws -> Sample {
    let told = Mutex((at: ContinuousClock.now, left: -1))
    let live = try inbox.store.core.live(
      InboxViews.unreadMessages, group: Int64(inbox.account), window: 0..<50, countsExactly: true
    ) { change in
      let now = ContinuousClock.now
      told.withLock { $0 = (now, change.set.newCount) }
    }
    let receipts = Mutex<IntentReceipt?>(nil)
    let sample = try await round.meter.measureEach(1, events: count) { _ in
      let receipt = try await inbox.perform(.markAllRead(Message.self))
      receipts.withLock { $0 = receipt }
      return told.withLock { ($0.at, UInt64(bitPattern: Int64($0.left))) }
    } after: { _ in
    }
    live.end()
    try await receipts.withLock { $0 }?.withdraw()
    return sample
  }
}
