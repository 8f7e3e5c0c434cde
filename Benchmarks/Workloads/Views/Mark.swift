import BenchmarkHarness
import BenchmarkPeers

/// The time until the effect of one change on the view is known: the place that was left.
///
/// A random item of a view is marked as read; marking it unread again is untimed.
enum Mark {
  static let workload = Workload(
    "mark", "one item marked read at a random place of a view", smoke: 10_000, real: 1_000_000
  ) { setting in
    var cases: [Case] = []
    for size in MailSizes.decades(setting.size) {
      let mailbox = Mailbox(count: size, isAllUnread: true)
      let turns = turns(setting)
      cases += [array(mailbox, turns)]
      cases += [raw(.noSync, mailbox, setting), raw(.sync, mailbox, setting)]
      cases += try peers(mailbox, setting)
      cases += try await own(mailbox, setting)
    }
    return cases
  }

  /// Returns the number of changes per round.
  static func turns(_ setting: Workload.Setting) -> Int { setting.size < 100_000 ? 20 : 200 }

  /// Returns the name of a case: the system, and the size of the view.
  static func name(_ curve: String, _ mailbox: Mailbox) -> String {
    "\(MailSizes.name(mailbox.count)): \(curve)"
  }

  /// Returns a case with a point on a curve of the chart.
  static func point(
    _ curve: String, _ role: CurvePoint.Role, _ mailbox: Mailbox, _ claims: [Claim],
    run: @escaping (Round) async throws -> Sample
  ) -> Case {
    let point = CurvePoint(curve, role, at: mailbox.count)
    return Case(name(curve, mailbox), claims, at: point, run: run)
  }

  /// Measures rank and erase in memory.
  private static func array(_ mailbox: Mailbox, _ turns: Int) -> Case {
    let together = min(64, mailbox.count)
    var views: CountedViews?
    return point("counted array", .limit, mailbox, [Claim(.latency)]) { round in
      var shown = views ?? CountedViews(mailbox)
      views = nil
      defer { views = shown }
      func items(_ turn: Int) -> Range<Int> {
        let first = MailSizes.item(turn, of: mailbox).number % (mailbox.count - together + 1)
        return first..<(first + together)
      }
      return await round.meter.measureEach(turns, operations: together) { turn in
        items(turn).reduce(0) { $0 &+ UInt64(shown.markRead(mailbox[$1])) }
      } after: { turn in
        for number in items(turn) { shown.markUnread(mailbox[number]) }
      }
    }
  }

  /// Measures commits of one record, after as many records as in the store's log: the least for any
  /// log on LMDB.
  private static func raw(
    _ durability: RawLMDB.Durability, _ mailbox: Mailbox, _ setting: Workload.Setting
  ) -> Case {
    let curve = durability == .sync ? rawSync : "raw LMDB, commit without sync"
    let payload = MailPayload()
    let filled = Once {
      let folder = try TemporaryFolder.made(
        in: setting.folder, "raw-\(durability)-\(mailbox.count)")
      let store = try RawLMDB(in: folder, durability)
      for batch in MailSizes.batches(mailbox.count) {
        _ = try store.append(mailbox, batch, payload)
      }
      return store
    }
    return point(curve, .limit, mailbox, [Claim(.latency)]) { round in
      let store = try filled.value()
      return try await round.meter.measureEach(turns(setting)) { turn in
        _ = try store.append(mailbox, 0..<1, payload)
        return UInt64(turn)
      }
    }
  }

  /// The case that durable cases are compared with.
  static let rawSync = "raw LMDB, commit with sync"
}
