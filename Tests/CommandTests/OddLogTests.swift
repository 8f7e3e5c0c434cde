import EventStore
import Foundation
import LMDB
import TestSupport
import Testing
import Tideline

/// Commands look at whatever a log has, also one that came from somebody else.
@Suite(.timeLimit(.minutes(5))) struct OddLogTests {
  private let folder: TemporaryFolder
  private let login = Login(account: 1, epoch: 1)

  init() throws { folder = try TemporaryFolder() }

  private func made(_ batch: Batch) async throws -> String {
    let path = try folder.made("phone")
    let log = try await Log.open(at: path)
    try await log.append(batch)
    await log.close()
    return path
  }

  /// The times of records may be as far apart as numbers can be.
  @Test(arguments: [(Int64.min, Int64.max), (0, .max), (.min, 0)])
  func times_atTheEndsOfTime(first: Int64, last: Int64) async throws {
    var batch = Batch()
    for time in [first, last] {
      batch.add(LoggedIn(), recordedAt: Timestamp(rawValue: time), login: login)
    }
    let path = try await made(batch)
    for words in [
      ["stats", path], ["stats", path, "--json"], ["log", path, "--after", "10:15"],
      ["at", path, "10:15"], ["log", path], ["verify", path],
    ] {
      let outcome = try await Tideline(words).ended()
      #expect((0...2).contains(outcome.status), "\(words): \(outcome)")
    }
  }

  /// Ids, tags and texts can't move the cursor of whoever looks at them.
  @Test func controlCharacters_areNotPrinted() async throws {
    let id = "t\u{1B}[2J\u{9B}1"
    var batch = Batch()
    let time = Timestamp(rawValue: 1_763_719_200_000)
    batch.add(LoggedIn { $0.person = "a\u{7}b" }, recordedAt: time, login: login)
    batch.add(
      ObjectFact(
        .thread,
        ObjectFields {
          $0.put(.id, id)
          $0.put(.subject, "S\u{1B}]0;x\u{7}\u{7F}\u{9B}31m")
          $0.put(.tags, ["inbox", "u\u{1B}c"].map { ObjectLabel($0) })
        }), recordedAt: time, login: login)
    let path = try await made(batch)
    for words in [
      ["log", path], ["log", path, "--record", "2"], ["log", path, "--json"], ["at", path, "end"],
      ["at", path, "end", "--list", "threads by tag:1/inbox"], ["blame", path, "threads/1/\(id)"],
      ["why", path, "threads/1/\(id)", "unread inbox:1"], ["diff", path, "1", "end"],
      ["step", path, "1"], ["what-if", path, "omit=1"], ["list", path],
    ] {
      let outcome = try await Tideline(words).ended()
      let printed = (outcome.output + outcome.errors).joined()
      #expect(!printed.unicodeScalars.contains { $0.properties.generalCategory == .control })
      #expect(!printed.isEmpty, "\(words): \(outcome)")
    }
  }

  /// Mail ends its lines with two characters, and a subject must not show another id than its own.
  @Test func text_isShownAsItReads() async throws {
    var batch = Batch()
    let time = Timestamp(rawValue: 1_763_719_200_000)
    batch.add(LoggedIn { $0.person = "ann" }, recordedAt: time, login: login)
    batch.add(
      ObjectFact(
        .message,
        ObjectFields {
          $0.put(.id, "m1")
          $0.put(.subject, "Invoice \u{202E}]7t/1/sdaerht[")
          $0.put(.body, "Dear all,\r\nit is\rdone.\r\n")
        }), recordedAt: time, login: login)
    let path = try await made(batch)
    let store = try folder.made("store")
    let file = "\(store)/export"
    #expect(try await Tideline.run("export", path, "--to", file).status == 0)
    #expect(try await Tideline.run("import", file, "\(store)/inbox", "--inbox").status == 0)
    let read = try await Tideline(["read", "\(store)/inbox", "m1", "--peek"]).ended()
    #expect(read.output.contains("Dear all,") && read.output.contains("it is\u{FFFD}done."))
    #expect(read.output.first?.contains("Invoice \u{FFFD}]7t") == true, "\(read)")
  }

  /// A time of day is one of the last day that can be read, if there is any.
  @Test func timeOfDay_inALogWithoutLastRecord() async throws {
    let empty = try folder.made("empty")
    await (try await Log.open(at: empty)).close()
    for words in [["log", empty, "--after", "10:15"], ["at", empty, "10:15"]] {
      let outcome = try await Tideline(words).ended()
      #expect(outcome.status == 0 && outcome.errors.count == 1, "\(words): \(outcome)")
    }
    let path = try folder.made("damaged")
    let log = try await Log.open(at: path)
    for (hour, person) in [(10, "ann"), (11, "Damaged")] {
      let time = Timestamp(rawValue: 1_763_676_000_000 + Int64(hour) * 3_600_000)
      var batch = Batch()
      batch.add(LoggedIn { $0.person = person }, recordedAt: time, login: login)
      try await log.append(batch)
    }
    await log.close()
    let file = URL(filePath: "\(path)/data.mdb")
    var data = try Data(contentsOf: file)
    while let found = data.range(of: Data("Damaged".utf8)) { data[found.lowerBound] ^= 1 }
    try data.write(to: file)
    let shown = try await Tideline(["log", path, "--after", "00:01"]).ended()
    #expect(shown.output.count == 1, "\(shown)")
  }

  /// A damaged log may claim to have any number of entries, whose progress is shown.
  @Test func entries_beyondAllNumbers() async throws {
    var batch = Batch()
    let time = Timestamp(rawValue: 1_763_719_200_000)
    for _ in 0..<20_000 { batch.add(LoggedIn(), recordedAt: time, login: login) }
    let path = try await made(batch)
    let data = "\(path)/data.mdb"
    let size = try PageFile(data).pageSize
    let file = try FileHandle(forUpdating: URL(filePath: data))
    for page in 0..<2 {
      // The highest byte of the number of entries, on a meta page.
      try file.seek(toOffset: UInt64(page * size + 127))
      try file.write(contentsOf: Data([0x80]))
    }
    try file.close()
    for words in [["check", path], ["salvage", path, folder.path(of: "copy")]] {
      let outcome = try await Tideline(words).ended()
      #expect((0...1).contains(outcome.status) && !outcome.output.isEmpty, "\(words): \(outcome)")
    }
  }

  /// A search says what it has asked, and no more.
  @Test func bisect_ofWhatWasTrueForAWhile() async throws {
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    let question = ["bisect", path, "--when", "!threads(1/t3).tagIDs has unread", "--to", "5"]
    let outcome = try await Tideline(question).ended()
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output.first?.hasPrefix("It is not true after #5.") == true, "\(outcome)")
  }
}
