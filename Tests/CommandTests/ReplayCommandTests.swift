import EventStore
import Foundation
import TestSupport
import Testing
import TidelineReplay

/// The commands that look back: the documentation's story, and mistakes in using them.
@Suite(.timeLimit(.minutes(5))) struct ReplayCommandTests {
  /// Every command in the article is run, and prints what the article shows.
  @Test func story_isWhatTheArticleTells() async throws {
    let folder = try TemporaryFolder()
    try await CameBackUnread.make(in: folder.made("phone"))
    let article = try String(
      contentsOf: Self.article, encoding: .utf8)
    let session = article.split(separator: "```").dropFirst().enumerated()
      .filter { $0.offset.isMultiple(of: 2) && $0.element.hasPrefix("\n$ ") }.map(\.element)
    #expect(session.count >= 5)
    for block in session {
      var lines = block.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
      let command = String(lines.removeFirst().dropFirst(2))
      let outcome = try await Self.run(command, in: folder)
      #expect(outcome == lines, "\(command)")
    }
    try await Self.expectFixture(at: folder.path(of: "came-back"))
  }

  private static func expectFixture(at path: String) async throws {
    // CameBackUnread.md begins
    let fixture = try await Fixture.open(at: path)
    #expect(try fixture.isSo)  // As long as the server is trusted.
    // CameBackUnread.md ends
    #expect(try fixture.log.last == 6)
    await fixture.log.close()
    await #expect(throws: InboxReplayError.noFixture(path: "\(path)/log")) {
      try await Fixture.open(at: "\(path)/log")
    }
  }

  private static var article: URL {
    URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/TidelineReplay/TidelineReplay.docc/CameBackUnread.md")
  }

  /// Runs a shell command in the folder of the store and returns its output.
  private static func run(_ line: String, in folder: TemporaryFolder) async throws -> [String] {
    let program = URL(filePath: try Products.program("tideline")).deletingLastPathComponent().path
    let said = try Program(URL(filePath: "/bin/sh")).run(
      ["-c", line], in: folder.path, environment: ["PATH": "\(program):/usr/bin:/bin"],
      takesErrors: true
    ).output
    return said.split(separator: "\n").map(String.init)
  }

  /// Each answer is the same with snapshots, and its JSON is one object on one line.
  @Test func answers_areTheSameWithSnapshots() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    let questions = [
      ["at", path, "30", "--list", "unread inbox:1"], ["at", path, "end"],
      ["step", path, "20", "--count", "5"], ["step", path, "end", "--back"],
      ["diff", path, "10", "30"], ["diff", path, "10", "--list", "unread inbox:1"],
      ["bisect", path, "--when", "threads(1/t20)"],
      ["blame", path, "threads/1/t7"], ["blame", path, "badge/1", "--at", "-3"],
      ["why", path, "threads/1/t7", "unread inbox:1"], ["what-if", path, "skip=31"],
    ]
    var before: [Tideline.Outcome] = []
    for question in questions {
      let json = try await Tideline(question + ["--json"]).ended()
      for line in json.output {
        _ = try JSONSerialization.jsonObject(with: Data(line.utf8), options: .fragmentsAllowed)
      }
      before.append(try await Tideline(question).ended())
      #expect(before.last?.status == 0 && before.last?.output != [], "\(question)")
    }
    let made = try await Tideline.run("snapshots", path, "--count", "5")
    #expect(made.status == 0)
    for (question, known) in zip(questions, before) {
      let outcome = try await Tideline(question).ended()
      #expect(outcome.status == known.status && outcome.errors == [], "\(question)")
      // Snapshots may save probes.
      let lines = outcome.output.filter { !$0.hasSuffix("probes)") }
      #expect(lines == known.output.filter { !$0.hasSuffix("probes)") }, "\(question)")
    }
  }

  @Test func bisect_asksTheShell_andGoesOn() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    let state = folder.path(of: "state")
    let asked = folder.path(of: "asked")
    // The command may use the snapshots.
    #expect(try await Tideline.run("snapshots", path).status == 0)
    let looking = try Products.program("tideline") + " at $TIDELINE_FOLDER $TIDELINE_AT"
    let line = "echo >> \(asked); \(looking) || exit 126; test $TIDELINE_AT -lt 17"
    let first = try await Tideline.run("bisect", path, "--run", line, "--state", state)
    #expect(first.status == 0 && first.output.first?.hasPrefix("#17 ") == true)
    #expect(first.errors == [])
    // Known answers aren't asked for again.
    let count = FileManager.default.contents(atPath: asked)?.count
    let second = try await Tideline.run("bisect", path, "--run", line, "--state", state)
    #expect(second.output == first.output)
    #expect(FileManager.default.contents(atPath: asked)?.count == count)
    let nowhere = try await Tideline.run("bisect", path, "--when", "threads(1/t99)")
    #expect(nowhere.status == 1 && nowhere.output.first?.contains("not true after") == true)
  }

  /// In a terminal, bars fill up, and an interruption ends a long search but keeps its known
  /// answers.
  @Test func progress_inATerminal() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    let store = try folder.made("store")
    try await CameBackUnread.make(in: folder.made("store/log"))
    for (words, title) in [
      (["bisect", path, "--when", "threads(1/t20)"], "halvings"),
      (["minimize", path, "--when", "threads(1/t20)"], "records left out"),
      (["verify", store], "records"), (["check", path], "entries"),
      (["salvage", path, folder.path(of: "salvaged")], "records"),
    ] {
      let terminal = try PseudoTerminal(words, columns: 120)
      #expect(try await terminal.ended() == 0)
      let bar = try await terminal.sees("██████████ ")
      #expect(bar.contains(title), "\(bar)")
    }
    let state = folder.path(of: "state")
    // The command answers the first question, and never the second.
    let (first, second) = (folder.path(of: "first"), folder.path(of: "second"))
    let line = "test -e \(first) && { touch \(second); sleep 1000; }; touch \(first); exit 1"
    let terminal = try PseudoTerminal(
      ["bisect", path, "--run", line, "--state", state], columns: 120)
    _ = try await terminal.sees("halvings")
    while !FileManager.default.fileExists(atPath: second) {
      try await Task.sleep(for: .milliseconds(10))
    }
    terminal.signal(SIGINT)
    #expect(try await terminal.ended() == 130)
    _ = try await terminal.sees("tideline: interrupted")
    let known = try String(contentsOfFile: state, encoding: .utf8)
    #expect(known.contains("\"isSo\":true") && !known.contains("\"isSo\":false"), "\(known)")
  }

  /// A bar takes up one line, however narrow the terminal is.
  @Test(arguments: [1, 12, 50] as [UInt16])
  func progress_inANarrowTerminal(_ columns: UInt16) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    let words = ["bisect", path, "--run", "test $TIDELINE_AT -lt 17"]
    let terminal = try PseudoTerminal(words, columns: columns)
    let drawn = try await terminal.sees("#17 ")
    #expect(try await terminal.ended() == 0)
    let bars = drawn.split { $0 == "\r" || $0.isNewline }.prefix { !$0.hasPrefix("#17 ") }
    #expect(bars.count > 1 && bars.allSatisfy { $0.count < max(2, columns) }, "\(bars)")
  }

  /// A command that couldn't be run gives no answer.
  @Test(arguments: ["no-such-command", "/", "kill -9 $$", "(kill -9 $$) | cat; exit 137"])
  func command_thatGivesNoAnswer(line: String) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    let outcome = try await Tideline.run("bisect", path, "--run", line)
    #expect(outcome.status == 1 && outcome.output == [], "\(outcome)")
    #expect(outcome.errors.last?.contains("the command ") == true, "\(outcome)")
  }

  /// The command of a search can't read the input of `bisect`.
  @Test func command_readsNothing() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    let outcome = try await Tideline.run(
      "bisect", path, "--run", "! read line", "--to", "5", input: "a\n")
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output.first?.contains("not true after") == true, "\(outcome)")
  }

  @Test func interruption_endsTheCommand() async throws {
    let folder = try TemporaryFolder()
    let (path, file) = (try folder.made("phone"), folder.path(of: "process"))
    try await CameBackUnread.make(in: path)
    let line = "echo $$ > \(file).new; mv \(file).new \(file); sleep 1000; exit 1"
    let search = try Tideline(["bisect", path, "--run", line])
    while !FileManager.default.fileExists(atPath: file) {
      try await Task.sleep(for: .milliseconds(10))
    }
    search.interrupt()
    #expect(try await search.ended().status == 130)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let process = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(kill(process, 0) != 0)
  }

  /// A state file resumes the search it belongs to, and no other.
  @Test func state_isOfOneSearch() async throws {
    let folder = try TemporaryFolder()
    let (path, other) = (try folder.made("phone"), try folder.made("other"))
    try await CameBackUnread.make(in: path)
    try await CameBackUnread.make(in: other)
    let state = folder.path(of: "state")
    func search(_ words: String...) async throws -> Tideline.Outcome {
      try await Tideline(["bisect"] + words + ["--state", state]).ended()
    }
    // A mistake in a question leaves no state: another question may follow.
    #expect(try await search(path, "--when", "what").status == 2)
    let question = "threads(1/t20)"
    let first = try await search(path, "--when", question, "--from", "1", "--to", "30")
    #expect(first.status == 0, "\(first)")
    #expect(try await search(path, "--when", question).output == first.output)
    for (words, what) in [
      ([path, "--when", "threads(1/t3)"], "a search for --when threads(1/t20)"),
      ([path, "--run", question], "a search for --when threads(1/t20)"),
      ([other, "--when", question], "a search in another log"),
      ([path, "--when", question, "--to", "29"], "a search from 1 to 30"),
    ] {
      let refused = try await Tideline(["bisect"] + words + ["--state", state]).ended()
      #expect(refused.status == 2 && refused.output == [], "\(refused)")
      #expect(refused.errors.first?.contains(what) == true, "\(refused)")
    }
    var text = try String(contentsOfFile: state, encoding: .utf8)
    text.replace("\"number\":30", with: "\"number\":9223372036854775808")
    try Data(text.utf8).write(to: URL(filePath: state))
    let beyond = try await search(path, "--when", question)
    #expect(beyond.status == 2, "\(beyond)")
    #expect(beyond.errors.first?.contains("records that the log lacks") == true, "\(beyond)")
  }

  /// Logs that were redacted with one secret have one identity, but not the same answers; copies of
  /// one log have.
  @Test func state_isOfOneHistory() async throws {
    let folder = try TemporaryFolder()
    let (phone, other) = (try folder.made("phone"), try folder.made("other"))
    try await CameBackUnread.make(in: phone)
    let log = try await Log.open(at: other)
    var batch = Batch()
    let event = Event(kind: EventKind(rawValue: 9999), recordedAt: Timestamp(rawValue: 0))
    for _ in 0..<60 { batch.add(event) }
    try await log.append(batch)
    await log.close()
    for path in [phone, other] {
      let words = ["export", path, "--redact", "--secret", "team", "--to", "\(path).jsonl"]
      #expect(try await Tideline(words).ended().status == 0)
      #expect(try await Tideline.run("import", "\(path).jsonl", "\(path) redacted").status == 0)
    }
    #expect(try await Tideline.run("backup", "\(phone) redacted", "\(phone) copy") == .init())
    func search(_ path: String) async throws -> Tideline.Outcome {
      try await Tideline.run(
        "bisect", path, "--when", "count(unread inbox:1) > 1", "--state", folder.path(of: "state"))
    }
    let found = try await search("\(phone) redacted")
    #expect(found.status == 0, "\(found)")
    #expect(try await search("\(phone) copy") == found)
    let refused = try await search("\(other) redacted")
    #expect(refused.status == 2 && refused.output == [], "\(refused)")
    #expect(refused.errors.first?.contains("a search in another log. Name") == true, "\(refused)")
  }

  /// A folder with contents is left alone, and the search isn't run in vain.
  @Test func minimize_intoAFolderThatIsNotEmpty_isRefused() async throws {
    let folder = try TemporaryFolder()
    let (path, full) = (try folder.made("phone"), try folder.made("full"))
    try await CameBackUnread.make(in: path)
    try await CameBackUnread.make(in: try folder.made("full/log"))
    let before = try await Tideline.run("log", "\(full)/log")
    let words = ["minimize", path, "--when", "threads(1/t20)", "--into"]
    let refused = try await Tideline(words + [full]).ended()
    #expect(refused.status == 1 && refused.output == [], "\(refused)")
    #expect(refused.errors.count == 1 && refused.errors[0].contains("is not empty"), "\(refused)")
    #expect(try await Tideline.run("log", "\(full)/log") == before)
    #expect(try await Tideline(words + [try folder.made("empty")]).ended().status == 0)
  }

  /// A place where nothing can be written is refused before the search.
  @Test func minimize_intoNoFolder_isRefused() async throws {
    let folder = try TemporaryFolder()
    let (path, file) = (try folder.made("phone"), folder.path(of: "file"))
    try await CameBackUnread.make(in: path)
    try Data("text".utf8).write(to: URL(filePath: file))
    let missing = folder.path(of: "missing")
    for target in [file, "\(file)/new", "\(missing)/new"] {
      let refused = try await Tideline.run(
        "minimize", path, "--when", "threads(1/t20)", "--into", target)
      #expect(refused.status == 1 && refused.output == [], "\(refused)")
      #expect(refused.errors.count == 1, "\(refused)")
    }
    #expect(FileManager.default.contents(atPath: file) == Data("text".utf8))
    #expect(!FileManager.default.fileExists(atPath: missing))
    let new = folder.path(of: "new")
    let untrue = try await Tideline.run(
      "minimize", path, "--when", "threads(1/t99)", "--into", new)
    #expect(untrue.status == 1 && !FileManager.default.fileExists(atPath: new), "\(untrue)")
  }

  /// The records have other numbers in the fixture, and its question uses those.
  @Test func minimize_ofAQuestionWithNumbers_translatesThem() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    for (question, translated) in [
      ("operations(23/1/t3)", "operations(3/1/t3)"),
      ("count(operations of intent:23) > 0", "count(operations of intent:3) > 0"),
      ("listed(23/1/t3, outbox)", "listed(3/1/t3, outbox)"),
    ] {
      let new = folder.path(of: "new \(question.count)")
      let outcome = try await Tideline.run(
        "minimize", path, "--when", question, "--at", "23", "--into", new)
      #expect(outcome.status == 0 && outcome.errors == [], "\(outcome)")
      let fixture = try await Fixture.open(at: new)
      #expect(try fixture.text == translated && fixture.isSo)
      await fixture.log.close()
    }
  }

  /// A question may refer to a record in a way that can't be translated.
  @Test func minimize_toWhatDoesNotShowIt_fails() async throws {
    let folder = try TemporaryFolder()
    let (path, new) = (try folder.made("phone"), folder.path(of: "new"))
    try await CameBackUnread.make(in: path)
    let question = "operations(23/1/t3).intent == 23"
    let outcome = try await Tideline.run(
      "minimize", path, "--when", question, "--at", "23", "--into", new)
    #expect(outcome.status == 1 && !outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.errors.first?.contains("from 1, the records no longer show it") == true)
  }

  @Test func blame_ofAFieldThatIsNone_namesThoseThatThereAre() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    let outcome = try await Tideline.run("blame", path, "threads/1/t7", "--field", "tagIds")
    #expect(outcome.status == 2 && outcome.errors.count == 1, "\(outcome)")
    #expect(outcome.errors.first?.contains("There is no field 'tagIds'") == true, "\(outcome)")
    #expect(outcome.errors.first?.contains("tagIDs") == true, "\(outcome)")
  }

  /// Wrong command lines, and ones that ask for missing things, with their exit status.
  private static let mistakes: [(line: String, status: CInt)] = [
    ("at PATH tomorrow", 2), ("at PATH 99999", 1), ("at PATH -1x", 2), ("at NONE 1", 1),
    ("at PATH 1 --list unread", 2), ("at PATH 1 --object t1", 2),
    ("at PATH 1 --object threads/1/x", 1), ("bisect PATH", 2), ("bisect PATH --when what", 2),
    ("bisect PATH --when threads(1/t1).color", 2), ("blame PATH threads/1/t99", 2),
    ("blame PATH nothing", 2), ("why PATH messages/1/m1 contacts:1", 2), ("what-if PATH skip", 2),
    ("what-if PATH skip=999", 2), ("what-if PATH move=7>999", 2), ("what-if PATH copy=7>999", 2),
    ("diff PATH 1 2 --with PATH", 2), ("diff PATH 1 --with PATH --list x:1", 2),
    ("log PATH --record 1 --count", 2), ("log PATH --record 1 --follow", 2),
    ("what-if PATH turn=1:rejected", 2), ("diff PATH 1 2 3", 2),
    ("minimize PATH", 2), ("minimize PATH --when threads(1/t99)", 1), ("snapshots NONE", 1),
  ]

  /// One line says what is wrong, and nothing else happens.
  @Test(arguments: mistakes.indices) func mistakes_areSaidInALine(_ index: Int) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    let (line, status) = Self.mistakes[index]
    let words = line.split(separator: " ").map { word in
      word == "PATH" ? path : word == "NONE" ? folder.path(of: "none") : String(word)
    }
    let outcome = try await Tideline(words).ended()
    #expect(outcome.status == status, "\(line): \(outcome)")
    #expect(outcome.errors.count == 1 && outcome.output.isEmpty, "\(line): \(outcome)")
  }
}
