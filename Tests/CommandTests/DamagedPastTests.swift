import EventStore
import Foundation
import LMDB
import TestSupport
import Testing
import Tideline

/// Looking back on a log that lacks records because they were damaged, compacted away or erased.
@Suite(.timeLimit(.minutes(5))) struct DamagedPastTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Creates a store's folder with a log, which `body` may change.
  private func made(_ body: (Log) async throws -> Void = { _ in }) async throws -> String {
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: folder.made("phone/log"))
    let log = try await Log.open(at: "\(path)/log")
    try await body(log)
    await log.close()
    return path
  }

  /// Creates a store's folder whose log has a damaged last but one record, and returns its number.
  private func damaged() async throws -> (path: String, number: RecordNumber) {
    var number = RecordNumber.zero
    let path = try await made { log in
      var batch = Batch()
      for name in ["Damaged", "Whole"] {
        let fact = ObjectFact(
          .thread,
          ObjectFields {
            $0.put(.id, name)
            $0.put(.tags, [ObjectLabel("inbox"), ObjectLabel("unread")])
          })
        let time = Timestamp(rawValue: 1_763_719_260_000)
        batch.add(fact, recordedAt: time, login: Login(account: 1, epoch: 1))
      }
      number = try #require(try await log.append(batch).first)
    }
    let file = URL(filePath: "\(path)/log/data.mdb")
    var data = try Data(contentsOf: file)
    var start = data.startIndex
    while let found = data.range(of: Data("Damaged".utf8), in: start..<data.endIndex) {
      data[found.lowerBound] ^= 1
      start = found.upperBound
    }
    try data.write(to: file)
    return (path, number)
  }

  /// A missing record changes the output, so each command names the record.
  @Test func damage_isSaid() async throws {
    let (path, number) = try await damaged()
    let said =
      "tideline: Record \(number) is damaged (payload). Check and salvage the log. "
      + "The output leaves it out."
    let (before, other) = ("\(number.advanced(by: -1))", try folder.made("other"))
    try await CameBackUnread.make(in: other)
    for words in [
      ["at", path, "end"], ["blame", path, "badge/1"], ["diff", path, "20"],
      ["bisect", path, "--when", "threads(1/Whole)"], ["step", path, before],
      ["what-if", path, "skip=10"], ["why", path, "t12", "unread inbox:1"],
      ["status", path], ["list", path], ["verify", path],
      ["diff", path, "end", "--with", other], ["diff", other, "end", "--with", path],
    ] {
      let outcome = try await Tideline(words).ended()
      #expect(outcome.status == 1 && outcome.output != [], "\(words): \(outcome)")
      #expect(outcome.errors == [said], "\(words): \(outcome)")
    }
    let left = "tideline: 1 record is damaged and left out; see: tideline check \(path)"
    let count = try await Tideline.run("log", path, "--count")
    #expect(count.status == 1 && count.errors == [left], "\(count)")
    let export = try await Tideline.run("export", path, "--pass-over-damage")
    #expect(export.status == 0 && export.errors == [left], "\(export)")
  }

  /// LMDB would end the process at a page that is damaged.
  @Test func damagedPage_isSaid() async throws {
    let path = try await made()
    let file = "\(path)/log/data.mdb"
    let pages = try PageFile(file)
    let root = try #require(pages.meta.main.root)
    var data = try Data(contentsOf: URL(filePath: file))
    let start = data.startIndex + Int(root) * pages.pageSize
    data.resetBytes(in: start..<(start + pages.pageSize))
    try data.write(to: URL(filePath: file))
    for words in [
      ["at", path, "end"], ["blame", path, "badge/1"], ["diff", path, "20"],
      ["bisect", path, "--when", "threads(1/t12)"], ["step", path, "20"], ["log", path],
      ["stats", path], ["what-if", path, "skip=10"], ["why", path, "t12", "unread inbox:1"],
      ["export", path, "--pass-over-damage"],
    ] {
      let outcome = try await Tideline(words).ended()
      #expect(outcome.status == 1 && outcome.output == [], "\(words): \(outcome)")
      let error = outcome.errors.first ?? ""
      #expect(error.contains("page \(root)") && error.contains("Salvage it"), "\(words): \(error)")
      #expect(outcome.errors.count == 1, "\(words): \(outcome)")
    }
    let check = try await Tideline.run("check", path)
    #expect(check.status == 1 && check.output != [], "\(check)")
  }

  /// A salvaged log holds a record in place of each record that was lost.
  @Test func loss_isSaid() async throws {
    let ((path, number), new) = (try await damaged(), folder.path(of: "new"))
    let salvage = try await Tideline.run("salvage", path, new)
    #expect(salvage.output.last == "1 lost in all", "\(salvage)")
    let check = try await Tideline.run("check", new)
    #expect(check.output.first?.contains("records, 1 of them lost, numbers 1 to") == true)
    let step = try await Tideline.run("step", new, "\(number.advanced(by: -1))")
    let lost = "(lost: it was damaged, or left out, before)"
    #expect(step.output.first?.hasSuffix(lost) == true, "\(step)")
  }

  /// A lost record changes the output, so each command says so, although the log is sound again.
  @Test func loss_isSaid_beforeThePlace() async throws {
    let ((path, number), phone) = (try await damaged(), try folder.made("new"))
    #expect(try await Tideline.run("salvage", path, "\(phone)/log").status == 0)
    let said =
      "tideline: 1 record was lost: \(number). The output leaves it out; "
      + "see: tideline log \(phone) --kind lost"
    let before = "\(number.advanced(by: -1))"
    for words in [
      ["at", phone, "end"], ["blame", phone, "badge/1"], ["diff", phone, "20"],
      ["bisect", phone, "--when", "threads(1/Whole)"], ["step", phone, before],
      ["what-if", phone, "skip=10"], ["why", phone, "t12", "unread inbox:1"],
      ["minimize", phone, "--when", "threads(1/Whole)", "--about", "Whole"],
      ["list", phone], ["status", phone], ["verify", phone],
    ] {
      let outcome = try await Tideline(words).ended()
      #expect(outcome.status == 0 && outcome.output != [], "\(words): \(outcome)")
      #expect(outcome.errors == [said], "\(words): \(outcome)")
    }
    // The object may be missing because the record was lost.
    for words in [
      ["at", phone, "end", "--object", "threads/1/Damaged"], ["blame", phone, "threads/1/Damaged"],
      ["why", phone, "Damaged", "unread inbox:1"],
    ] {
      let outcome = try await Tideline(words).ended()
      #expect(outcome.status > 0 && outcome.output == [], "\(words): \(outcome)")
      #expect(outcome.errors.count == 2 && outcome.errors[0] == said, "\(words): \(outcome)")
    }
    for words in [["at", phone, before], ["diff", phone, "20", before]] {
      let outcome = try await Tideline(words).ended()
      #expect(outcome.status == 0 && outcome.errors == [], "\(words): \(outcome)")
    }
    let lost = try await Tideline.run("log", phone, "--kind", "lost")
    #expect(lost.output.count == 1 && lost.output[0].hasSuffix("(lost)"), "\(lost)")
    // A replay from a snapshot doesn't visit the records before it.
    let log = try await Log.open(at: "\(phone)/log")
    var batch = Batch()
    let other = Event(kind: EventKind(rawValue: 9999), recordedAt: Timestamp(rawValue: 0))
    for _ in 0..<1100 { batch.add(other) }
    try await log.append(batch)
    await log.close()
    let made = try await Tideline.run("snapshots", phone)
    #expect(made.output.first?.hasPrefix("1 snapshot, up to #1024, ") == true, "\(made)")
    let end = try await Tideline.run("at", phone, "end")
    #expect(end.status == 0 && end.errors == [said], "\(end)")
    // Not even the superuser can write to a folder as to a file.
    let data = "\(phone)/snapshots/\(Environment.dataFile)"
    try FileManager.default.removeItem(atPath: data)
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
    let without = try await Tideline.run("at", phone, "end")
    let unused = "tideline: The snapshots in \(phone)/snapshots are not used: open \(data): "
    #expect(without.status == 0 && without.output == end.output, "\(without)")
    #expect(without.errors.first?.hasPrefix(unused) == true, "\(without)")
    #expect(without.errors.last == said, "\(without)")
  }

  /// Only those that tell of accounts are left of what was before the start of a log that begins in
  /// the middle.
  @Test func absence_isSaid() async throws {
    let (path, phone) = (try await made(), folder.path(of: "part"))
    let part = folder.path(of: "part.jsonl")
    let export = try await Tideline.run("export", path, "--from", "31", "--to", part)
    #expect(export.status == 0, "\(export)")
    #expect(try await Tideline.run("import", part, phone, "--inbox").status == 0)
    let said = "tideline: some records up to 30 are missing. The output leaves them out."
    for words in [
      ["at", phone, "end"], ["why", phone, "t7", "unread inbox:1"], ["list", phone],
      ["diff", path, "end", "--with", phone],
    ] {
      let outcome = try await Tideline(words).ended()
      #expect(outcome.errors == [said], "\(words): \(outcome)")
    }
  }

  /// Looking at a place before the damage reports nothing.
  @Test func damage_behindThePlace_isNotSaid() async throws {
    let (path, number) = try await damaged()
    let place = "\(number.advanced(by: -1))"
    let before = try await Tideline.run("at", path, place)
    #expect(before.status == 0 && before.errors == [], "\(before)")
    let question = ["bisect", path, "--when", "refused", "--to"]
    let none = try await Tideline(question + [place]).ended()
    #expect(none.output.first?.contains("not true after") == true, "\(none)")
    // The first record for which the question holds is damaged and can't be shown.
    let first = try await Tideline(question + ["end"]).ended()
    #expect(first.status == 1 && first.output == [], "\(first)")
    #expect(first.errors.first?.contains("Record \(number) is damaged") == true, "\(first)")
    // Nor can it be tried.
    let minimal = try await Tideline.run("minimize", path, "--when", "refused")
    #expect(minimal.status == 1 && minimal.output == [], "\(minimal)")
    let remedy = "make it true: refused. Salvage the log."
    #expect(minimal.errors.last?.contains(remedy) == true, "\(minimal)")
  }

  /// Records that were compacted away can't be shown, and the commands don't pretend they never
  /// existed.
  @Test func compaction_isSaid() async throws {
    let path = try await made { log in
      let baseline = try #require(
        try InboxBaseline(Replay(log, reducer: InboxReducer(), at: 31), at: 31))
      var records: [BaselineRecord] = []
      while case let next = try baseline.records(after: records.last?.number ?? .zero),
        !next.isEmpty
      {
        records += next
      }
      try await log.compact(through: 31) { [records] last in
        records.filter { $0.number > last }
      }
    }
    let gone = "tideline: Records up to 31 were compacted away. Start after them."
    for words in [
      ["at", path, "2025-11-21T10:00:20Z"], ["at", path, "20"], ["what-if", path, "skip=20"],
    ] {
      let outcome = try await Tideline(words).ended()
      #expect(outcome == .init(status: 1, errors: [gone]), "\(words)")
    }
    let there = try await Tideline.run("at", path, "2025-11-21T10:00:31Z")
    #expect(there.output.first?.hasPrefix("after #31") == true, "\(there)")
    let thread = try await Tideline.run("blame", path, "t12")
    #expect(thread.output.count == 2 && thread.output[0].contains("state kept id=“t12”"))
    #expect(thread.output[1] == "  + threads/1/t12")
    let badge = try await Tideline.run("blame", path, "badge/1")
    #expect(badge.output.first == "2: 2 in unread inbox:1, 0 in unread rich messages:1")
    let counted = badge.output.filter { $0.contains("threads/1/") }
    #expect(counted == ["  + threads/1/t12", "  ~ threads/1/t7"], "\(badge)")
    let always = try await Tideline.run("bisect", path, "--when", "threads(1/t12)")
    #expect(always.status == 1 && always.output == [], "\(always)")
    #expect(always.errors.last?.contains("after #31, and the records before were") == true)
    // A fixture need not tell of the account.
    let minimal = folder.path(of: "minimal")
    let minimized = try await Tideline.run(
      "minimize", path, "--when", "listed(1/t12, unread inbox:1)", "--into", minimal)
    #expect(minimized.status == 0, "\(minimized)")
    let lists = try await Tideline.run("at", minimal, "end")
    #expect(lists.output.contains { $0.hasPrefix("  unread inbox:1 ") }, "\(lists)")
  }

  @Test func erasure_isSaid() async throws {
    let path = try await made()
    let store = try await InboxStore.open(at: path)
    try await store.inbox(of: 1).erase(MailThread.self, "t7")
    await store.close()
    let outcome = try await Tideline.run("blame", path, "threads/1/t7")
    #expect(outcome.status == 1 && outcome.output == [], "\(outcome)")
    let said = "record 9 left nothing of threads/1/t7. Its payload was erased. List"
    #expect(outcome.errors.first?.contains(said) == true, "\(outcome)")
    let never = try await Tideline.run("blame", path, "threads/1/t99")
    #expect(never.errors.first?.contains("The log mentions nothing with the id 't99'") == true)
  }
}
