import BenchmarkHarness
import BenchmarkPeers

extension Mark {
  /// The curve of the store's own: until a synchronous subscriber has the change set.
  static let store = "store, change set with its index"

  /// What has to hold at the largest view.
  enum Goal {
    /// Microseconds from calling `append` until a synchronous subscriber has the change set.
    static let latency = 8.0
    /// Microseconds until it has come out of the asynchronous sequence.
    static let asynchronousLatency = 25.0
    /// The cost in the largest view against that in the smallest.
    static let growth = 2.0
    /// The p99 against the p50.
    static let unevenness = 5.0
    /// How many times as fast as SQLite: by day buckets, COUNT, and all again and compared.
    static let timesDays = 5.0, timesCount = 1000.0, timesDiff = 10_000.0
    /// Until it is durable, against a commit of raw LMDB.
    static let durable = 1.3
  }

  /// What the case on the curve `store` claims.
  static func claims(_ mailbox: Mailbox, _ setting: Workload.Setting) -> [Claim] {
    guard mailbox.count == setting.size else { return [Claim(.latency)] }
    let smallest = Mailbox(count: MailSizes.decades(setting.size)[0])
    return [
      Claim(.latency, atMost: Goal.latency),
      Claim(.latency, against: name(store, smallest), .ratioAtMost(Goal.growth)),
      Claim(.latency, against: name(days, mailbox), .ratioAtMost(1 / Goal.timesDays)),
      Claim(.latency, against: name(count, mailbox), .ratioAtMost(1 / Goal.timesCount)),
      Claim(.latency, against: name(diff, mailbox), .ratioAtMost(1 / Goal.timesDiff)),
      Claim(.unevenness, atMost: Goal.unevenness), Claim(.bytesWritten),
    ]
  }

  /// What the case claims that waits until the change is durable.
  static func durableClaims(_ mailbox: Mailbox) -> [Claim] {
    [Claim(.latency, against: name(rawSync, mailbox), .ratioAtMost(Goal.durable))]
  }

  /// The store's own cases, by the same items: each a `point` of role `.own`, so that it is drawn.
  static func own(_ mailbox: Mailbox, _ setting: Workload.Setting) async throws -> [Case] {
    []
  }
}
