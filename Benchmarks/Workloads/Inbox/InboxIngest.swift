import BenchmarkHarness
import BenchmarkPeers
import EventStore
import LMDB
import Synchronization
import Tideline

/// The rate at which an inbox ingests a server's messages, in batches, with visible lists.
enum InboxIngest {
  static func cases(_ setting: Workload.Setting) -> [Case] {
    [Mailbox.Order.random, .newestFirst].flatMap { order in
      let mailbox = Mailbox(count: setting.size, order: order)
      let payloads = Once { (0..<mailbox.count).map(InboxMail(mailbox: mailbox).payload) }
      return [logAlone(mailbox, payloads), sqlite(mailbox), inbox(mailbox, payloads)]
    }
  }

  private static func name(_ what: String, _ mailbox: Mailbox) -> String {
    "\(mailbox.order.rawValue): \(what)"
  }

  /// The targets: the ratios of the rate to the log's alone, and to SQLite's.
  private enum Goal {
    static let random = 0.15
    static let newestFirst = 0.35
    static let timesSQLite = 8.0
  }

  private static func logAlone(_ mailbox: Mailbox, _ payloads: Once<[[UInt8]]>) -> Case {
    Case(name("log alone", mailbox), Claim(.rate), Claim(.bytesWritten)) { round in
      let store = try RawLMDB(in: round.folder, .sync)
      let (all, batches) = (try payloads.value(), MailSizes.batches(mailbox.count))
      return try await round.meter.measureEach(batches.count, events: mailbox.count) { index in
        try store.append(all[batches[index]])
      }
    }
  }

  private static let sqliteName = "SQLite, first 50 and COUNT, 50 tags kept"

  /// Measures SQLite, which keeps two tags per message; the inbox keeps one to four, which favors
  /// SQLite.
  private static func sqlite(_ mailbox: Mailbox) -> Case {
    Case(name(sqliteName, mailbox), Claim(.rate), isSlow: true) { round in
      let mail = try SQLiteMail(in: round.folder, .tags, .full, .small)
      let batches = MailSizes.batches(mailbox.count)
      var shown = SQLiteMail.Shown()
      return try await round.meter.measureEach(batches.count, events: mailbox.count) { index in
        try mail.ingest(mailbox, batches[index], .window, &shown).digest
      }
    }
  }

  private static func inbox(_ mailbox: Mailbox, _ payloads: Once<[[UInt8]]>) -> Case {
    Case(name("inbox", mailbox), claims(mailbox)) { round in
      try await take(mailbox, try payloads.value(), round)
    }
  }

  private static func claims(_ mailbox: Mailbox) -> [Claim] {
    let goal = mailbox.order == .random ? Goal.random : Goal.newestFirst
    let sqlite = name(sqliteName, mailbox)
    let timesSQLite =
      mailbox.order == .random
      ? Claim(.rate, against: sqlite, .ratioAtLeast(Goal.timesSQLite))
      : Claim(.rate, against: sqlite)
    return [
      Claim(.rate, against: name("log alone", mailbox), .ratioAtLeast(goal)), timesSQLite,
      Claim(.latency), Claim(.slowdown), Claim(.bytesWritten), Claim(.allocations),
    ]
  }

  /// Ingests all messages with two live lists, a tag's and the unread ones, until everything is in
  /// the files.
  private static func take(
    _ mailbox: Mailbox, _ payloads: [[UInt8]], _ round: Round
  ) async throws -> Sample {
    let store = try await MailDesk.open(round.folder)
    let inbox = try await store.logIn("ann@example.com", policy: .inbox)
    let told = Atomic<Int>(0)
    let looking = try look(at: inbox) { change in
      told.wrappingAdd(change.set.newCount, ordering: .relaxed)
    }
    let batches = MailSizes.batches(mailbox.count)
    var receipts: [Receipt] = []
    let sample = try await round.meter.measureEach(batches.count, events: mailbox.count) { index in
      receipts.append(try store.core.submit(InboxMail.batch(payloads[batches[index]])))
      if index >= MailStore.inFlight {
        let earlier = receipts[index - MailStore.inFlight]
        try await earlier.visible()
        try await earlier.durable()
      }
      if index == batches.count - 1 {
        for receipt in receipts.suffix(MailStore.inFlight) { try await receipt.durable() }
        try await store.core.commitViews()
      }
      return UInt64(index)
    }
    looking.forEach { $0.end() }
    await store.close()
    return sample
  }

  /// Opens live views of a tag's messages and of the unread ones.
  private static func look(
    at inbox: Inbox, _ note: @escaping @Sendable (Change) -> Void
  ) throws -> [LiveView] {
    let (core, account) = (inbox.store.core, inbox.account)
    return [
      try core.live(
        ListName(InboxViews.messagesByTag, by: "tag-7", of: account), window: 0..<50,
        countsExactly: true, onChange: note),
      try core.live(
        ListName(InboxViews.unreadMessages, of: account), window: 0..<50, countsExactly: true,
        onChange: note),
    ]
  }
}

extension RawLMDB {
  /// Appends payloads as one commit, each after as many bytes as a log's header has.
  func append(_ payloads: ArraySlice<[UInt8]>) throws(LMDBError) -> UInt64 {
    try unsafe inTransaction { transaction throws(LMDBError) in
      for payload in payloads {
        let bytes = try unsafe appended(LogCase.headerBytes + payload.count, transaction)
        unsafe bytes.storeBytes(of: UInt64(payload.count), as: UInt64.self)
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[LogCase.headerBytes...])
        unsafe rest.copyBytes(from: payload)
      }
    }
    return last
  }
}
