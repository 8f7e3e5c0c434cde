import EventStore
import TestSupport
import Testing
import Tideline
import TidelineReplay

/// Explanations of why an object is missing, and the fewest records that show a fault.
@Suite struct WhyTests {
  private static let login = Login(account: 1, epoch: 1)
  private static let start: Int64 = 1_763_719_200_000
  private static let list = ListName("unread inbox", group: .number(1))

  /// A log whose events are a second apart.
  private final class Scene {
    let folder: TemporaryFolder
    let log: Log
    private var batch = Batch()

    init() async throws {
      folder = try TemporaryFolder()
      log = try await Log.open(at: folder.path)
      add(LoggedIn { ($0.person, $0.policy) = ("alice@example.com", .inbox) })
    }

    @discardableResult
    func add(_ event: some InboxEvent, exchange: RecordNumber? = nil) -> RecordNumber {
      let number = RecordNumber(rawValue: UInt64(batch.count + 1))
      batch.add(
        event, recordedAt: WhyTests.time(number), login: WhyTests.login,
        exchange: exchange.map { .record($0) })
      return number
    }

    @discardableResult
    func add(
      _ id: String, _ change: ObjectChange = .changed, exchange: RecordNumber? = nil
    ) -> RecordNumber {
      add(
        ObjectFact(
          .thread,
          ObjectFields {
            $0.put(.id, id)
            $0.put(.change, change)
            $0.put(.tags, ["inbox", "unread"].map { ObjectLabel($0) })
          }), exchange: exchange)
    }

    /// Adds a fact about a thread whose version nobody knows yet.
    func addRefused(_ id: String) -> RecordNumber {
      let number = RecordNumber(rawValue: UInt64(batch.count + 1))
      let fact = ObjectFact(.thread, ObjectFields { $0.put(.id, id) })
      var event = Event(fact, recordedAt: WhyTests.time(number), login: WhyTests.login)
      event.version = .max
      event.entity = log.fingerprint(of: "\(ObjectClass.thread.rawValue)/1/\(id)")
      batch.add(event) { _ in }
      return number
    }

    /// Adds a fact about a thread under a login that the log doesn't have.
    func addStray(_ id: String) -> RecordNumber {
      let number = RecordNumber(rawValue: UInt64(batch.count + 1))
      let fact = ObjectFact(.thread, ObjectFields { $0.put(.id, id) })
      batch.add(
        fact, recordedAt: WhyTests.time(number), login: Login(account: 1, epoch: 7),
        entity: log.fingerprint(of: "\(ObjectClass.thread.rawValue)/1/\(id)"))
      return number
    }

    func replay() async throws -> InboxReplay {
      try await log.append(batch)
      return try InboxReplay(log, at: log.last)
    }
  }

  private static func time(_ number: RecordNumber) -> Timestamp {
    Timestamp(rawValue: start + 1000 * Int64(number.rawValue))
  }

  /// A mark at the start of an id is one character with what precedes it.
  @Test func objectWhoseIDBeginsWithAMark_isExplained() async throws {
    let (scene, id) = (try await Scene(), "\u{301}t")
    scene.add(id)
    scene.add(IDReplaced { ($0.objectClass, $0.old, $0.new) = (.thread, id, "t2") })
    let intent = scene.add(MarkRead { ($0.objectClass, $0.ids, $0.isRead) = (.thread, [id], true) })
    let refusal = scene.add(OperationRejected { $0.intent = intent })
    let past = try await scene.replay()
    let blame = try past.blame("t2", .thread, of: 1).first { $0.testimony.number == refusal }
    #expect(blame?.ended.map(\.number) == [intent])
    try past.replay.advance(to: refusal)
    #expect(try past.list("unread inbox:1") == Self.list)
    #expect(throws: InboxReplayError.self) { try past.list("unread inbox:\u{301}1") }
    let question = try PastQuestion("threads(1/\(id)).tagIDs has unread", of: past.replay)
    #expect(try question.isSo(past.replay))
    let tags = try #require(MailThread.collection.field(named: "tagIDs"))
    let view = ViewDefinition("tagged", of: MailThread.collection).grouped(by: tags)
    let other = try Replay(scene.log, reducer: InboxReducer(views: [view]), at: refusal)
    let found = try other.explain("1/\(id)", in: ListName("tagged", group: .text(id)))
    #expect(found.grouping?.text.utf8.elementsEqual("tagIDs has \(id)".utf8) == true)
    #expect(try !PastQuestion("threads(\(id))", of: other).isSo(other))
    await scene.log.close()
  }

