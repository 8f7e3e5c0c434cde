import BenchmarkHarness
import BenchmarkPeers
import EventStore
import Synchronization

extension Ingest {
  /// The targets, at a tenth of the real size and at the real size.
  enum Goal {
    /// The minimum ratio of the rate to that of the log alone.
    static let random = (tenth: 0.25, whole: 0.14)
    static let newestFirst = 0.5
    /// The minimum ratio to SQLite's rate, in random order.
    static let timesSQLite = (tenth: 8.0, whole: 10.0)
    /// The maximum bytes written per item.
    static let randomBytes = (tenth: 1000.0, whole: 3900.0)
    static let newestFirstBytes = 1050.0
    /// The minimum ratio of the rate at the real size to that at a tenth of it, newest first.
    static let growth = 0.7
    /// The maximum ratio of the last tenth of the batches to the first, at the real size.
    static let slowdown = 2.5
  }

  /// Returns the name of the store's own case.
  static func store(_ mailbox: Mailbox) -> String { name("store", mailbox) }

  /// Returns the claims of that case.
  static func claims(_ mailbox: Mailbox, _ setting: Workload.Setting) -> [Claim] {
    let isWhole = mailbox.count == setting.size
    let always = [
      Claim(.latency), isWhole ? Claim(.slowdown, atMost: Goal.slowdown) : Claim(.slowdown),
    ]
    switch mailbox.order {
    case .random: return always + randomClaims(mailbox, isWhole)
    case .newestFirst: return always + newestFirstClaims(mailbox, isWhole, setting)
    }
  }

  private static func randomClaims(_ mailbox: Mailbox, _ isWhole: Bool) -> [Claim] {
    let sqlite = sqliteName(window, mailbox, upTo: windowCap)
    let (rate, times) =
      isWhole
      ? (Goal.random.whole, Goal.timesSQLite.whole) : (Goal.random.tenth, Goal.timesSQLite.tenth)
    let bytes = isWhole ? Goal.randomBytes.whole : Goal.randomBytes.tenth
    return [
      Claim(.rate, against: log(mailbox), .ratioAtLeast(rate)),
      Claim(.rate, against: sqlite, .ratioAtLeast(times)),
      Claim(.bytesWritten, atMost: bytes),
    ]
  }

  private static func newestFirstClaims(
    _ mailbox: Mailbox, _ isWhole: Bool, _ setting: Workload.Setting
  ) -> [Claim] {
    let claims = [
      Claim(.rate, against: log(mailbox), .ratioAtLeast(Goal.newestFirst)),
      Claim(.bytesWritten, atMost: Goal.newestFirstBytes),
    ]
    guard isWhole else { return claims }
    let tenth = Mailbox(count: setting.size / 10, order: .newestFirst)
    return claims + [Claim(.rate, against: store(tenth), .ratioAtLeast(Goal.growth))]
  }

  /// Returns the store's own cases, with the same items.
  static func own(_ mailbox: Mailbox, _ setting: Workload.Setting) async throws -> [Case] {
    [
      Case(store(mailbox), claims(mailbox, setting)) { round in
        try await take(mailbox, round)
      }
    ]
  }

  /// Ingests all items with both views live, until everything is in the files.
  private static func take(_ mailbox: Mailbox, _ round: Round) async throws -> Sample {
    let store = try await MailStore.open(round.folder)
    let told = Atomic<UInt64>(0)
    let looking = try [MailReducer.groups, MailReducer.unread].map { view in
      try store.live(view, window: 0..<SQLiteMail.window, countsExactly: true) { change in
        told.wrappingAdd(UInt64(change.set.newCount), ordering: .relaxed)
      }
    }
    let (payload, batches) = (MailPayload(), MailSizes.batches(mailbox.count))
    var receipts: [Receipt] = []
    let sample = try await round.meter.measureEach(batches.count, events: mailbox.count) { index in
      receipts.append(try store.submit(MailStore.batch(mailbox, batches[index], payload)))
      if index >= MailStore.inFlight {
        let earlier = receipts[index - MailStore.inFlight]
        try await earlier.visible()
        try await earlier.durable()
      }
      if index == batches.count - 1 {
        for receipt in receipts.suffix(MailStore.inFlight) { try await receipt.durable() }
        try await store.commitViews()
      }
      return UInt64(index)
    }
    looking.forEach { $0.end() }
    await store.close()
    return sample
  }
}
