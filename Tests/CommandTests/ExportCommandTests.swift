import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// Exporting, inspecting and measuring logs from a shell.
@Suite struct ExportCommandTests {
  private let folder: TemporaryFolder
  private var store: String { folder.path(of: "inbox") }
  private var file: String { folder.path(of: "inbox.jsonl") }

  init() throws { folder = try TemporaryFolder() }

  private func fill(_ count: Int = 5) async throws {
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
    let store = try await InboxStore.open(at: store)
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    var told = Delivery()
    for index in 0..<count {
      var thread = MailThread(id: "thread-\(index)", account: inbox.account)
      thread.subject = "Confidential \(index)"
      thread.tagIDs = ["inbox", "unread"]
      thread.lastMessageDate = Date(timeIntervalSince1970: 1_700_000_000 + Double(index))
      told.add(thread)
    }
    try await inbox.apply(told)
    try await inbox.perform(.markRead(MailThread.self, ["thread-1"]))
    await store.close()
  }

  private func object(_ line: String?) throws -> [String: Any] {
    let data = Data((line ?? "").utf8)
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test func export_thenImport() async throws {
    try await fill()
    let exported = try await Tideline.run("export", store, "--to", file, "--json")
    #expect(exported.status == 0 && exported.errors == [], "\(exported)")
    let copy = folder.path(of: "copy")
    let imported = try await Tideline.run("import", file, copy, "--inbox", "--json")
    #expect(imported.status == 0, "\(imported)")
    let (there, here) = (try object(exported.output.first), try object(imported.output.first))
    #expect(there["chain"] as? String == here["chain"] as? String)
    #expect(here["redacted"] as? Bool == false)
    let lists = try await Tideline.run("list", store)
    let copies = try await Tideline.run("list", copy)
    #expect(lists.output == copies.output && lists.output.count == 5, "\(lists) \(copies)")
    let sound = try await Tideline.run("verify", copy)
    #expect(sound.status == 0 && sound.output.count == 1, "\(sound)")
    // A copied folder has views that nobody may trust: they are gone when they are asked about.
    let twin = folder.path(of: "twin")
    try FileManager.default.copyItem(atPath: copy, toPath: twin)
    let rebuilt = try await Tideline.run("verify", twin)
    #expect(rebuilt.status == 0 && rebuilt.output.last?.contains("just now") == true, "\(rebuilt)")

    let third = folder.path(of: "third")
    try FileManager.default.copyItem(atPath: copy, toPath: third)
    let status = try await Tideline.run("status", third, "--verify")
    #expect(status.status == 0 && status.output.last?.contains("just now") == true, "\(status)")

    let plain = try await Tideline.run("export", store)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(plain.output.joined(separator: "\n") + "\n" == text)
    let again = try await Tideline.run("export", store, "--to", file)
    #expect(again.status == 1 && again.errors.count == 1)
  }

  /// What is left of a log still comes to lists, since it keeps who is logged in.
  @Test(arguments: [["--from", "5"], ["--from", "5", "--redact"], ["--limit", "4096"]])
  func export_ofTheEnd_comesToItsLists(_ options: [String]) async throws {
    try await fill(options[0] == "--from" ? 5 : 40)
    let exported = try await Tideline(["export", store, "--to", file] + options).ended()
    #expect(exported.status == 0, "\(exported)")
    let bytes = try Data(contentsOf: URL(filePath: file)).count
    #expect(options[0] == "--from" || bytes <= 4096)
    let copy = folder.path(of: "copy")
    let imported = try await Tideline.run("import", file, copy, "--inbox")
    #expect(imported.status == 0, "\(imported)")
    let all = try await Tideline.run("list", store).output.count
    let copies = try await Tideline.run("list", copy)
    #expect(copies.status == 0 && !copies.output.isEmpty, "\(copies)")
    #expect(copies.output.count < all && copies.output.count >= 3, "\(copies)")
    let sound = try await Tideline.run("verify", copy)
    #expect(sound.status == 0, "\(sound)")
    // An export of the copy is the same again.
    let again = try await Tideline.run("export", copy)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let records = text.split(separator: "\n").dropFirst().dropLast().map(String.init)
    #expect(Array(again.output.dropFirst().dropLast()) == records)
  }

  @Test func export_redacted() async throws {
    try await fill()
    let exported = try await Tideline.run("export", store, "--redact", "--to", file)
    #expect(exported.status == 0, "\(exported)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(!text.contains("Confidential") && !text.contains("alice") && text.contains("\"inbox\""))
    let copy = folder.path(of: "copy")
    #expect(try await Tideline.run("import", file, copy, "--inbox").status == 0)
    let stats = try await Tideline.run("stats", copy, "--json")
    #expect(stats.status == 0, "\(stats)")
    let original = try object(try await Tideline.run("stats", store, "--json").output.first)
    #expect(try object(stats.output.first)["records"] as? Int == original["records"] as? Int)
  }

  /// A space after a comma is not a part of a text to keep.
  @Test func export_keepsTexts() async throws {
    try await fill()
    let words = ["--redact", "--keep", "work, Confidential 3", "--to", file]
    let exported = try await Tideline(["export", store] + words).ended()
    #expect(exported.status == 0, "\(exported)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains("Confidential 3") && !text.contains("Confidential 2"))
  }

  /// A complete export stays, although nobody reads how much was written.
  @Test func export_whoseReportNobodyReads_stays() async throws {
    try await fill()
    let export = try Tideline(["export", store, "--to", file])
    try export.stopReading()
    #expect(try await export.ended().status == 141)
    let imported = try await Tideline.run("import", file, folder.path(of: "copy"))
    #expect(imported.status == 0, "\(imported)")
  }

  /// Options that control redaction require `--redact`.
  @Test(arguments: [["--secret", "s"], ["--keep", "work"], ["--words", "Confidential"]])
  func export_thatIsToBeRedacted_andIsNot(words: [String]) async throws {
    try await fill()
    let outcome = try await Tideline(["export", store, "--to", file] + words).ended()
    #expect(outcome.status == 2 && outcome.output == [] && outcome.errors.count == 1, "\(outcome)")
    #expect(outcome.errors.first?.contains("\(words[0]) needs --redact") == true)
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  /// A failed export leaves no partial file, which would block the next export.
  @Test func export_ofADamagedLog_leavesNothing() async throws {
    try await fill()
    let log = URL(filePath: "\(store)/log/data.mdb")
    var bytes = try Data(contentsOf: log)
    let text = Data("Confidential 3".utf8)
    while let place = bytes.range(of: text) { bytes[place.lowerBound] ^= 1 }
    try bytes.write(to: log)
    let failed = try await Tideline.run("export", store, "--to", file)
    #expect(failed.status == 1 && failed.errors.count == 1, "\(failed)")
    #expect(!FileManager.default.fileExists(atPath: file))
    let passed = try await Tideline.run("export", store, "--to", file, "--pass-over-damage")
    #expect(passed.status == 0, "\(passed)")
  }

  @Test func import_ofWhatIsNone() async throws {
    try await fill()
    let copy = folder.path(of: "copy")
    try Data("{\"a\":1}\n".utf8).write(to: URL(fileURLWithPath: file))
    let foreign = try await Tideline.run("import", file, copy)
    #expect(foreign.status == 1 && foreign.output == [], "\(foreign)")
    #expect(
      foreign.errors == [
        "tideline: This is not an exported log. Name a file that `tideline export` wrote."
      ])
    #expect(!FileManager.default.fileExists(atPath: copy))
    let empty = try folder.made("empty")
    #expect(try await Tideline.run("import", file, empty, "--inbox").status == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: empty) == [])

    let lines = try await Tideline.run("export", store).output
    try Data(lines.dropLast().joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: file))
    let cut = try await Tideline.run("import", file, copy)
    #expect(cut.status == 1 && cut.errors.count == 1, "\(cut)")
    #expect(cut.errors.first?.contains("ends after line") == true)
    let missing = try await Tideline.run("import", folder.path(of: "nothing"), copy)
    #expect(missing.status == 1 && missing.errors.count == 1, "\(missing)")
    let occupied = try await Tideline.run("import", "-", "\(store)/log", input: lines.joined())
    #expect(occupied.status == 1 && occupied.errors.count == 1, "\(occupied)")
    #expect(try await Tideline.run("list", store).output.count == 5)
    let wrong = try await Tideline.run("export", store, "--json")
    #expect(wrong.status == 2 && wrong.errors.count == 1)
  }

