import BenchmarkHarness
import BenchmarkPeers

/// How long it takes to build everything anew that can be derived.
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
      // It keeps its items, which we make anew as well: that favours it.
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

  /// The case that ours is put beside: the log read once.
  static let scan = "raw cursor, every byte of the log"
}
