import EventStore
import Foundation
import TestSupport
import Testing
import Tideline
import TidelineServer

/// Every refusal is one plain line: what can't be done, why, and how to proceed.
@Suite(.timeLimit(.minutes(10))) struct RefusalTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func made(_ name: String = "phone") async throws -> String {
    let path = try folder.made(name)
    try await CameBackUnread.make(in: path)
    return path
  }

  /// The one error line of a command that fails and shows nothing else.
  private func refusal(_ words: String..., status: CInt = 1) async throws -> String? {
    let outcome = try await Tideline(words).ended()
    #expect(outcome.status == status && outcome.output == [], "\(outcome)")
    #expect(outcome.errors.count == 1, "\(outcome)")
    return outcome.errors.first
  }

  @Test func files_thatCanNotBeReadOrWritten() async throws {
    let (path, none) = (try await made(), folder.path(of: "none"))
    let missing = "no such folder or file. Name one that exists, or create it first."
    #expect(
      try await refusal("what-if", path, "patch=2:\(none)") == "tideline: open \(none): \(missing)")
    #expect(
      try await refusal("what-if", path, "patch=2:\(path)")
        == "tideline: read \(path): it is a folder. Name a file.")
    #expect(
      try await refusal("bench", "--log", path, "--svg", "\(none)/a.svg")
        == "tideline: open \(none)/.: \(missing)")
    #expect(
      try await refusal("serve", "--threads", "5", "--alerts", "\(none)/a")
        == "tideline: open \(none)/a: \(missing)")
    #expect(
      try await refusal("serve", "--threads", "5", "--alerts", path)
        == "tideline: open \(path): it is a folder. Name a file.")
    #expect(
      try await refusal("bisect", path, "--when", "refused", "--state", "\(none)/state")
        == "tideline: open \(none)/.: \(missing)")
    #expect(
      try await refusal(
        "bisect", path, "--when", "refused", "--state", path
      )?.hasPrefix("tideline: read \(path): it is a folder") == true)
  }

  /// A payload may come from a pipe, and a chart may go into one.
  @Test func files_thatArePipes() async throws {
    let path = try await made()
    let file = folder.path(of: "payload")
    try Data().write(to: URL(fileURLWithPath: file))
    let ofFile = try await Tideline.run("what-if", path, "patch=2:\(file)")
    #expect(ofFile.status == 0)
    #expect(try await Tideline.run("what-if", path, "patch=2:/dev/stdin") == ofFile)
    let chart = try await Tideline.run("bench", "--log", path, "--svg", "/dev/stdout")
    #expect(chart.status == 0 && chart.output.contains { $0.hasPrefix("<svg") }, "\(chart)")
  }

  @Test func edits_areNamedWhole() async throws {
    let path = try await made()
    let said = "tideline what-if: 'turn=3:nope' is not an edit. "
    #expect(try await refusal("what-if", path, "turn=3:nope", status: 2)?.hasPrefix(said) == true)
  }

  /// What would be ignored is refused, as is what can't be done together.
  @Test func options_withoutEffect() async throws {
    let path = try await made()
    for (words, option) in [
      (["log", path, "--record", "3", "--kind", "thread"], "--kind"),
      (["read", path, "t3", "--peek", "--unread"], "--unread"),
      (["at", path, "end", "--outbox", "--list", "unread inbox:1"], "--outbox"),
      (["blame", path, "unread inbox:1", "--field", "subject"], "--field"),
      (["blame", path, "badge/1", "--field", "subject"], "--field"),
      (["sync", path, "--mail", "http://127.0.0.1:9", "--progress"], "--once"),
    ] {
      let outcome = try await Tideline(words).ended()
      #expect(outcome.status == 2 && outcome.output == [], "\(words): \(outcome)")
      #expect(outcome.errors.first?.contains(option) == true, "\(words): \(outcome)")
    }
  }

  /// A store's records would hide those of the log in whose folder it is.
  @Test func importOfAStore_intoALog() async throws {
    let (path, file) = (try await made(), folder.path(of: "export"))
    #expect(try await Tideline.run("export", path, "--to", file).status == 0)
    let said = try await refusal("import", file, path, "--inbox")
    #expect(said?.contains(path) == true && !FileManager.default.fileExists(atPath: "\(path)/log"))
    #expect(try await Tideline.run("check", path).status == 0)
  }

  /// An empty folder is not a missing one.
  @Test func folders_thatAreEmpty() async throws {
    let (path, phone) = (try folder.made("empty"), try await made())
    for words in [["log"], ["check"], ["stats"], ["export"], ["snapshots"], ["at", "end"]] {
      let outcome = try await Tideline([words[0], path] + words.dropFirst()).ended()
      #expect(outcome.errors == ["tideline: \(path) holds no log. Name the right folder."])
      #expect(outcome.status == 1)
    }
    let diff = try await refusal("diff", phone, "end", "--with", path)
    #expect(diff == "tideline: \(path) holds no log. Name the right folder.")
    #expect(try await Tideline.run("append", path, input: "Lunch?").output == ["1"])
  }

  @Test func file_thatIsThere_isNotReplaced() async throws {
    let (path, file) = (try await made(), folder.path(of: "file"))
    try Data("text".utf8).write(to: URL(fileURLWithPath: file))
    let said = "tideline: open \(file): it already exists. Name another."
    #expect(try await refusal("export", path, "--to", file) == said)
  }

  /// A folder that can't be read may still hold an inbox.
  @Test(.enabled(if: geteuid() != 0, "the superuser may do everything"))
  func folders_thatAreNotAllowed() async throws {
    let path = try await made()
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path) }
    let said = "tideline: The system denies access to \(path). Fix its permissions."
    for command in ["list", "log", "drain"] {
      #expect(try await refusal(command, path) == said)
    }
  }

  @Test func numbers_thatAreNoPlaces() async throws {
    let path = try await made()
    for words in [["at", path, "1e3"], ["step", path, "1.5"], ["diff", path, "1", "1e3"]] {
      let outcome = try await Tideline(words).ended()
      #expect(outcome.status == 2 && outcome.output == [] && outcome.errors.count == 1)
      #expect(outcome.errors.first?.contains("neither a record's number nor a time.") == true)
    }
    #expect(
      try await refusal("log", path, "--after", "1e3", status: 2)?.contains("not '1e3'") == true)
  }

  @Test func kinds_thatThereAreNot_andInboxesOfNobody() async throws {
    let path = folder.path
    let store = try await InboxStore.open(at: path)
    let inbox = try await store.logIn("me", policy: .inbox)
    try await inbox.logOut(pending: .drop)
    await store.close()
    #expect(
      try await refusal("list", path, "--of", "nope", status: 2)
        == "tideline list: unknown kind 'nope'. --of takes threads, unread, messages, rich, "
        + "drafts, tags, contacts.")
    let nobody =
      "tideline: nobody is logged in there. Log in: tideline sync FOLDER --mail ADDRESS"
    for words in [["list"], ["outbox"], ["read", "t1"], ["delete", "t1"]] {
      let outcome = try await Tideline([words[0], path] + words.dropFirst()).ended()
      #expect(outcome == .init(status: 1, errors: [nobody]))
    }
    let status = try await Tideline.run("status", path)
    #expect(status.output.first?.hasPrefix("me (logged out)") == true, "\(status)")
  }

  /// A file is not a missing folder.
  @Test(arguments: ["file", "file/in"]) func files_inPlaceOfFolders(name: String) async throws {
    try Data("text".utf8).write(to: URL(fileURLWithPath: folder.path(of: "file")))
    let (path, phone) = (folder.path(of: name), try await made())
    let file = "tideline: \(path) is a file, or is inside one. Name a folder."
    for command in ["log", "check", "drain", "list", "verify", "stats", "export", "snapshots"] {
      #expect(try await refusal(command, path) == file, "\(command)")
    }
    #expect(try await refusal("at", path, "end") == file)
    for words in [["append", path], ["backup", phone, path], ["salvage", phone, path]] {
      let outcome = try await Tideline(words).ended()
      #expect(outcome.status == 1 && outcome.output == [] && outcome.errors.count == 1)
      #expect(outcome.errors.first?.contains("a file is where a folder should be.") == true)
    }
  }

  @Test func token_thatIsNotThere() async throws {
    var plan = ServerPlan()
    (plan.threads, plan.richMessages) = (3, 0)
    let server = try EmbeddedServer(Router(plan)) { Timestamp(rawValue: 1_767_182_400_000) }
    defer { server.stop() }
    let words = ["sync", folder.path(of: "inbox"), "--mail", server.address]
    let once = try await Tideline(words + ["--once"]).ended()
    let said = "tideline: the server requires a token. Name it: --token TOKEN"
    #expect(once == .init(status: 1, errors: [said]))
    let lasting = try Tideline(words)
    var lines: [String] = []
    while let line = await lasting.next() {
      lines.append(line)
      if line.contains("--token TOKEN") { break }
    }
    #expect(!lines.contains { $0.contains("reached") }, "\(lines)")
    lasting.interrupt()
    #expect(try await lasting.ended().status == 0)
  }

  /// Differences are shown in the order of the log, and a note says so if the places were reversed.
  @Test(arguments: [[], ["--list", "unread inbox:1"]])
  func diff_backwards(words: [String]) async throws {
    let path = try await made()
    let forwards = try await Tideline(["diff", path, "10", "30"] + words).ended()
    #expect(forwards.status == 0 && forwards.errors == [] && forwards.output != [])
    let backwards = try await Tideline(["diff", path, "30", "10"] + words).ended()
    #expect(backwards.output == forwards.output)
    #expect(backwards.errors == ["tideline: shown in order, from #10 to #30"])
  }
}
