import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// Bug reports by users, each investigated with one command.
@Suite(.timeLimit(.minutes(5))) struct BugReportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func phone() async throws -> String {
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    return path
  }

  /// Creates a log whose events are a second apart.
  private func log(of events: [any InboxEvent]) async throws -> String {
    let path = try folder.made("log")
    let log = try await Log.open(at: path)
    var batch = Batch()
    for (index, event) in events.enumerated() {
      let time = Timestamp(rawValue: 1_763_719_200_000 + Int64(index) * 1000)
      batch.add(event, recordedAt: time, login: Login(account: 1, epoch: 1))
    }
    try await log.append(batch)
    await log.close()
    return path
  }

  private static let loggedIn = LoggedIn { $0.person = "alice@example.com" }

  /// "The draft was sent twice": the log shows how often the intent was started, and its outcome.
  private func sentTwice() async throws -> String {
    try await log(of: [
      Self.loggedIn,
      SaveDraft {
        $0.draft = ObjectFields {
          $0.put(.id, "local-1")
          $0.put(.subject, "Invoice")
        }
      },
      IDReplaced { ($0.objectClass, $0.old, $0.new, $0.intent) = (.draft, "local-1", "d77", 2) },
      OperationAcknowledged { ($0.intent, $0.status) = (2, 200) },
      SendDraft { $0.id = "d77" },
      OperationStarted { $0.intent = 5 },
      OperationUncertain { ($0.intent, $0.reason) = (5, .lostAnswer) },
      OperationStarted { ($0.intent, $0.attempt) = (5, 2) },
      OperationAcknowledged { ($0.intent, $0.status) = (5, 200) },
    ])
  }

  @Test func draft_sentTwice_isToldByItsIntent() async throws {
    let path = try await sentTwice()
    let told = try await Tideline.run("log", path, "--intent", "5")
    let numbers = told.output.compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(told.status == 0 && numbers == ["5", "6", "7", "8", "9"], "\(told)")
    let count = try await Tideline.run("log", path, "--intent", "5", "--count")
    #expect(count.output.first == "        2  OperationStarted", "\(count)")
    let first = try await Tideline.run("log", path, "--intent", "2", "--kind", "IDReplaced")
    #expect(first.output.count == 1 && first.output[0].contains("  id replaced class=draft"))
  }

  /// An object is also found by the id that its server gave it.
  @Test func draft_isFoundByTheIDOfItsServer() async throws {
    let path = try await sentTwice()
    let blame = try await Tideline.run("blame", path, "d77")
    #expect(try await Tideline.run("blame", path, "local-1") == blame)
    #expect(blame.output.contains("  + messages/1/local-1"), "\(blame)")
    // Codes are shown as words.
    #expect(blame.output.contains("      state: sending → sent"), "\(blame)")
    let hidden = "      hiding: none → it was a draft that was sent, and is not a message yet"
    #expect(blame.output.contains(hidden), "\(blame)")
    #expect(!blame.output.contains { $0.contains("known:") }, "\(blame)")
  }

  /// "A push appeared and vanished": a deleted object is found by an id that only it has had.
  @Test func push_thatVanished_isFoundByItsID() async throws {
    let path = try await log(of: [
      Self.loggedIn,
      AlertArrived { alert in alert.message = ObjectFields { $0.put(.id, "r9") } },
      ObjectFact(
        .rich,
        ObjectFields {
          $0.put(.id, "r9")
          $0.put(.change, .gone)
        }),
    ])
    let blame = try await Tideline.run("blame", path, "r9")
    let steps = blame.output.filter { $0.hasSuffix("rich/1/r9") }
    #expect(steps == ["  + rich/1/r9", "  - rich/1/r9"], "\(blame)")
    let why = try await Tideline.run("why", path, "r9", "rich messages:1")
    #expect(why.output.first == "r9 is not in rich messages:1: it was deleted", "\(why)")
  }

  /// "Unread after I read it": `blame` names the intent that ended, although the record doesn't.
  @Test func intent_thatIsOver_isNamed() async throws {
    let path = try await log(of: [
      LoggedIn {
        $0.person = "alice@example.com"
        $0.policy.settleInterval = .seconds(1)
      },
      ObjectFact(
        .thread,
        ObjectFields {
          $0.put(.id, "t1")
          $0.put(.tags, ["inbox", "unread"].map { ObjectLabel($0) })
        }),
      MarkRead { ($0.objectClass, $0.ids, $0.isRead) = (.thread, ["t1"], true) },
      OperationAcknowledged { ($0.intent, $0.status) = (3, 200) },
      ClockTicked { $0.reason = .due },
    ])
    let blame = try await Tideline.run("blame", path, "t1", "--field", "tagIDs")
    #expect(blame.output.suffix(4).first?.contains("clock ticked reason=due") == true, "\(blame)")
    let over = "      ended with it: #3 mark read class=thread ids=[“t1”] isRead=yes"
    #expect(blame.output.last?.hasPrefix(over) == true, "\(blame)")
  }

  /// "It is in the wrong list": `at` shows an object's lists, and explains an unknown list's group.
  @Test func lists_ofAnObject_areShown() async throws {
    let path = try await phone()
    let shown = try await Tideline.run("at", path, "end", "--object", "t7")
    let lists = shown.output.filter { $0.hasPrefix("in ") }.map { $0.dropFirst(25) }
    #expect(
      Set(lists) == ["unread inbox:1", "threads by tag:1/inbox", "threads by tag:1/unread"],
      "\(shown)")
    let json = try await Tideline.run("at", path, "end", "--object", "t7", "--json")
    let data = Data((json.output.first ?? "").utf8)
    let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    #expect(object?["lists"] as? [String] == lists.map(String.init), "\(json)")
    let none = try await Tideline.run("at", path, "end", "--list", "threads by tag:1/Inbox")
    #expect(none.status == 0 && none.output == [], "\(none)")
    let said = "tideline: threads by tag:1/Inbox is empty. Its group is a value of tagIDs"
    #expect(none.errors.first?.hasPrefix(said) == true, "\(none)")
    let mend = "see: tideline at \(path) end --list 'tags:1'"
    #expect(none.errors.first?.hasSuffix(mend) == true, "\(none)")
  }

  /// A time of day alone means a time on a day of the log, as it does for a place.
  @Test(arguments: [("--after", "10:00:30"), ("--before", "11:00:08+01:00")])
  func log_takesTimesOfTheDay(_ option: String, _ time: String) async throws {
    let path = try await phone()
    let shown = try await Tideline.run("log", path, option, time)
    #expect(shown.status == 0 && shown.errors.count == 1, "\(shown)")
    #expect(shown.errors.first?.contains("\(time) is 2025-11-21T10:00:") == true, "\(shown)")
    let whole = try await Tideline.run("log", path)
    let part = option == "--after" ? whole.output.dropFirst(29) : whole.output.prefix(8)
    #expect(shown.output == Array(part), "\(shown)")
    let wrong = try await Tideline.run("log", path, option, "25:15")
    #expect(wrong.status == 2 && wrong.output == [], "\(wrong)")
  }
}
