import BenchmarkHarness
import BenchmarkPeers
import EventStore
import Synchronization

extension Mark {
  /// The curve of the store itself: until a synchronous subscriber has the change set.
  static let store = "store, change set with its index"

  /// The same after a pause, when threads sleep and caches hold other data.
  static let pausingStore = store + ", behind a pause"

  /// The length of the pause.
  static let pause = Duration.milliseconds(1)

  /// The time before any view is reached if the log's thread reduces: the way there, the lock, and
  /// the record's page.
  static let reached = "store, until the log's thread has the event"

  /// The targets at the largest view.
  enum Goal {
    /// The maximum microseconds from calling `append` until a synchronous subscriber has the change
    /// set.
    static let latency = 8.0
    /// The maximum microseconds until the asynchronous sequence returns it.
    static let asynchronousLatency = 25.0
    /// The maximum ratio of the cost in the largest view to that in the smallest.
    static let growth = 2.0
    /// The maximum ratio of the p99 to the p50.
    static let unevenness = 5.0
    /// The minimum ratios to SQLite's speed: day buckets, COUNT, and all again and compared.
    static let timesDays = 5.0, timesCount = 1000.0, timesDiff = 10_000.0
    /// The maximum ratio of a durable change to a commit of raw LMDB.
    static let durable = 1.3
    /// The maximum bytes written to log and views for each of ``together`` changes.
    static let bytesTogether = 20_000.0
  }

  /// Returns the claims of the case on the curve `store`.
  static func claims(_ mailbox: Mailbox, _ setting: Workload.Setting) -> [Claim] {
    guard mailbox.count == setting.size else { return [Claim(.latency)] }
    let smallest = Mailbox(count: MailSizes.decades(setting.size)[0])
    return [
      Claim(.latency, atMost: Goal.latency),
      Claim(.latency, against: name(store, smallest), .ratioAtMost(Goal.growth)),
      Claim(.latency, against: name(days, mailbox), .ratioAtMost(1 / Goal.timesDays)),
      Claim(.latency, against: name(count, mailbox), .ratioAtMost(1 / Goal.timesCount)),
      Claim(.latency, against: name(diff, mailbox), .ratioAtMost(1 / Goal.timesDiff)),
      Claim(.unevenness, atMost: Goal.unevenness), Claim(.bytesWritten), Claim(.allocations),
    ]
  }

  /// Returns the claims of the case on the curve `pausingStore`.
  static func pausingClaims(_ mailbox: Mailbox, _ setting: Workload.Setting) -> [Claim] {
    guard mailbox.count == setting.size else { return [Claim(.latency)] }
    return [
      Claim(.latency, atMost: Goal.latency),
      Claim(.latency, against: name(pausingDays, mailbox), .ratioAtMost(1 / Goal.timesDays)),
    ]
  }

  /// Returns the claims of the case that waits for durability.
  static func durableClaims(_ mailbox: Mailbox) -> [Claim] {
    [Claim(.latency, against: name(rawSync, mailbox), .ratioAtMost(Goal.durable))]
  }

  /// Returns the store's own cases, with the same items: each a `point` of role `.own`, so that it
  /// is drawn.
  static func own(_ mailbox: Mailbox, _ setting: Workload.Setting) async throws -> [Case] {
    let folder = try await MailStore.filled(mailbox, in: setting.folder)
    let turns = turns(setting)
    return [
      point(reached, .limit, mailbox, [Claim(.latency)]) { round in
        try await untilReached(folder, mailbox, turns, round)
      },
      point(store, .own, mailbox, claims(mailbox, setting)) { round in
        try await untilSynchronous(folder, mailbox, turns, round)
      },
      point(pausingStore, .own, mailbox, pausingClaims(mailbox, setting)) { round in
        try await untilSynchronous(folder, mailbox, turns, round, pausing: true)
      },
      point("store, out of the sequence", .own, mailbox, sequenceClaims(mailbox, setting)) {
        round in
        try await untilTaken(folder, mailbox, turns, round)
      },
      point("store, durable", .own, mailbox, durableClaims(mailbox)) { round in
        try await untilDurable(folder, mailbox, turns, round)
      },
    ] + together(folder, mailbox, setting)
  }

