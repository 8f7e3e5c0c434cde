import BenchmarkHarness
import BenchmarkPeers

extension Ingest {
  /// The strategy that the store is compared with.
  static let window = "SQLite, first 50 and COUNT"

  /// Returns the name of a SQLite case, with its limit if it ingests only the first items.
  ///
  /// Stopping early favors SQLite: its views are not yet at their largest.
  static func sqliteName(_ what: String, _ mailbox: Mailbox, upTo cap: Int) -> String {
    let part = cap < mailbox.count ? ", first \(MailSizes.name(cap))" : ""
    return name(what + part, mailbox)
  }

  /// The number of items that the window strategy ingests.
  static let windowCap = 300_000
  private static let countCap = 10_000

  /// Returns SQLite's cases, by the work after each batch that keeps both views up to date.
  static func peers(_ mailbox: Mailbox, _ setting: Workload.Setting) -> [Case] {
    let asked = [
      peer(window, mailbox, upTo: windowCap, [], .window),
      peer("\(window), large WAL", mailbox, upTo: windowCap, [], .window, .large),
      peer("SQLite, day buckets", mailbox, upTo: windowCap, .days, .rank(.days)),
    ]
    // At the largest size, the others would take minutes and show nothing new.
    guard mailbox.count < setting.size, mailbox.order == .random else { return asked }
    return asked + [
      peer("SQLite, all again and compared", mailbox, upTo: windowCap, [], .diff),
      peer("SQLite, COUNT for each change", mailbox, upTo: countCap, [], .rank(.count)),
      peer("SQLite, first 50 and COUNT, 50 tags kept", mailbox, upTo: windowCap, .tags, .window),
    ]
  }

  private static func peer(
    _ what: String, _ mailbox: Mailbox, upTo cap: Int, _ extras: SQLiteMail.Extras,
    _ strategy: SQLiteMail.Strategy, _ log: SQLiteMail.WriteAheadLog = .small
  ) -> Case {
    let count = min(cap, mailbox.count)
    return Case(
      sqliteName(what, mailbox, upTo: cap), Claim(.rate, against: Self.log(mailbox)),
      Claim(.latency),
      Claim(.slowdown), Claim(.bytesWritten), isSlow: true
    ) { round in
      let mail = try SQLiteMail(in: round.folder, extras, .full, log)
      let batches = MailSizes.batches(count)
      var shown = SQLiteMail.Shown()
      return try await round.meter.measureEach(batches.count, events: count) { index in
        try mail.ingest(mailbox, batches[index], strategy, &shown).digest
      }
    }
  }
}