  @Test func import_ofStandardInput() async throws {
    try await fill(3)
    let lines = try await Tideline.run("export", store).output
    let copy = folder.path(of: "copy")
    let text = lines.map { "\($0)\n" }.joined()
    #expect(try await Tideline.run("import", "-", copy, input: text).status == 0)
    #expect(try await Tideline.run("check", copy).status == 0)
  }

  @Test func log_withFilters() async throws {
    try await fill()
    func count(_ words: String...) async throws -> Int {
      let outcome = try await Tideline(["log", store] + words).ended()
      #expect(outcome.status == 0, "\(outcome)")
      return outcome.output.count
    }
    #expect(try await count("--kind", "thread") == 5)
    #expect(try await count("--kind", "MarkRead,LoggedIn") == 2)
    #expect(try await count("--kind", "0x0102", "--text", "Confidential 3") == 1)
    #expect(try await count("--entity", "thread/1/thread-1") == 2)
    #expect(try await count("--entity", "threads/1/thread-1") == 2)
    #expect(try await count("--entity", "2/1/thread-2") == 1)
    #expect(try await count("--origin", "intent") == 1)
    #expect(try await count("--account", "7") == 0)
    #expect(try await count("--before", "2020-01-01T00:00:00Z") == 0)
    #expect(try await count("--after", "-1h") == count())
    let counted = try await Tideline.run("log", store, "--count", "--json")
    let kinds = try object(counted.output.first)["kinds"] as? [[String: Any]]
    #expect(kinds?.first?["name"] as? String == "thread" && kinds?.first?["records"] as? Int == 5)
    let page = try await Tideline.run("log", store, "--record", "2")
    #expect(page.status == 0 && page.output.contains("payload:"), "\(page)")
    for words in [["--kind", "nothing"], ["--origin", "god"], ["--after", "soon"]] {
      let wrong = try await Tideline(["log", store] + words).ended()
      #expect(wrong.status == 2 && wrong.errors.count == 1, "\(wrong)")
    }
    let absent = try await Tideline.run("log", store, "--record", "999")
    #expect(absent.status == 1 && absent.errors.count == 1)
  }

