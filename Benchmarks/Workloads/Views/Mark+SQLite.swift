import BenchmarkHarness
import BenchmarkPeers

extension Mark {
  /// The cases that the store is compared with.
  static let days = "SQLite, day buckets"
  static let pausingDays = days + ", behind a pause"
  static let count = "SQLite, COUNT"
  static let diff = "SQLite, all again and compared"
  static let window = "SQLite, first 50 and COUNT"
  static let durableDays = "SQLite, day buckets, durable"

  /// Returns SQLite's cases, by the way it is queried.
  ///
  /// Commits don't wait for the medium, except in the cases named durable.
  static func peers(_ mailbox: Mailbox, _ setting: Workload.Setting) throws -> [Case] {
    func filled(_ name: String, _ extras: SQLiteMail.Extras) throws -> String {
      let folder = try TemporaryFolder.made(
        in: setting.folder, "sqlite-\(name)-\(mailbox.count)")
      try SQLiteMail(in: folder, extras, .normal).fill(mailbox)
      return folder
    }
    let plain = Once { try filled("plain", []) }
    let dayed = Once { try filled("days", .days) }
    let turns = turns(setting)
    // Where each turn reads all rows, a few turns at the largest view must suffice.
    let fewer = min(turns, max(3, 5_000_000 / mailbox.count))
    return [
      peer(days, mailbox, turns) {
        try (SQLiteMail(in: dayed.value(), .days, .normal), .rank(.days))
      },
      peer(pausingDays, mailbox, turns, pausing: true) {
        try (SQLiteMail(in: dayed.value(), .days, .normal), .rank(.days))
      },
      peer(durableDays, mailbox, turns) {
        try (SQLiteMail(in: dayed.value(), .days), .rank(.days))
      },
      peer(count, mailbox, fewer) {
        try (SQLiteMail(in: plain.value(), [], .normal), .rank(.count))
      },
      peer(window, mailbox, fewer) {
        try (SQLiteMail(in: plain.value(), [], .normal), .window)
      },
      peer(diff, mailbox, fewer) {
        try (SQLiteMail(in: plain.value(), [], .normal), .diff)
      },
    ]
  }

  private static func peer(
    _ curve: String, _ mailbox: Mailbox, _ turns: Int, pausing: Bool = false,
    opened: @escaping () throws -> (SQLiteMail, SQLiteMail.Strategy)
  ) -> Case {
    point(curve, .peer, mailbox, [Claim(.latency)]) { round in
      let (mail, strategy) = try opened()
      var shown = SQLiteMail.Shown()
      if case .diff = strategy { shown = try mail.shown() }
      // Warms the cache, as in a process that has run for a while.
      _ = try mail.keys(of: .unread)
      return try await round.meter.measureEach(turns, operations: 1) { turn in
        try mail.markRead(MailSizes.item(turn, of: mailbox), strategy, &shown)
      } after: { turn in
        try mail.markUnread(MailSizes.item(turn, of: mailbox), &shown)
        if pausing { try await Task.sleep(for: pause) }
      }
    }
  }
}