  /// A damaged record may have left any number in the row of an operation.
  @Test func blame_ofAnOperationOfANegativeIntent() async throws {
    let scene = try await Scene()
    var (thread, base, operation) = (RowKept(), RowKept(), RowKept())
    (thread.collection, thread.id) = (Int64(MailThread.collection.number), "1/t1")
    thread.values.fields = [1: .integer(1), 22: .list([.text("inbox")])]
    (base.collection, base.id) = (13, "1/t1")
    base.values.fields = [1: .integer(1), 22: .list([.text("inbox"), .text("unread")])]
    (operation.collection, operation.id) = (Int64(Operations.collection.number), "0/1/t1")
    operation.values.fields = [
      1: .integer(1), 2: .integer(1), 3: .integer(-1), 4: .integer(1),
      5: .integer(ObjectClass.thread.rawValue), 6: .text("t1"), 7: .integer(1), 13: .boolean(true),
    ]
    scene.add(
      StateKept {
        $0.texts.put(.id, "t1")
        $0.rows = [thread, base, operation]
      })
    let refusal = scene.add(OperationRejected { ($0.intent, $0.item) = (0, "t1") })
    let blames = try await scene.replay().blame("t1", .thread, of: 1)
    let last = try #require(blames.first { $0.testimony.number == refusal })
    #expect(last.ended.isEmpty)
    await scene.log.close()
  }

  /// An object that the server deleted may come back after 90 days.
  @Test func why_ofWhatTheServerDeleted() async throws {
    let scene = try await Scene()
    scene.add("t1")
    let deletion = scene.add("t1", .deleted)
    let why = try await scene.replay().why("t1", .thread, in: Self.list, of: 1)
    #expect(!why.isListed && why.list.row == nil)
    #expect(why.verdict == "t1 is not in unread inbox:1: it was deleted")
    let stone = try #require(why.tombstone)
    #expect(stone.deletion?.number == deletion && stone.deletedAt == Self.time(deletion))
    let days: Int64 = 90 * 86_400_000
    #expect(stone.endsAt == Timestamp(rawValue: Self.time(deletion).rawValue + days))
    #expect(why.description.contains("deleted by #\(deletion) "), "\(why)")
    #expect(why.description.contains("in effect until 2026-02-19T"), "\(why)")
    await scene.log.close()
  }

  /// An object that the person deleted never comes back, even if an answer to an earlier request
  /// has it.
  @Test func why_ofWhatThePersonDeleted() async throws {
    let scene = try await Scene()
    let first = scene.add("t1")
    let exchange = scene.add(
      Exchange {
        ($0.request, $0.objectClass, $0.status, $0.sentAfter) = (.page, .thread, 200, first)
      })
    let deletion = scene.add(DeleteObjects { ($0.objectClass, $0.ids) = (.thread, ["t1"]) })
    let end = scene.add(OperationAcknowledged { ($0.intent, $0.status) = (deletion, 200) })
    let late = scene.add("t1", exchange: exchange)
    let past = try await scene.replay()
    #expect(past.number == late)
    let why = try past.why("t1", .thread, in: Self.list, of: 1)
    #expect(!why.isListed, "\(why)")
    let stone = try #require(why.tombstone)
    #expect(stone.deletion?.number == end && stone.endsAt == nil)
    #expect(why.description.contains("for as long as the account exists"), "\(why)")
    let never = try past.why("t9", .thread, in: Self.list, of: 1)
    #expect(never.tombstone == nil && never.operations.isEmpty)
    #expect(never.verdict == "t9 is not in unread inbox:1: the log does not mention it")
    await scene.log.close()
  }

