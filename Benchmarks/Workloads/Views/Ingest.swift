import BenchmarkHarness
import BenchmarkPeers
import Foundation

/// The rate of ingesting items with both views visible, in batches of 500, each made durable.
enum Ingest {
  static let workload = Workload(
    "ingest", "items in batches of \(MailSizes.batch), two views kept up with each",
    smoke: 10_000, real: 1_000_000, rounds: 3
  ) { setting in
    var cases: [Case] = []
    for order in [Mailbox.Order.random, .newestFirst] {
      for size in MailSizes.two(setting.size) {
        let mailbox = Mailbox(count: size, order: order)
        cases += [data(mailbox), memory(mailbox), logAlone(mailbox)]
        cases += peers(mailbox, setting)
        cases += try await own(mailbox, setting)
      }
    }
    return cases + [sqliteMemory(setting)]
  }

  /// Returns the name of a case: the items, and what ingests them.
  static func name(_ what: String, _ mailbox: Mailbox) -> String {
    "\(MailSizes.name(mailbox.count)) \(mailbox.order.rawValue): \(what)"
  }

  /// Returns the case that all others are compared with.
  static func log(_ mailbox: Mailbox) -> String { name("log alone", mailbox) }

  /// Measures the making of the items, which is part of every case.
  private static func data(_ mailbox: Mailbox) -> Case {
    Case(name("making the items", mailbox), Claim(.rate)) { round in
      let payload = MailPayload()
      return await round.meter.measure(events: mailbox.count) {
        (0..<mailbox.count).reduce(0) { $0 &+ payload.digest(of: mailbox[$1]) }
      }
    }
  }

  private static func memory(_ mailbox: Mailbox) -> Case {
    Case(name("counted arrays in memory", mailbox), Claim(.rate)) { round in
      var views = CountedViews(groupCount: mailbox.groupCount)
      let batches = MailSizes.batches(mailbox.count)
      return await round.meter.measureEach(batches.count, events: mailbox.count) { index in
        let edits = views.ingest(mailbox, batches[index])
        return edits.groups.digest ^ edits.unread.digest
      }
    }
  }

  private static func logAlone(_ mailbox: Mailbox) -> Case {
    Case(
      log(mailbox), Claim(.rate), Claim(.latency), Claim(.slowdown), Claim(.bytesWritten)
    ) { round in
      let store = try RawLMDB(in: round.folder, .sync)
      let payload = MailPayload()
      let batches = MailSizes.batches(mailbox.count)
      return try await round.meter.measureEach(batches.count, events: mailbox.count) { index in
        try store.append(mailbox, batches[index], payload)
      }
    }
  }

  private static func sqliteMemory(_ setting: Workload.Setting) -> Case {
    let size = setting.size / 10
    return Case(
      "\(MailSizes.name(size)) random: SQLite, memory above an empty child",
      Claim(.amount(unit: "KiB")), isSlow: true
    ) { round in
      let empty = try Double(Role.empty.spawn())
      let used = try Double(Role.ingestSQLite.spawn(round.folder, "\(size)"))
      guard let empty, let used else { return Sample(amount: nil) }
      return Sample(amount: used - empty)
    }
  }
}
