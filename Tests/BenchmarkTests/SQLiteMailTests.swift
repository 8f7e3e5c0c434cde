import BenchmarkPeers
import Foundation
import TestSupport
import Testing

/// SQLite with every strategy, the counted arrays and a naive model give the same results.
struct SQLiteMailTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Both views as sorted arrays, rebuilt from all items.
  private struct Model {
    var groups: [ViewKey] = []
    var unread: [ViewKey] = []

    init(_ items: some Sequence<MailItem>, read: Set<Int> = []) {
      var dates: [Int: Int64] = [:]
      for item in items { dates[item.group] = max(dates[item.group, default: 0], item.date) }
      groups = dates.map { ViewKey(date: $0.value, id: MailID(group: $0.key)) }.sorted()
      unread = items.filter { $0.isUnread && !read.contains($0.number) }.map(\.key).sorted()
    }
  }

  private static let strategies: [(SQLiteMail.Strategy, SQLiteMail.Extras)] = [
    (.diff, []), (.rank(.count), []), (.rank(.days), .days), (.rank(.count), [.days, .tags]),
  ]

  @Test(arguments: [Mailbox.Order.random, .newestFirst])
  func ingest_hasTheSameEditsForAll(order: Mailbox.Order) throws {
    let mailbox = Mailbox(count: 1200, order: order)
    var counted = CountedViews(groupCount: mailbox.groupCount)
    let mails = try Self.strategies.indices.map { index in
      try SQLiteMail(in: folder.made("\(index)"), Self.strategies[index].1, .normal)
    }
    var shown = mails.map { _ in SQLiteMail.Shown() }
    var old = Model([])
    for start in stride(from: 0, to: mailbox.count, by: 150) {
      let batch = start..<(start + 150)
      let new = Model((0..<batch.upperBound).map { mailbox[$0] })
      let groups = Edits(from: old.groups, to: new.groups)
      let unread = Edits(from: old.unread, to: new.unread)
      old = new

      let edits = counted.ingest(mailbox, batch)
      #expect(edits.groups == groups && edits.unread == unread)
      for (index, mail) in mails.enumerated() {
        let edits = try mail.ingest(mailbox, batch, Self.strategies[index].0, &shown[index])
        #expect(edits.groups == groups && edits.unread == unread, "strategy \(index)")
      }
    }
    for mail in mails { try expect(mail, old) }
  }

  /// Checks the views, their counts and all ranks.
  private func expect(_ mail: SQLiteMail, _ model: Model) throws {
    #expect(try mail.keys(of: .groups) == model.groups)
    #expect(try mail.keys(of: .unread) == model.unread)
    #expect(try mail.count(of: .groups) == model.groups.count)
    #expect(try mail.count(of: .unread) == model.unread.count)
    for (rank, key) in model.unread.enumerated() {
      #expect(try mail.rank(of: key, in: .unread, by: .count) == rank)
    }
  }

  @Test func mark_findsThePlaceThatWasLeft() throws {
    let mailbox = Mailbox(count: 600, isAllUnread: true)
    let mail = try SQLiteMail(in: folder.made("mark"), .days, .normal)
    try mail.fill(mailbox)
    var counted = CountedViews(mailbox)
    var shown = try mail.shown()
    let all = Model((0..<600).map { mailbox[$0] })
    for number in [0, 7, 599, 300] {
      let item = mailbox[number]
      let rank = all.unread.firstIndex(of: item.key)
      #expect(counted.markRead(item) == rank)
      counted.markUnread(item)
      for source in [SQLiteMail.RankSource.count, .days] {
        var none = SQLiteMail.Shown()
        let left = try mail.markRead(item, .rank(source), &none)
        #expect(Int(left) == rank)
        try mail.markUnread(item, &none)
      }
      let edits = Edits(removals: rank.map { [$0] } ?? [], insertions: [])
      let digest = try mail.markRead(item, .diff, &shown)
      #expect(digest == edits.digest)
      let model = Model((0..<600).map { mailbox[$0] }, read: [number])
      #expect(try mail.keys(of: .unread) == model.unread)
      try mail.markUnread(item, &shown)
    }
    try expect(mail, all)
    #expect(counted.unread.keys(from: 0, count: 600) == all.unread)
    #expect(counted.groups.keys(from: 0, count: 600) == all.groups)
  }

  @Test func filledAndRebuilt_isWhatIngestMakes() throws {
    let mailbox = Mailbox(count: 900)
    let ingested = try SQLiteMail(in: folder.made("ingested"), .days, .normal)
    try ingested.ingest(mailbox, 0..<900)
    let filled = try SQLiteMail(in: folder.made("filled"), .days, .normal)
    try filled.fill(mailbox)
    let model = Model((0..<900).map { mailbox[$0] })
    for mail in [ingested, filled] {
      try expect(mail, model)
      let rows = try mail.firstRowsAndCount(of: .unread)
      try mail.rebuild()
      try expect(mail, model)
      #expect(try mail.firstRowsAndCount(of: .unread) == rows)
      for (rank, key) in model.groups.enumerated() {
        #expect(try mail.rank(of: key, in: .groups, by: .days) == rank)
      }
    }
    let rows = try [ingested, filled].map { mail in try mail.firstRows(of: .groups) }
    #expect(rows[0] == rows[1])
  }

  @Test func reopened_isAsItWas() throws {
    let mailbox = Mailbox(count: 300)
    let path = try folder.made("again")
    try SQLiteMail(in: path).ingest(mailbox, 0..<300)
    try expect(SQLiteMail(in: path), Model((0..<300).map { mailbox[$0] }))
  }
}

extension TemporaryFolder {
  /// Makes a subfolder, and returns its path.
  fileprivate func made(_ name: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: path(of: name), withIntermediateDirectories: false)
    return path(of: name)
  }
}
