import EventStore
import Foundation
import LMDB
import Processes
import TestSupport
import Testing
import Tideline
import TidelineServer

/// The commands for inboxes, run against a server.
@Suite(.timeLimit(.minutes(5))) struct InboxCommandTests {
  private let folder: TemporaryFolder
  private let server: EmbeddedServer
  private var path: String { folder.path(of: "inbox") }

  init() throws {
    folder = try TemporaryFolder()
    var plan = ServerPlan()
    (plan.threads, plan.richMessages) = (12, 6)
    server = try Port.listening { [plan] port in
      try EmbeddedServer(Router(plan), port: port) { Timestamp(rawValue: 1_767_182_400_000) }
    }
  }

  private func sync() async throws -> Tideline.Outcome {
    try await Tideline.run(
      "sync", path, "--mail", server.address, "--rich", server.address, "--token", "tideline",
      "--once")
  }

  /// The lines of the server's state that start with a prefix.
  private func state(_ start: String) -> [String] {
    server.withRouter { router, _ in router.state }.split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix(start) }
  }

  /// The id at the end of a line, without the account.
  private func id(_ line: String?) throws -> String {
    let line = try #require(line)
    let name = try #require(line.split(separator: "[").last).dropLast()
    return String(try #require(name.split(separator: "/", maxSplits: 2).last))
  }

  /// A log whose file was emptied doesn't count as a new log.
  @Test func emptiedLog_isRefused() async throws {
    #expect(try await sync().status == 0)
    let data = "\(path)/log/\(Environment.dataFile)"
    #expect(truncate(data, 0) == 0)
    for command in ["check", "list", "status"] {
      let outcome = try await Tideline.run(command, path)
      #expect(outcome.status != 0 && outcome.output == [], "\(command): \(outcome)")
    }
    try FileManager.default.removeItem(atPath: data)
    #expect(try await Tideline.run("list", path).status != 0)
    #expect(!FileManager.default.fileExists(atPath: data))
  }

  /// Output to closed descriptors must not end up in the store's files.
  @Test func closedFiles_costNothing() async throws {
    #expect(try await sync().status == 0)
    let tideline = try Products.program("tideline")
    let lock = try File("\(path)/log/lock.mdb", .read).size()
    for command in ["list", "drain", "nonsense"] {
      let child = try ChildProcess(
        "/bin/sh", ["-c", "exec \(tideline) \(command) \(path) <&- >&- 2>&-"])
      #expect(await child.ended() == .status(command == "nonsense" ? 2 : 0), "\(command)")
    }
    #expect(try File("\(path)/log/lock.mdb", .read).size() == lock)
    let sound = try await Tideline.run("check", path)
    #expect(sound.status == 0, "\(sound)")
  }

  @Test func commandsOfLogs_takeAnInbox() async throws {
    #expect(try await sync().status == 0)
    let sound = try await Tideline.run("check", path)
    #expect(sound.status == 0 && sound.output.first?.hasSuffix("sound") == true)
    let (copy, new) = (folder.path(of: "copy"), folder.path(of: "new"))
    #expect(try await Tideline.run("backup", path, copy) == .init())
    #expect(try await Tideline.run("salvage", path, new).status == 0)
    let shown = try await Tideline.run("log", path)
    for other in [copy, new] { #expect(try await Tideline.run("log", other) == shown) }

    let appended = try await Tideline.run("append", path, "--kind", "40000", input: "Lunch?")
    #expect(appended == .init(output: ["\(shown.output.count + 1)"]))
    #expect(try await Tideline.run("drain", path) == .init())
    #expect(try await Tideline.run("list", path).status == 0)
    #expect(try await Tideline.run("verify", path).status == 0)
  }

  @Test func draft_isShown_andNotMarked() async throws {
    let store = try await InboxStore.open(at: folder.path)
    let inbox = try await store.logIn("me", policy: .inbox)
    try await inbox.apply(Delivery { $0.add(Draft(id: "d1", account: inbox.account)) })
    await store.close()
    let marked = try await Tideline.run("read", folder.path, "d1")
    #expect(marked.status != 0)
    #expect(marked.errors.contains { $0.contains("Drafts can't be marked as read. Name threads") })
    let shown = try await Tideline.run("read", folder.path, "d1", "--peek")
    #expect(shown.status == 0 && shown.output.first?.contains("d1") == true)
  }

  /// Creates a store in which two persons have a thread with the same id.
  private func storeOfTwo() async throws -> String {
    let store = try await InboxStore.open(at: folder.path)
    for person in ["alice", "bob"] {
      let inbox = try await store.logIn(person, policy: .inbox)
      var thread = MailThread(id: "t1", account: inbox.account)
      thread.tagIDs = ["inbox"]
      thread.subject = String(repeating: "Minutes ", count: 12)
      var told = Delivery()
      told.add(thread)
      try await inbox.apply(told)
    }
    await store.close()
    return folder.path
  }

  /// An id is unique within an account only.
  @Test func idOfSeveralObjects_isAmbiguous() async throws {
    let path = try await storeOfTwo()
    let before = try await Tideline.run("log", path, "--origin", "intent")
    for words in [["read"], ["tag", "--add", "archive"], ["delete"]] {
      let said =
        "tideline \(words[0]): 't1' is ambiguous: threads/1/t1, threads/2/t1. "
        + "Name one, as in threads/1/t1."
      let outcome = try await Tideline([words[0], path, "t1"] + words.dropFirst()).ended()
      #expect(outcome == .init(status: 2, errors: [said]))
    }
    #expect(try await Tideline.run("log", path, "--origin", "intent") == before)
    #expect(try await Tideline.run("delete", path, "threads/2/t1").status == 0)
    #expect(try await Tideline.run("read", path, "threads/3/t1").status == 1)
    let store = try await InboxStore.open(at: path)
    for (account, isTrash) in [(1, false), (2, true)] as [(UInt32, Bool)] {
      let thread = try store.inbox(of: account).object(MailThread.self, "t1")
      #expect(thread?.tagIDs.contains("trash") == isTrash)
    }
    await store.close()
  }

  /// A long text is cut off, but never the name, which other commands need.
  @Test func list_showsTheWholeName() async throws {
    let path = try await storeOfTwo()
    let list = try await Tideline.run("list", path)
    #expect(list.output.count == 2, "\(list)")
    for (line, account) in zip(list.output, 1...2) {
      #expect(line.hasSuffix("…  [threads/\(account)/t1]") && line.count == 110, "\(list)")
    }
    let read = try await Tideline.run("read", path, "threads/2/t1", "--peek")
    #expect(read.output.first?.hasSuffix("…  [t1]") == true, "\(read)")
  }

  @Test func whatIsDoneHere_isThere_behindTheNextSync() async throws {
    let first = try await sync()
    #expect(first.status == 0 && first.errors == [] && first.output.count == 2)

    let thread = try id(try await Tideline.run("list", path, "--limit", "1").output.first)
    let rich = try id(try await Tideline.run("list", path, "--of", "rich").output.first)
    #expect(try await Tideline.run("tag", path, thread, "--add", "archive").status == 0)
    #expect(try await Tideline.run("read", path, thread, rich).status == 0)
    let second = try id(
      try await Tideline.run("list", path, "--of", "rich").output.dropFirst().first)
    let deletion = try await Tideline.run("delete", path, second)
    #expect(deletion.output.first?.hasPrefix("deleted") == true)
    let outbox = try await Tideline.run("outbox", path)
    #expect(outbox.output.contains { $0.contains("changeTags") && $0.contains(thread) })
    #expect(outbox.output.contains { $0.contains("delete") && $0.contains(second) })
    #expect(!state("thread \(thread) ").contains { $0.contains("archive") })

    #expect(try await sync().status == 0)
    #expect(try await Tideline.run("outbox", path) == .init())
    #expect(state("thread \(thread) ").contains { $0.contains("archive") })
    #expect(state("rich \(second) ").isEmpty)
    #expect(state("rich \(rich) ") == ["rich \(rich) read"])
    let status = try await Tideline.run("status", path, "--verify")
    #expect(status.status == 0)
    #expect(status.output.last?.hasPrefix("views equal log") == true)
  }

  /// A mark at the start of an id is one character with the comma or the slash.
  @Test func ids_mayBeginWithAMark() async throws {
    #expect(try await sync().status == 0)
    let thread = try id(try await Tideline.run("list", path, "--limit", "1").output.first)
    let tagged = try await Tideline.run("tag", path, thread, "--add", "archive,\u{301}a")
    #expect(tagged.status == 0, "\(tagged)")
    let log = try await Tideline.run("log", path, "--kind", "ChangeTags", "--json")
    let line = try #require(log.output.last)
    #expect(line.unicodeScalars.contains("\"\u{301}a\"".unicodeScalars), "\(line)")
    let blame = try await Tideline.run("blame", path, "threads/1/\u{301}")
    #expect(blame.errors.contains { $0.contains("with the id '\u{301}'") }, "\(blame)")
  }

  /// Changes already made stay in the output when a later one fails.
  @Test func whatWasDone_isShown_thoughTheNextFails() async throws {
    #expect(try await sync().status == 0)
    let thread = try id(try await Tideline.run("list", path, "--limit", "1").output.first)
    for words in [["read"], ["tag", "--add", "archive"], ["delete"]] {
      let outcome = try await Tideline([words[0], path, thread, "nothing"] + words.dropFirst())
        .ended()
      #expect(outcome.status == 1 && outcome.errors.count == 1, "\(outcome)")
      #expect(outcome.output.contains { $0.contains(thread) }, "\(words): \(outcome)")
    }
  }

  /// A command whose reader is gone ends, even if its work isn't finished.
  @Test func progressThatNobodyReads_endsTheCommand() async throws {
    server.stop()
    let client = try Tideline(
      ["sync", path, "--mail", server.address, "--token", "tideline", "--once", "--progress"])
    #expect(await client.next() == "0")
    try client.stopReading()
    #expect(try await client.ended().status == 141)
  }

  /// So does one that would show changes forever, and it leaves the inbox to others.
  @Test func changesThatNobodyReads_endTheCommand() async throws {
    server.stop()
    let client = try Tideline(["sync", path, "--mail", server.address, "--token", "tideline"])
    #expect(await client.next()?.hasPrefix("--") == true)
    try client.stopReading()
    #expect(try await client.ended().status == 141)
  }

  @Test func tokenThatIsRefused_isSaid() async throws {
    let outcome = try await Tideline.run(
      "sync", path, "--mail", server.address, "--token", "other", "--once")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == [
        "tideline: the server doesn't accept the token. Name another: --token TOKEN"
      ])
  }

  /// Only one process at a time syncs an inbox.
  @Test func inboxThatAnotherProcessKeepsInStep_isSaidToBe() async throws {
    let other = try Tideline(["sync", path, "--mail", server.address, "--token", "tideline"])
    while let line = await other.next(), line != "-- live" {}
    let outcome = try await Tideline.run(
      "sync", path, "--mail", server.address, "--token", "tideline", "--once")
    #expect(
      outcome
        == .init(
          status: 1,
          errors: [
            "tideline: another process is syncing this inbox. End that process, or let it run."
          ]))
    other.kill()
    _ = try await other.ended()
    #expect(try await sync().status == 0)
  }

  /// Only `marketingCloud` marks an opened alert as read.
  @Test(arguments: [(nil, false), ("engage", false), ("marketingCloud", true)])
  func policy_isThatOfTheRichInbox(name: String?, marksRead: Bool) async throws {
    let words = ["sync", path, "--rich", server.address, "--token", "tideline", "--once"]
    let outcome = try await Tideline(words + (name.map { ["--policy", $0] } ?? [])).ended()
    #expect(outcome.status == 0 && outcome.errors == [], "\(outcome)")
    let store = try await InboxStore.open(at: path)
    #expect(try store.inbox(of: 1).marksReadOnOpening == marksRead)
    await store.close()
  }

  @Test func serverThatIsNotThere_isSaid_andWaitedFor() async throws {
    let port = server.port
    server.stop()
    let client = try Tideline(
      ["sync", path, "--mail", server.address, "--token", "tideline", "--once"])
    #expect(await client.nextError() == "tideline: the server can't be reached; retrying")
    var plan = ServerPlan()
    plan.threads = 3
    let server = try EmbeddedServer(Router(plan), port: port) { Timestamp(rawValue: 0) }
    let outcome = try await client.ended()
    #expect(outcome.status == 0 && outcome.output.count == 1 && outcome.errors == [], "\(outcome)")
    server.stop()
  }

  @Test(arguments: [
    (["sync", "F"], "tideline sync: no server. Name one with --mail or --rich"),
    (
      ["sync", "F", "--mail", "example"],
      "tideline sync: 'example' is not an address such as http://127.0.0.1"
    ),
    (
      ["sync", "F", "--mail", "http://127.0.0.1", "--policy", "engage"],
      "tideline sync: --policy needs --rich, the server of a rich inbox"
    ),
    (
      ["sync", "F", "--rich", "http://127.0.0.1", "--policy", "cloud"],
      "tideline sync: unknown policy 'cloud'. Name engage or marketingCloud"
    ),
    (
      ["read", "F"],
      "tideline read: ID is missing. Usage: tideline read FOLDER ID... [--peek] [--unread]"
    ),
    (["tag", "F", "t"], "tideline tag: no tags. Name some with --add or --remove"),
  ])
  func wrongUse_isNamed(words: [String], line: String) async throws {
    let outcome = try await Tideline(words.map { $0 == "F" ? path : $0 }).ended()
    #expect(outcome == .init(status: 2, errors: [line]))
  }

  @Test func folderWithoutInbox_isNamed() async throws {
    let outcome = try await Tideline.run("list", folder.path(of: "none"))
    #expect(outcome.status == 1)
    #expect(outcome.errors.first?.contains("holds no inbox. Create one: tideline sync") == true)
  }

  /// A store that was made inside a backup would hide what the backup has.
  @Test func logWithoutStore_isNamed() async throws {
    #expect(try await sync().status == 0)
    let copy = folder.path(of: "copy")
    #expect(try await Tideline.run("backup", path, copy) == .init())
    let said =
      "tideline: \(copy) is a log, without a store. Put a copy into one: "
      + "mkdir NEW && cp -R \(copy) NEW/log"
    for words in [["list", copy], ["verify", copy], ["sync", copy, "--mail", server.address]] {
      let outcome = try await Tideline(words).ended()
      #expect(outcome == .init(status: 1, errors: [said]), "\(words)")
    }
    #expect(!FileManager.default.fileExists(atPath: "\(copy)/log"))
    let new = try folder.made("new")
    try FileManager.default.copyItem(atPath: copy, toPath: "\(new)/log")
    #expect(try await Tideline.run("list", new) == Tideline.run("list", path))
  }

  /// This test takes seconds, as it waits for everything the demo shows.
  @Test func demo_endsWithBothComparisons() async throws {
    let outcome = try await Tideline.run("demo", "--threads", "40", "--rich", "10")
    #expect(outcome.status == 0, "\(outcome)")
    let last = outcome.output.suffix(2)
    #expect(last.first?.hasPrefix("views equal log up to record") == true)
    #expect(last.last?.hasPrefix("client equals server in") == true)
  }

  /// Once the reader is gone, no process of the demo lives on to complain about its missing folder.
  @Test func demoThatNobodyReads_leavesNoProcess() async throws {
    let demo = try Tideline(["demo", "--threads", "1000"])
    await demo.next(where: { $0.contains("░") }) { try? $0.stopReading() }
    let outcome = try await demo.ended()
    #expect(outcome == .init(status: 141), "\(outcome)")
  }
}
