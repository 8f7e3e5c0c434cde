import BenchmarkHarness
import BenchmarkPeers
import EventStore
import Synchronization

extension Mark {
  /// The curve of the store's own: until a synchronous subscriber has the change set.
  static let store = "store, change set with its index"

  /// The same where nothing was done for a while, so that threads sleep and caches are others'.
  static let pausingStore = store + ", behind a pause"

  /// How long nothing is done.
  static let pause = Duration.milliseconds(1)

  /// What would come before any view, if the log's thread reduced: the way there, the lock, and the
  /// record's page.
  static let reached = "store, until the log's thread has the event"

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
    /// Bytes written for each of ``together`` changes, log and views.
    static let bytesTogether = 20_000.0
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
      Claim(.unevenness, atMost: Goal.unevenness), Claim(.bytesWritten), Claim(.allocations),
    ]
  }

  /// What the case on the curve `pausingStore` claims.
  static func pausingClaims(_ mailbox: Mailbox, _ setting: Workload.Setting) -> [Claim] {
    guard mailbox.count == setting.size else { return [Claim(.latency)] }
    return [
      Claim(.latency, atMost: Goal.latency),
      Claim(.latency, against: name(pausingDays, mailbox), .ratioAtMost(1 / Goal.timesDays)),
    ]
  }

  /// What the case claims that waits until the change is durable.
  static func durableClaims(_ mailbox: Mailbox) -> [Claim] {
    [Claim(.latency, against: name(rawSync, mailbox), .ratioAtMost(Goal.durable))]
  }

  /// The store's own cases, by the same items: each a `point` of role `.own`, so that it is drawn.
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

  /// A store that has been in use for a while: its list was read, as that of SQLite was, and items
  /// were marked, other ones than those that are going to be.
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

  /// From calling `submitAndShow` until a synchronous subscriber has the change set.
  ///
  /// The next comes at once, as it does to the peers, or behind a pause.
  ///
  /// The subscriber looks at the clock itself: where it is told on another thread, a caller that
  /// watched for it would take one of two cores from the threads that do the work.
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

  /// From calling `submit` until the reducer is called, for an event that changes nothing.
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

  /// From calling `submitAndShow` until the change set has come out of the asynchronous sequence.
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
