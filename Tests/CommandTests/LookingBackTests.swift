import EventStore
import Foundation
import LMDB
import TestSupport
import Testing
import Tideline

/// Looking back with nothing but a report of what was seen, and when.
@Suite(.timeLimit(.minutes(5))) struct LookingBackTests {
  /// If the question is already true at the start, no later record can be the first.
  @Test func bisect_ofWhatWasSo_saysSo() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    let questions = [
      ["--when", "threads(1/t3)"], ["--run", "test $TIDELINE_AT -lt 5"],
    ]
    for question in questions {
      let late = try await Tideline(["bisect", path, "--from", "20"] + question).ended()
      #expect(late.status == 1 && late.output == [], "\(late)")
      #expect(late.errors.last?.contains("already true after #20") == true, "\(late)")
      let end = try await Tideline(["bisect", path, "--from", "end"] + question).ended()
      #expect(end.status == 1 && end.output == [], "\(end)")
      #expect(end.errors.last?.contains("already true after #51") == true, "\(end)")
      let early = try await Tideline(["bisect", path, "--from", "4"] + question).ended()
      #expect(early.status == 0 && early.output.first?.hasPrefix("#5 ") == true, "\(early)")
    }
    let always = try await Tideline.run("bisect", path, "--when", "!threads(1/t99)")
    #expect(always.status == 1 && always.output == [], "\(always)")
    #expect(always.errors.last?.contains("true from the beginning") == true, "\(always)")
  }

  /// A part of an id names an object if it is unique; otherwise the candidates are listed.
  @Test func objects_areNamedByAPartOfTheirIDs() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    for words in [["at", path, "end", "--object"], ["blame", path]] {
      let whole = try await Tideline(words + ["threads/1/t2"]).ended()
      #expect(whole.status == 0 && !whole.output.isEmpty, "\(whole)")
      #expect(try await Tideline(words + ["t2"]).ended() == whole)
      let one = try await Tideline(words + ["t18"]).ended()
      #expect(try await Tideline(words + ["18"]).ended() == one && one.status == 0)
      let many = try await Tideline(words + ["t"]).ended()
      #expect(many.status == 2 && many.errors.count == 1, "\(many)")
      #expect(many.errors.first?.contains("threads/1/t1, ") == true, "\(many)")
      #expect(many.errors.first?.contains("or 15 others") == true, "\(many)")
      let none = try await Tideline(words + ["x99"]).ended()
      #expect(none.status == 2 && none.errors.count == 1, "\(none)")
    }
    let why = try await Tideline.run("why", path, "1/t2", "unread inbox:1")
    #expect(why.status == 2, "\(why)")
    let known = try await Tideline.run("why", path, "t2", "unread inbox:1")
    #expect(known.output.first?.hasPrefix("t2 is not in unread inbox:1") == true, "\(known)")
    let gone = try await Tideline.run("at", path, "2", "--object", "threads/1/t2")
    #expect(gone.status == 1 && gone.errors.last?.contains("tideline blame") == true, "\(gone)")
  }

  /// A time of day means one on a day of the log, and a time without a zone is UTC.
  @Test(arguments: [
    ("10:00:20", 20), ("10:00:20Z", 20), ("11:00:20+01:00", 20), ("09:59:59", 0), ("10:15", 0),
    ("2025-11-21 10:00:20", 20), ("2025-11-21T05:00:20-05:00", 20), ("Nov 21 2025 10:00:20 AM", 20),
  ]) func times_areOfTheLog(_ time: String, _ number: Int) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    let outcome = try await Tideline.run("at", path, time)
    let start = number == 0 ? "after #0" : "after #\(number) of 2025-11-21T10:00:20.000Z"
    #expect(outcome.output.first == start, "\(outcome)")
    let isSaid = !time.contains("2025")
    #expect(outcome.errors.count == (isSaid ? 1 : 0), "\(outcome)")
    if isSaid { #expect(outcome.errors[0].contains("\(time) is 2025-11-2"), "\(outcome)") }
  }

  /// A list that is cut off says how many rows are left.
  @Test func longLists_sayHowMuchIsLeft() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    let words = ["at", path, "end", "--list", "threads by tag:1/inbox"]
    let all = try await Tideline(words).ended()
    #expect(all.output.count == 20 && all.errors == [], "\(all)")
    let few = try await Tideline(words + ["--limit", "3"]).ended()
    #expect(few.output == Array(all.output.prefix(3)))
    #expect(few.errors == ["tideline: threads by tag:1/inbox has 17 more rows; see --limit"])
  }

  /// Texts stored in the log are shown as far as they fit, with the record that holds all of them.
  @Test func texts_areShown() async throws {
    let folder = try TemporaryFolder()
    let store = try await InboxStore.open(at: folder.path)
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    let draft = Draft(id: inbox.newID(), account: inbox.account)
    let first = try await inbox.perform(.save(draft, body: "Lunch at noon?")).number
    let second = try await inbox.perform(.save(draft, body: "Lunch at one?")).number
    await store.close()
    let shown = try await Tideline.run("at", folder.path, "end", "--object", draft.id)
    #expect(shown.output.contains { $0.hasPrefix("body ") && $0.contains("“Lunch at one?” in #") })
    let blame = try await Tideline.run("blame", folder.path, draft.id, "--field", "body")
    let change = "“Lunch at noon?” in #\(first) → “Lunch at one?” in #\(second)"
    #expect(blame.output.contains("      body: \(change)"), "\(blame)")
  }

  /// What waits is explained by both commands alike, and `at` changes nothing.
  @Test func outbox_saysWhyItWaits() async throws {
    let folder = try TemporaryFolder()
    let store = try await InboxStore.open(at: folder.path)
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    let draft = Draft(id: inbox.newID(), account: inbox.account)
    let saving = try await inbox.perform(.save(draft, body: "Lunch?")).number
    var batch = Batch()
    batch.add(
      OperationRejected { ($0.intent, $0.reason, $0.error) = (saving, .tooLarge, "bob is full") },
      recordedAt: Timestamp(rawValue: 1_750_000_000_000),
      login: Login(account: inbox.account, epoch: 1))
    _ = try await store.core.append(batch)
    await store.close()
    let log = try await Tideline.run("log", folder.path)
    let shown = try await Tideline.run("at", folder.path, "end", "--outbox")
    #expect(try await Tideline.run("log", folder.path) == log)
    let object = "messages/\(inbox.account)/\(draft.id)"
    let said = "#\(saving)  saveDraft   \(object)  rejected  (tooLarge: bob is full)"
    #expect(shown.output.count == 1 && shown.output.first?.hasSuffix(said) == true, "\(shown)")
    #expect(try await Tideline.run("outbox", folder.path).output == shown.output)
    let json = try await Tideline.run("at", folder.path, "end", "--outbox", "--json")
    for member in ["\"object\":\"\(object)\"", "\"reason\":\"tooLarge\"", "\"attempts\":0"] {
      #expect(json.output.first?.contains(member) == true, "\(json)")
    }
    let blame = try await Tideline.run("blame", folder.path, object)
    #expect(blame.status == 0 && !blame.output.isEmpty, "\(blame)")
  }

  /// A list without its group, or without a part of it, gets an error that says what a group is
  /// made of.
  @Test(arguments: [
    ("unread inbox", "unread inbox:ACCOUNT."),
    ("threads by tag:inbox", "threads by tag:ACCOUNT/TAGIDS."),
    ("inbox", "unread inbox:ACCOUNT, "),
  ]) func lists_thatAreNone_areMended(_ list: String, _ mend: String) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    let outcome = try await Tideline.run("at", path, "end", "--list", list)
    #expect(outcome.status == 2 && outcome.errors.count == 1, "\(outcome)")
    #expect(outcome.errors.first?.contains(mend) == true, "\(outcome)")
  }

  @Test func badge_ofNobody_isRefused() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    let outcome = try await Tideline.run("blame", path, "badge/7")
    #expect(outcome.status == 2 && outcome.output == [], "\(outcome)")
    #expect(outcome.errors.first?.contains("account 7 does not exist") == true, "\(outcome)")
    #expect(try await Tideline.run("blame", path, "badge/1").status == 0)
  }

  /// A log too short for snapshots gets none, and the command says why.
  @Test func snapshots_thatAreNone_saySo() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    let made = try await Tideline.run("snapshots", path)
    let said =
      "no snapshots: they are at least 1024 records apart, and the log has 51, which "
      + "replay as fast without"
    #expect(made == .init(status: 0, output: [said]), "\(made)")
    let json = try await Tideline.run("snapshots", path, "--json")
    #expect(json.output.first?.hasPrefix("{\"numbers\":[],") == true, "\(json)")
  }

  /// Snapshots only save time, so an answer doesn't need any that can't be used.
  @Test func snapshots_thatCanNotBeUsed_areLeftOut() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    let before = try await Tideline.run("at", path, "end")
    #expect(try await Tideline.run("snapshots", path).status == 0)
    #expect(try await Tideline.run("at", path, "end") == before)
    // Not even the superuser can write to a folder as to a file.
    let lease = "\(path)/snapshots/lease"
    try FileManager.default.removeItem(atPath: lease)
    try FileManager.default.createDirectory(atPath: lease, withIntermediateDirectories: false)
    let outcome = try await Tideline.run("at", path, "end")
    #expect(outcome.status == 0 && outcome.output == before.output, "\(outcome)")
    let said = "tideline: The snapshots in \(path)/snapshots are not used: open \(lease): "
    #expect(outcome.errors.count == 1 && outcome.errors[0].hasPrefix(said), "\(outcome)")
  }

  /// A list of an account that does not exist is no empty list.
  @Test func lists_ofNobody_areSaidToBe() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    let said =
      "tideline: account 9 does not exist after #51. List the accounts with: "
      + "tideline at \(path) 51 --list accounts"
    for list in ["unread inbox:9", "threads by tag:9/inbox"] {
      let shown = try await Tideline.run("at", path, "end", "--list", list)
      #expect(shown == .init(errors: [said]))
      let bisect = try await Tideline.run("bisect", path, "--when", "count(\(list)) > 0")
      #expect(bisect.status == 1 && bisect.errors == [said], "\(bisect)")
    }
  }

  /// An id without its account names nothing, so a question about it is never true.
  @Test func questions_aboutWhatNeverWas_saySo() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    let account = " Put the account in front, as in threads(1/t7)."
    for (question, id, remedy) in [
      ("threads(t7).tagIDs has unread", "t7", account), ("threads(t7)", "t7", account),
      ("listed(t7, unread inbox:1)", "t7", account), ("threads(1/t99)", "1/t99", ""),
    ] {
      let said = "nothing in threads has, or ever had, the id '\(id)' up to #51.\(remedy)"
      let bisect = try await Tideline.run("bisect", path, "--when", question)
      #expect(bisect.status == 1 && bisect.errors == ["tideline: \(said)"], "\(bisect)")
      let minimize = try await Tideline.run("minimize", path, "--when", question)
      let notSo = "tideline: not true after #51: \(question); \(said)"
      #expect(minimize.status == 1 && minimize.errors == [notSo], "\(minimize)")
    }
    let known = try await Tideline.run("bisect", path, "--when", "threads(1/t7).subject == none")
    #expect(known.errors == [], "\(known)")
  }

  /// The views that somebody saw may be of an older version, and the command then says so.
  @Test func viewsOfAnotherVersion_areSaid() async throws {
    let folder = try TemporaryFolder()
    try await CameBackUnread.make(in: folder.made("log"))
    let path = folder.path
    #expect(try await Tideline.run("list", path).errors == [])
    #expect(try await Tideline.run("at", path, "end").errors == [])
    let views = Folder(path).folder("views")
    var pointer = try #require(try ViewsPointer.read(in: views))
    pointer.recipe.reducers -= 1 << 16
    try pointer.write(in: views)
    let (now, before) = (InboxReducer().version, InboxReducer().version - 1)
    let said =
      "tideline: version \(before) of the rules made the views in \(path), but version "
      + "\(now) made this output. It may differ from what people saw."
    for words in [
      ["at", path, "end"], ["blame", path, "t7"], ["why", path, "t7", "unread inbox:1"],
      ["list", path],
    ] {
      let outcome = try await Tideline(words).ended()
      #expect(outcome.status == 0 && outcome.errors == [said], "\(words): \(outcome)")
    }
    // By now the views have been rebuilt.
    #expect(try await Tideline.run("at", path, "end").errors == [])
  }

  /// A diff of a list shows every change, however many there are.
  @Test func diff_ofAList_showsAllOfIt() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    let list = ["--list", "threads by tag:1/inbox"]
    let all = try await Tideline(["diff", path, "1", "end"] + list).ended()
    #expect(all.output.first == "  ≡ threads by tag:1/inbox: 20 instead of 0", "\(all)")
    #expect(all.output.count == 21 && all.output.contains("      +13 1/t7"), "\(all)")
    let few = try await Tideline(["diff", path, "1", "4"] + list).ended()
    #expect(few.output == ["  ≡ threads by tag:1/inbox: +0 1/t2, +1 1/t1"], "\(few)")
  }

  /// A log of inboxes is shown in words, as in every other command.
  @Test func log_ofInboxes_isToldInWords() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    let shown = try await Tideline.run("log", path, "--kind", "MarkRead")
    #expect(shown.output.count == 2 && shown.errors == [], "\(shown)")
    #expect(shown.output.allSatisfy { $0.contains("  mark read class=thread") }, "\(shown)")
    #expect(shown.output.allSatisfy { $0.count <= 100 })
  }

  /// A condition may need no record at all.
  @Test func minimize_ofWhatIsTrueOfNothing_saysSo() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    let outcome = try await Tideline.run("minimize", path, "--when", "!threads(1/t99)")
    #expect(outcome == .init(errors: ["tideline: true without any record: !threads(1/t99)"]))
  }

  /// A condition that always held can't hold "again", so there is nothing to minimize.
  @Test func minimize_ofWhatIsNotAgain_saysSo() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.made("phone")
    try await CameBackUnread.make(in: path)
    let question = "again threads(1/t7).tagIDs has inbox"
    let outcome = try await Tideline.run("minimize", path, "--when", question)
    #expect(outcome.status == 1 && outcome.output == [], "\(outcome)")
    #expect(outcome.errors.last?.contains("not true after #") == true, "\(outcome)")
  }
}
