import BenchmarkHarness
import BenchmarkPeers
import EventStore
import Synchronization
import Tideline

/// The time from the call that marks a message as read until its list has the change set.
enum InboxMark {
  /// The targets: the ratios to the engine with minimal mail, and to a small mailbox.
  private enum Goal {
    static let timesEngine = 2.0
    static let growth = 2.0
  }

  private static let engine = "mark read, a flag of a row and nothing else"
  private static let own = "mark read, as an intent in a thread"

  static func cases(_ setting: Workload.Setting) -> [Case] {
    let sizes = MailSizes.decades(InboxSizes.largest(setting))
    return [sizes[0], sizes[3]].flatMap { size in
      let mailbox = Mailbox(count: size, isAllUnread: true)
      return [
        bare(mailbox, setting), inbox(mailbox, claims(mailbox, Mailbox(count: sizes[0])), setting),
      ]
    }
  }

  private static func claims(_ mailbox: Mailbox, _ smallest: Mailbox) -> [Claim] {
    guard mailbox.count > smallest.count else { return [Claim(.latency)] }
    return [
      Claim(.latency, against: Mark.name(engine, mailbox), .ratioAtMost(Goal.timesEngine)),
      Claim(.latency, against: Mark.name(own, smallest), .ratioAtMost(Goal.growth)),
      Claim(.allocations),
    ]
  }

  /// Returns the case of the mark workload, with the same items.
  private static func bare(_ mailbox: Mailbox, _ setting: Workload.Setting) -> Case {
    let filled = Later { try await MailStore.filled(mailbox, in: setting.folder) }
    return Case(Mark.name(engine, mailbox), Claim(.latency)) { round in
      // After a pause, like an intent whose caller waits for durability.
      try await Mark.untilSynchronous(
        try await filled.value(), mailbox, Mark.turns(setting), round, pausing: true)
    }
  }

  private static func inbox(
    _ mailbox: Mailbox, _ claims: [Claim], _ setting: Workload.Setting
  ) -> Case {
    let mail = InboxMail(mailbox: mailbox)
    let filled = Later {
      try await MailDesk.filled(mail, threads: true, in: setting.folder, "threads")
    }
    return Case(Mark.name(own, mailbox), claims) { round in
      let store = try await used(try await filled.value(), mailbox)
      let sample = try await untilTold(store, mailbox, Mark.turns(setting), round)
      await store.close()
      return sample
    }
  }

  /// Returns a store that has been in use for a while.
  private static func used(_ folder: String, _ mailbox: Mailbox) async throws -> InboxStore {
    let store = try await MailDesk.open(folder)
    let inbox = MailDesk.inbox(of: store)
    for start in stride(from: 0, to: mailbox.count, by: 10_000) {
      _ = try store.core.read { snapshot in
        try snapshot.rows(
          of: ListName(InboxViews.unreadMessages, of: inbox.account),
          in: start..<min(start + 10_000, mailbox.count)
        ).count
      }
    }
    for turn in 0..<min(200, mailbox.count) {
      try await inbox.perform(markRead(turn + 1_000_000, mailbox)).withdraw()
    }
    try await store.core.commitViews()
    return store
  }

  private static func markRead(_ turn: Int, _ mailbox: Mailbox) -> Action {
    .markRead(Message.self, [InboxMail.text(MailSizes.item(turn, of: mailbox).id)])
  }

  /// Measures from calling `perform` until a subscriber on the log's thread has the change set;
  /// withdrawal is untimed.
  private static func untilTold(
    _ store: InboxStore, _ mailbox: Mailbox, _ turns: Int, _ round: Round
  ) async throws -> Sample {
    let inbox = MailDesk.inbox(of: store)
    let told = Mutex((at: ContinuousClock.now, index: -1))
    let live = try store.core.live(
      ListName(InboxViews.unreadMessages, of: inbox.account), window: 0..., holdsRows: false
    ) { change in
      let now = ContinuousClock.now
      told.withLock { $0 = (now, change.set.edits.removals.first?.index ?? -1) }
    }
    let receipts = Mutex<IntentReceipt?>(nil)
    let sample = try await round.meter.measureEach(turns) { turn in
      let receipt = try await inbox.perform(markRead(turn, mailbox))
      receipts.withLock { $0 = receipt }
      return told.withLock { ($0.at, UInt64(bitPattern: Int64($0.index))) }
    } after: { _ in
      try await receipts.withLock { $0 }?.withdraw()
    }
    live.end()
    return sample
  }
}
