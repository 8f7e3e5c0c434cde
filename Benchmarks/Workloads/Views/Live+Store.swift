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
  ///
  /// The one window is moved to another place after each turn, so that both cases change the same
  /// items.
  static func own(
    _ mailbox: Mailbox, _ spread: Spread, _ windows: Int, _ folder: String,
    _ setting: Workload.Setting
  ) -> [Case] {
    let what = "store"
    return [
      Case(name(what, spread, windows), claims(what, spread, windows)) { round in
        let store = try await MailStore.open(folder, MailReducer(isByGroup: true))
        let places = places(mailbox, spread, setting.size / 10)
        let sample = try await untilTold(places, spread, windows, store, round)
        await store.close()
        return sample
      }
    ]
  }

  /// A window that may be opened, and an item that it alone shows.
  private struct Place {
    let item: MailItem
    /// The first index that it shows.
    let start: Int
    let width: Int
  }

  /// The places of so many windows.
  private static func places(_ mailbox: Mailbox, _ spread: Spread, _ count: Int) -> [Place] {
    switch spread {
    case .groups:
      var groups: Set<Int> = []
      let items = (0..<count).map { item($0, mailbox) }
      return items.filter { groups.insert($0.group).inserted }.map {
        Place(item: $0, start: 0, width: SQLiteMail.window)
      }
    case .oneView:
      // Side by side, so that one change touches one of them.
      let sorted = (0..<mailbox.count).map { mailbox[$0] }.sorted { $0.key < $1.key }
      let width = min(mailbox.count / count, SQLiteMail.window)
      return (0..<count).map {
        Place(item: sorted[$0 * width + width / 2], start: $0 * width, width: width)
      }
    }
  }

  private static func look(
    at place: Place, _ spread: Spread, in store: Store, _ told: Told
  ) throws -> LiveView {
    let window = place.start..<(place.start + place.width)
    let tell: @Sendable (Change) -> Void = { _ in told.count.add(1, ordering: .releasing) }
    switch spread {
    case .groups:
      return try store.live(
        MailReducer.byGroup, group: String(decoding: place.item.groupID.text, as: UTF8.self),
        window: window, holdsRows: false, onChange: tell)
    case .oneView:
      return try store.live(
        MailReducer.unread, window: window, holdsRows: false, onChange: tell)
    }
  }

  /// From calling `submit` until a subscriber on the log's thread has the change set.
  private static func untilTold(
    _ places: [Place], _ spread: Spread, _ windows: Int, _ store: Store, _ round: Round
  ) async throws -> Sample {
    // A stride that has no factor in common with their number, so that each gets its turn.
    func place(_ turn: Int) -> Place { places[turn * 7919 % places.count] }
    let told = Told()
    let open = Mutex(
      try (windows == 1 ? [place(0)] : places).map { try look(at: $0, spread, in: store, told) })
    let receipts = Mutex<Receipt?>(nil)
    let sample = try await round.meter.measureEach(200, operations: 1) { turn in
      let item = place(turn).item
      let before = told.count.load(ordering: .acquiring)
      let receipt = try store.submit(
        spread == .groups ? MailStore.mark(item, isUnread: false) : MailStore.edit(item))
      while told.count.load(ordering: .acquiring) == before {}
      receipts.withLock { $0 = receipt }
      return 1
    } after: { turn in
      try await receipts.withLock { $0 }?.durable()
      if spread == .groups {
        try await store.append(MailStore.mark(place(turn).item, isUnread: true))
      }
      guard windows == 1 else { return }
      let next = try look(at: place(turn + 1), spread, in: store, told)
      open.withLock { $0 = [next] }
    }
    open.withLock { $0.forEach { $0.end() } }
    return sample
  }

  /// How often subscribers were told.
  private final class Told: Sendable {
    let count = Atomic(0)
  }
}
