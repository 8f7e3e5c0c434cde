import BenchmarkHarness
import BenchmarkPeers
import EventStore
import Synchronization

extension Live {
  /// What one change may cost with all windows open, against one.
  static let growth = 1.5

  /// What the store's own case claims, whose name begins with `what`.
  static func claims(_ what: String, _ spread: Spread, _ windows: Int) -> [Claim] {
    guard windows > 1 else { return [Claim(.latency)] }
    return [Claim(.latency, against: name(what, spread, 1), .ratioAtMost(growth))]
  }

  /// The store's own cases, with the same windows, of the store in `folder`.
  static func own(
    _ mailbox: Mailbox, _ spread: Spread, _ windows: Int, _ folder: String
  ) -> [Case] {
    let what = "store"
    return [
      Case(name(what, spread, windows), claims(what, spread, windows)) { round in
        let store = try await MailStore.open(folder, MailReducer(isByGroup: true))
        let told = Told()
        let shown = try look(mailbox, spread, windows, store, told)
        let sample = try await untilTold(mailbox, shown, spread, store, told, round)
        await store.close()
        return sample
      }
    ]
  }

  /// The windows that somebody looks at, each with an item that it alone shows.
  private struct Shown {
    let windows: [LiveView]
    let items: [MailItem]
  }

  /// Opens the windows.
  private static func look(
    _ mailbox: Mailbox, _ spread: Spread, _ windows: Int, _ store: Store, _ told: Told
  ) throws -> Shown {
    let tell: @Sendable (Change) -> Void = { _ in told.count.add(1, ordering: .releasing) }
    switch spread {
    case .groups:
      var groups: Set<Int> = []
      let items = (0..<windows).map { item($0, mailbox) }.filter {
        groups.insert($0.group).inserted
      }
      let views = try items.map { item in
        try store.live(
          MailReducer.byGroup, group: String(decoding: item.groupID.text, as: UTF8.self),
          window: 0..<SQLiteMail.window, holdsRows: false, onChange: tell)
      }
      return Shown(windows: views, items: items)
    case .oneView:
      // Side by side, so that one change touches one of them.
      let sorted = (0..<mailbox.count).map { mailbox[$0] }.sorted { $0.key < $1.key }
      let width = min(mailbox.count / windows, SQLiteMail.window)
      let starts = (0..<windows).map { $0 * width }
      let views = try starts.map { start in
        try store.live(
          MailReducer.unread, window: start..<(start + width), holdsRows: false, onChange: tell)
      }
      return Shown(windows: views, items: starts.map { sorted[$0 + width / 2] })
    }
  }

  /// From calling `submit` until a subscriber on the log's thread has the change set.
  private static func untilTold(
    _ mailbox: Mailbox, _ shown: Shown, _ spread: Spread, _ store: Store, _ told: Told,
    _ round: Round
  ) async throws -> Sample {
    let receipts = Mutex<Receipt?>(nil)
    let sample = try await round.meter.measureEach(200, operations: 1) { turn in
      // A stride that has no factor in common with their number, so that each gets its turn.
      let item = shown.items[turn * 7919 % shown.items.count]
      let before = told.count.load(ordering: .acquiring)
      let batch =
        spread == .groups ? MailStore.mark(item, isUnread: false) : MailStore.edit(item)
      let receipt = try store.submit(batch)
      while told.count.load(ordering: .acquiring) == before {}
      receipts.withLock { $0 = receipt }
      return 1
    } after: { turn in
      try await receipts.withLock { $0 }?.durable()
      guard spread == .groups else { return }
      let item = shown.items[turn * 7919 % shown.items.count]
      try await store.append(MailStore.mark(item, isUnread: true))
    }
    shown.windows.forEach { $0.end() }
    return sample
  }

  /// How often subscribers were told.
  private final class Told: Sendable {
    let count = Atomic(0)
  }
}