  /// This test takes some seconds: it replays the log several times for each view.
  @Test func bench_ofAnExportedLog() async throws {
    try await fill(50)
    #expect(try await Tideline.run("export", store, "--redact", "--to", file).status == 0)
    let table = try await Tideline.run("bench", "--log", file)
    #expect(table.status == 0 && table.output.count > 20, "\(table)")
    let found = try object(try await Tideline.run("bench", "--log", store, "--json").output.first)
    #expect((found["events"] as? Int ?? 0) > 50 && (found["rebuildSeconds"] as? Double ?? 0) > 0)
    let views = found["views"] as? [[String: Any]] ?? []
    #expect(views.contains { $0["name"] as? String == "unread inbox" && $0["rows"] as? Int == 49 })
    let chart = folder.path(of: "chart.svg")
    let drawn = try await Tideline.run(
      "bench", "--log", file, "--events-of-view", "20", "--svg", chart)
    #expect(drawn.status == 0 && drawn.errors == [])
    let text = try String(contentsOfFile: chart, encoding: .utf8)
    #expect(text.hasPrefix("<svg") && text.hasSuffix("</svg>\n"))
    #expect(text.contains(">unread inbox<") && text.contains("ns per event, shorter is better"))
    #expect(text.components(separatedBy: "class=\"own\"").count - 1 == views.count)
    #expect(try await Tideline.run("bench").status == 2)
  }
}
