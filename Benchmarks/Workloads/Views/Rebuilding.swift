import BenchmarkHarness
import BenchmarkPeers

/// The time to rebuild all derived data.
enum Rebuilding {
  static let workload = Workload(
    "rebuild", "all that is derived from the items, anew", smoke: 10_000, real: 1_000_000, rounds: 3
  ) { setting in
    let mailbox = Mailbox(count: setting.size)
    let raw = try RawLMDB(in: TemporaryFolder.made(in: setting.folder, "raw"))
    for batch in MailSizes.batches(mailbox.count) {
      _ = try raw.append(mailbox, batch, MailPayload())
    }
    let mail = Once {
      let mail = try SQLiteMail(
        in: TemporaryFolder.made(in: setting.folder, "sqlite"), [], .normal)
      try mail.fill(mailbox)
      return mail
    }
    let peers = [
      Case(scan, Claim(.rate)) { round in
        try await round.meter.measure(events: mailbox.count) { try raw.sum() }
      },
      // SQLite keeps its items, which the store rebuilds as well; that favors SQLite.
      Case("SQLite, groups and indices", Claim(.rate, against: scan), Claim(.bytesWritten)) {
        round in
        let mail = try mail.value()
        return try await round.meter.measure(events: mailbox.count) {
          try mail.rebuild()
          return try UInt64(mail.count(of: .groups))
        }
      },
    ]
    return try await peers + own(mailbox, setting) + behind(mailbox, setting)
  }

  /// The case that the store is compared with: reading the log once.
  static let scan = "raw cursor, every byte of the log"
}
