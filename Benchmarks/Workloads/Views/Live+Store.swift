import BenchmarkHarness
import BenchmarkPeers
import EventStore
import Synchronization

extension Live {
  /// The maximum ratio of the cost of one change with all windows open to that with one.
  static let growth = 1.5

  /// Returns the claims of the store's own case, whose name begins with `what`.
  static func claims(_ what: String, _ spread: Spread, _ windows: Int) -> [Claim] {
    guard windows > 1 else { return [Claim(.latency)] }
    return [Claim(.latency, against: name(what, spread, 1), .ratioAtMost(growth))]
  }

  /// Returns the store's own cases, with the same windows, for the store in `folder`.
  ///
  /// A single window moves after each turn, so that both cases change the same items.
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

  /// A possible window, and an item that it alone shows.
  private struct Place {
    let item: MailItem
    /// The first index in the window.
    let start: Int
    let width: Int
  }

  /// Returns the places of a number of windows.
  private static func places(_ mailbox: Mailbox, _ spread: Spread, _ count: Int) -> [Place] {
    switch spread {
    case .groups:
      var groups: Set<Int> = []
      let items = (0..<count).map { item($0, mailbox) }
      return items.filter { groups.insert($0.group).inserted }.map {
        Place(item: $0, start: 0, width: SQLiteMail.window)
      }
    case .oneView:
      // Side by side, so that a change affects one of them.
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
    let tell: @Sendable (Change) -> Void = { _ in
      let now = ContinuousClock.now
      told.last.withLock { $0 = (now, $0.count + 1) }
    }
    switch spread {
    case .groups:
      let group = String(decoding: place.item.groupID.text, as: UTF8.self)
      return try store.live(
        ListName(MailReducer.byGroup, group: .text(group)), window: window, holdsRows: false,
        onChange: tell)
    case .oneView:
      return try store.live(
        MailReducer.unread, window: window, holdsRows: false, onChange: tell)
    }
  }

  /// Measures from calling `submitAndShow` until a synchronous subscriber, which itself reads the
  /// clock, has the change set, as for a mark.
  private static func untilTold(
    _ places: [Place], _ spread: Spread, _ windows: Int, _ store: Store, _ round: Round
  ) async throws -> Sample {
    // The stride is coprime with their number, so that each gets its turn.
    func place(_ turn: Int) -> Place { places[turn * 7919 % places.count] }
    let told = Told()
    let open = Mutex(
      try (windows == 1 ? [place(0)] : places).map { try look(at: $0, spread, in: store, told) })
    let sample = try await round.meter.measureEach(200) { turn in
      let item = place(turn).item
      let before = told.last.withLock { $0.count }
      let receipt = try store.submitAndShow(
        spread == .groups ? MailStore.mark(item, isUnread: false) : MailStore.edit(item))
      try await receipt.visible()
      let (end, count) = told.last.withLock { ($0.at, $0.count) }
      return (end, UInt64(count - before))
    } after: { turn in
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

  /// The time of the last notification, and the number of notifications.
  private final class Told: Sendable {
    let last = Mutex((at: ContinuousClock.now, count: 0))
  }
}