  /// What a newer version of the app recorded, this one refuses.
  @Test func why_ofWhatWasRefused() async throws {
    let scene = try await Scene()
    let number = scene.addRefused("t9")
    let past = try await scene.replay()
    let why = try past.why("t9", .thread, in: Self.list, of: 1)
    let reason = try #require(try past.replay.refused().first?.reason)
    #expect(why.silentRecord == RefusedEvent(number: number, reason: reason))
    #expect(
      why.verdict
        == "t9 is not in unread inbox:1: record \(number) left nothing of it. \(reason)")
    let other = try past.why("t8", .thread, in: Self.list, of: 1)
    #expect(other.silentRecord == nil)
    await scene.log.close()
  }

  /// A record that was not taken in is named, whether or not others about the object were.
  @Test func why_ofWhatWasNotTakenIn() async throws {
    let scene = try await Scene()
    scene.add("t1")
    let refused = scene.addRefused("t1")
    let stray = scene.addStray("t9")
    let past = try await scene.replay()
    let known = try past.why("t1", .thread, in: Self.list, of: 1)
    #expect(known.isListed && known.silentRecord == nil)
    #expect(known.refusals.map(\.number) == [refused])
    #expect(known.description.contains("\n  refused: #\(refused). "), "\(known)")
    let unknown = try past.why("t9", .thread, in: Self.list, of: 1)
    #expect(unknown.silentRecord?.number == stray && unknown.refusals == [])
    #expect(unknown.verdict.contains("Its login, number 7 of account 1, was not open"))
    await scene.log.close()
  }

  /// A payload that was erased can be imagined, too.
  @Test func whatIf_ofAnErasedRecord() async throws {
    let scene = try await Scene()
    let number = scene.add("t1")
    let payload = try #require(try await scene.replay().log.read { try $0.record(number) }).payload
    try await scene.log.erase(Erasure(numbers: [number...number]))
    let past = try InboxReplay(scene.log, at: scene.log.last)
    #expect(try past.replay.row("1/t1", in: MailThread.collection) == nil)
    let found = try past.whatIf([.patch(number, payload: payload)], at: scene.log.last)
    #expect(found.rows.contains { $0.id == "1/t1" && $0.old == nil && $0.new != nil })
    await scene.log.close()
  }

  /// A moment is the same moment however it is written, and a text that stays in the log is itself.
  @Test func questions_aboutMomentsAndTexts() async throws {
    let scene = try await Scene()
    scene.add(
      ObjectFact(
        .message,
        ObjectFields {
          $0.put(.id, "m1")
          $0.put(.date, Timestamp(rawValue: 1_763_631_000_000))
          $0.put(.body, "hello")
        }))
    let past = try await scene.replay()
    let answers = [
      ("date == 2025-11-20T09:30:00Z", true), ("date == 2025-11-20T10:30:00+01:00", true),
      ("date >= 2025-11-20T09:30:00Z", true), ("date > 2025-11-20T10:29:59.999+01:00", true),
      ("date > 2025-11-20T09:30:00.000Z", false), ("date != 2025-11-20T09:30:00Z", false),
      ("date < 2025-11-20T09:30:00.001Z", true), ("date == none", false),
      ("body == hello", true), ("body == other", false), ("body != hello", false),
      ("updatedAt == none", true), ("updatedAt != 2025-11-20T09:30:00Z", true),
    ]
    for (clause, answer) in answers {
      let question = try PastQuestion("messages(1/m1).\(clause)", of: past.replay) {
        Timestamp(text: $0)
      }
      #expect(try question.isSo(past.replay) == answer, "\(clause)")
    }
    #expect(throws: PastQuestion.Mistake.self) {
      try PastQuestion("messages(1/m1).date == yesterday", of: past.replay) {
        Timestamp(text: $0)
      }
    }
    await scene.log.close()
  }

  /// Values and ids may contain what separates the parts of a question.
  @Test func question_withParentheses_isReadAsMeant() async throws {
    let scene = try await Scene()
    for (id, subject) in [("t1", "Lunch (today)"), ("t(2)", "Lunch")] {
      scene.add(
        ObjectFact(
          .thread,
          ObjectFields {
            $0.put(.id, id)
            $0.put(.subject, subject)
            $0.put(.tags, [ObjectLabel("inbox"), ObjectLabel("unread")])
          }))
    }
    let past = try await scene.replay()
    for (text, answer) in [
      ("threads(1/t1).subject == Lunch (today)", true),
      ("threads(1/t1).subject has Lunch (tomorrow)", false),
      ("threads(1/t(2)).subject == Lunch", true), ("threads(1/t(2))", true),
      ("threads(1/t(3))", false), ("listed(1/t(2), unread inbox:1)", true),
    ] {
      #expect(try PastQuestion(text, of: past.replay).isSo(past.replay) == answer, "\(text)")
    }
    for text in [
      "listed(1/t1, unread inbox:1) == false", "threads(1/t1).nothing == Lunch (today)",
    ] {
      #expect(throws: PastQuestion.Mistake.self) { try PastQuestion(text, of: past.replay) }
    }
    await scene.log.close()
  }

  /// The verdict names both the required value and the actual one.
  @Test func why_ofWhatIsNotAskedFor() async throws {
    let scene = try await Scene()
    scene.add("t1")
    scene.add(MarkRead { ($0.objectClass, $0.ids, $0.isRead) = (.thread, ["t1"], true) })
    let why = try await scene.replay().why("t1", .thread, in: Self.list, of: 1)
    #expect(
      why.verdict
        == "t1 is not in unread inbox:1: it needs tagIDs intersects [\"unread\"], but has [inbox]")
    #expect(why.description.contains("✓ hiding == nil"), "\(why)")
    await scene.log.close()
  }

  /// To a person who saw a message go and come back, it was gone, not hidden.
  @Test func whatIsHidden_isNotThere() async throws {
    let scene = try await Scene()
    let fact = scene.add(ObjectFact(.message, ObjectFields { $0.put(.id, "m1") }))
    let intent = scene.add(DeleteObjects { ($0.objectClass, $0.ids) = (.message, ["m1"]) })
    let outcome = scene.add(
      OperationRejected { ($0.intent, $0.reason) = (intent, .refused) })
    let past = try await scene.replay()
    let gone = try PastQuestion("!messages(1/m1)", of: past.replay)
    var bisection = Bisection(after: fact, through: intent)
    #expect(try past.replay.bisect(&bisection) { try gone.isSo($0) } == intent)
    let again = try PastQuestion("again messages(1/m1)", of: past.replay)
    try past.replay.advance(to: outcome)
    #expect(try past.minimized(again).numbers == [1, fact, intent, outcome])
    // Its fields can be asked for even then.
    try past.replay.advance(to: intent)
    let state = try PastQuestion("messages(1/m1).kind == 1", of: past.replay)
    #expect(try state.isSo(past.replay) && gone.isSo(past.replay))
    await scene.log.close()
  }

  /// A fault needs one fact and one intent, among records of other threads; the reported progress
  /// never goes back.
  @Test func minimized_isTheFactAndTheIntent() async throws {
    let scene = try await Scene()
    for number in 0..<10 { scene.add("t\(number)") }
    let fact = scene.add("planted")
    for number in 10..<18 { scene.add("t\(number)") }
    let intent = scene.add(
      MarkRead { ($0.objectClass, $0.ids, $0.isRead) = (.thread, ["planted"], true) })
    for number in 18..<20 { scene.add("t\(number)") }
    let past = try await scene.replay()
    let question = try PastQuestion("again !threads(1/planted).tagIDs has unread", of: past.replay)
    var left: [Int] = []
    let found = try past.minimized(question) {
      left.append($0)
      return true
    }
    #expect(found.numbers == [1, fact, intent])
    #expect(left == left.sorted(by: >) && left.first == 23)
    for calls in 0..<8 {
      var asked = 0
      #expect(throws: StoreError.cancelled) {
        try past.minimized(question) { _ in
          asked += 1
          return asked <= calls
        }
      }
      #expect(asked == calls + 1)
    }
    await scene.log.close()
  }
}
