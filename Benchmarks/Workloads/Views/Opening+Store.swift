import BenchmarkHarness
import BenchmarkPeers
import EventStore
import Processes

extension Opening {
  /// The maximum milliseconds of a new process at the real size.
  enum Goal {
    /// From opening the store until the first rows and their count are available.
    static let open = (warm: 3.0, evicted: 6.0)
    /// Reading the rows and the count alone.
    static let firstRows = (warm: 0.2, evicted: 1.0)
    /// A subsequent rank.
    static let rank = (warm: 0.05, evicted: 0.3)
    /// The maximum ratio of each to that at a tenth of the size.
    static let growth = 1.5
  }

  /// Returns the store's own cases, in which a child opens the store in `folder` and prints times.
  static func own(
    _ mailbox: Mailbox, _ state: PageCache.State, _ folder: Once<String>,
    _ setting: Workload.Setting
  ) -> [Case] {
    let limits = [
      ("store", Goal.open), ("store, the rows and the count alone", Goal.firstRows),
      ("store, a rank then", Goal.rank),
    ]
    return limits.enumerated().map { place, limit in
      let (what, goal) = limit
      let most = state == .warm ? goal.warm : goal.evicted
      return opened(
        what, .openStore, folder, mailbox.count, state, figure: place,
        claims(what, atMost: most, mailbox, state, setting))
    }
  }

  private static func claims(
    _ what: String, atMost limit: Double, _ mailbox: Mailbox, _ state: PageCache.State,
    _ setting: Workload.Setting
  ) -> [Claim] {
    let metric = Metric.amount(unit: "ms")
    guard mailbox.count == setting.size else { return [Claim(metric)] }
    let tenth = name(what, setting.size / 10, state)
    return [
      Claim(metric, atMost: limit), Claim(metric, against: tenth, .ratioAtMost(Goal.growth)),
    ]
  }
}

extension Opening {
  /// Shows the list and closes the store properly, as an earlier process would, which notes the
  /// first rows.
  static func show(_ folder: String) async throws {
    let store = try await MailStore.open(folder)
    let live = try store.live(MailReducer.unread, window: 0..<SQLiteMail.window) { _ in }
    await store.close()
    live.end()
  }
}

extension Role {
  /// Prints three times: until the first rows and their count are available, for these alone, and
  /// for a subsequent rank.
  static func openStore(_ folder: String, _ count: Int) async throws {
    let middle = String(decoding: middleKeys(of: Mailbox(count: count))[0].id.text, as: UTF8.self)
    var stopwatch = Stopwatch()
    let store = try await MailStore.open(folder)
    stopwatch.lap()
    let sum = try store.read { snapshot in
      try snapshot.rows(of: MailReducer.unread, in: 0..<SQLiteMail.window).count
        + snapshot.count(of: MailReducer.unread)
    }
    stopwatch.lap()
    let rank = try store.read { try $0.index(of: middle, in: MailReducer.unread) }
    stopwatch.lap()
    guard sum > 0, rank != nil else { throw Failure(role: .openStore, end: .status(1)) }
    stopwatch.joinFirst()
    print(stopwatch.text)
    await store.close()
  }
}