  /// Returns a store that has been in use for a while: its list was read, as SQLite's was, and
  /// items other than the measured ones were marked.
  private static func used(_ folder: String, _ mailbox: Mailbox) async throws -> Store {
    let store = try await MailStore.open(folder)
    _ = try store.read { try $0.rows(of: MailReducer.unread, in: 0..<mailbox.count) }.count
    for isUnread in [false, true] {
      let receipts = try (0..<min(2000, mailbox.count)).map { turn in
        try store.submit(
          MailStore.mark(MailSizes.item(turn + 1_000_000, of: mailbox), isUnread: isUnread))
      }
      for receipt in receipts { try await receipt.visible() }
    }
    try await store.commitViews()
    return store
  }

  /// Measures from calling `submitAndShow` until a synchronous subscriber has the change set.
  ///
  /// The next turn follows at once, as for the peers, or after a pause.
  ///
  /// The subscriber reads the clock itself: a caller that polled for a notification on another
  /// thread would take one of two cores from the working threads.
  static func untilSynchronous(
    _ folder: String, _ mailbox: Mailbox, _ turns: Int, _ round: Round, pausing: Bool = false
  ) async throws -> Sample {
    let store = try await used(folder, mailbox)
    let told = Mutex((at: ContinuousClock.now, index: -1))
    let live = try store.live(MailReducer.unread, window: 0..., holdsRows: false) { change in
      let now = ContinuousClock.now
      told.withLock { $0 = (now, change.set.edits.removals.first?.index ?? -1) }
    }
    let sample = try await round.meter.measureEach(turns) { turn in
      let receipt = try store.submitAndShow(
        MailStore.mark(MailSizes.item(turn, of: mailbox), isUnread: false))
      try await receipt.visible()
      return told.withLock { ($0.at, UInt64(bitPattern: Int64($0.index))) }
    } after: { turn in
      let receipt = try store.submitAndShow(
        MailStore.mark(MailSizes.item(turn, of: mailbox), isUnread: true))
      try await receipt.visible()
      if pausing { try await Task.sleep(for: pause) }
    }
    live.end()
    await store.close()
    return sample
  }

  /// Measures from calling `submit` until the reducer is called, for an event without effects.
  private static func untilReached(
    _ folder: String, _ mailbox: Mailbox, _ turns: Int, _ round: Round
  ) async throws -> Sample {
    let store = try await used(folder, mailbox)
    let sample = try await round.meter.measureEach(turns) { turn in
      let receipt = try store.submit(MailStore.probe)
      try await receipt.visible()
      try await receipt.durable()
      return (MailReducer.reached.withLock { $0 }, UInt64(turn))
    } after: { _ in
    }
    await store.close()
    return sample
  }

  /// Measures from calling `submitAndShow` until the asynchronous sequence returns the change set.
  private static func untilTaken(
    _ folder: String, _ mailbox: Mailbox, _ turns: Int, _ round: Round
  ) async throws -> Sample {
    let store = try await used(folder, mailbox)
    let live = try store.live(MailReducer.unread, window: 0..., holdsRows: false)
    let changes = Mutex(live.changes.makeAsyncIterator())
    let sample = try await round.meter.measureEach(turns, operations: 1) { turn in
      _ = try store.submitAndShow(
        MailStore.mark(MailSizes.item(turn, of: mailbox), isUnread: false))
      var iterator = changes.withLock { $0 }
      let change = await iterator.next()
      return UInt64(change?.set.edits.removals.first?.index ?? 0)
    } after: { turn in
      _ = try store.submitAndShow(
        MailStore.mark(MailSizes.item(turn, of: mailbox), isUnread: true))
      var iterator = changes.withLock { $0 }
      _ = await iterator.next()
    }
    live.end()
    await store.close()
    return sample
  }

  private static func untilDurable(
    _ folder: String, _ mailbox: Mailbox, _ turns: Int, _ round: Round
  ) async throws -> Sample {
    let store = try await used(folder, mailbox)
    let live = try store.live(MailReducer.unread, window: 0..<50) { _ in }
    let sample = try await round.meter.measureEach(turns, operations: 1) { turn in
      try await store.append(MailStore.mark(MailSizes.item(turn, of: mailbox), isUnread: false))
      return UInt64(turn)
    } after: { turn in
      try await store.append(MailStore.mark(MailSizes.item(turn, of: mailbox), isUnread: true))
    }
    live.end()
    await store.close()
    return sample
  }

  private static func sequenceClaims(_ mailbox: Mailbox, _ setting: Workload.Setting) -> [Claim] {
    guard mailbox.count == setting.size else { return [Claim(.latency)] }
    return [Claim(.latency, atMost: Goal.asynchronousLatency)]
  }
}
