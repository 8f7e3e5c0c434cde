import BenchmarkHarness
import BenchmarkPeers

extension Ingest {
  /// What has to hold, at a tenth of the real size and at the real size.
  enum Goal {
    /// The rate against the log's alone.
    static let random = (tenth: 0.25, whole: 0.14)
    static let newestFirst = 0.5
    /// How many times SQLite's rate, in random order.
    static let timesSQLite = (tenth: 8.0, whole: 10.0)
    /// Bytes written for each item.
    static let randomBytes = (tenth: 1000.0, whole: 3900.0)
    static let newestFirstBytes = 1050.0
    /// The rate at the real size against that at a tenth of it, newest first.
    static let growth = 0.7
    /// The last tenth of the batches against the first, at the real size.
    static let slowdown = 2.5
  }

  /// The name of the store's own case.
  static func store(_ mailbox: Mailbox) -> String { name("store", mailbox) }

  /// What that case claims.
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

  /// The store's own cases, with the same items.
  static func own(_ mailbox: Mailbox, _ setting: Workload.Setting) async throws -> [Case] {
    []
  }
}
