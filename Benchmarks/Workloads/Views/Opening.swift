import BenchmarkHarness
import BenchmarkPeers
import Foundation

/// The time a new process takes to show the first rows and their total number.
enum Opening {
  static let workload = Workload(
    "open", "a new process shows the first \(SQLiteMail.window) unread items and their count",
    smoke: 10_000, real: 1_000_000
  ) { setting in
    var cases: [Case] = []
    for size in MailSizes.two(setting.size) {
      let mailbox = Mailbox(count: size)
      let raw = Once { try filledRaw(mailbox, in: setting.folder) }
      let sqlite = Once { try filledSQLite(mailbox, in: setting.folder) }
      let filled = try await MailStore.filled(mailbox, in: setting.folder)
      try await show(filled)
      let folder = Once { filled }
      for state in PageCache.State.reachable {
        cases += [
          opened("raw LMDB, first \(SQLiteMail.window) records", .openRaw, raw, size, state),
          opened("SQLite", .openSQLite, sqlite, size, state),
          opened("SQLite, COUNT for a rank then", .openSQLite, sqlite, size, state, figure: 1),
          opened(
            "SQLite, day buckets for a rank then", .openSQLite, sqlite, size, state, figure: 2),
        ]
        cases += own(mailbox, state, folder, setting)
      }
    }
    return cases
  }

  /// Returns the name of a case: the system, the number of items, and the cache state.
  static func name(_ what: String, _ size: Int, _ state: PageCache.State) -> String {
    "\(MailSizes.name(size)) \(state.rawValue): \(what)"
  }

  /// Returns a case in which a child in `role` opens `folder` and prints times in milliseconds; the
  /// time at index `figure` counts.
  static func opened(
    _ what: String, _ role: Role, _ folder: Once<String>, _ size: Int, _ state: PageCache.State,
    figure: Int = 0, _ claims: [Claim] = [Claim(.amount(unit: "ms"))]
  ) -> Case {
    Case(name(what, size, state), claims) { _ in
      let folder = try folder.value()
      try PageCache.bring(folder, to: state)
      let printed = try role.spawn(folder, "\(size)").split(separator: " ")
      return Sample(amount: printed.count > figure ? Double(printed[figure]) : nil)
    }
  }

  private static func filledRaw(_ mailbox: Mailbox, in parent: String) throws -> String {
    let folder = try TemporaryFolder.made(in: parent, "raw-\(mailbox.count)")
    let store = try RawLMDB(in: folder)
    for batch in MailSizes.batches(mailbox.count) {
      _ = try store.append(mailbox, batch, MailPayload())
    }
    return folder
  }

  private static func filledSQLite(_ mailbox: Mailbox, in parent: String) throws -> String {
    let folder = try TemporaryFolder.made(in: parent, "sqlite-\(mailbox.count)")
    try SQLiteMail(in: folder, .days, .normal).fill(mailbox)
    return folder
  }
}
