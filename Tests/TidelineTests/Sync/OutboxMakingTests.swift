import EventStore
import Foundation
import TestSupport
import Testing
import Tideline
import TidelineSync

/// How drafts, texts and tags that a person makes reach the server.
@Suite(.timeLimit(.minutes(5))) struct OutboxMakingTests {
  /// A text in a flush is sent, though nobody sees it any more.
  @Test(.feature(88)) func draftThatIsToBeFlushed_isSaved() async throws {
    try await Bench.with { bench in
      var draft = Draft(id: bench.inbox.newID(), account: bench.inbox.account)
      draft.subject = "Hello"
      try await bench.inbox.perform(.save(draft))
      try await bench.inbox.logOut(pending: .flush(within: .seconds(10)))
      let sent = try await bench.sent()
      guard case .draft(let saved, isNew: true)? = sent.first?.request.parts.first?.wanted else {
        Issue.record("the draft was not sent: \(sent)")
        return
      }
      #expect(saved.subject == "Hello")
    }
  }

  /// A server that recognizes requests by name makes nothing twice, and the person need not decide.
  @Test(.feature(50, 53), arguments: [ServerFailure.Reason.server, .lostAnswer])
  func whatIsMade_isAskedForAgainUnderTheSameName(_ reason: ServerFailure.Reason) async throws {
    try await Bench.with { bench in
      var draft = Draft(id: bench.inbox.newID(), account: bench.inbox.account)
      for subject in ["One", "Two"] {
        draft.subject = subject
        try await bench.inbox.perform(.save(draft))
      }
      let first = try await bench.names()
      try await bench.take(.performed(1, .failure(ServerFailure(reason))))
      try await bench.take(.online(false))
      let again = try await bench.names(.online(true))
      #expect(first.count == 1 && first == again)
    }
  }

  /// The end of a process leaves open whether an object was made.
  @Test(.feature(50), arguments: [ObjectClass.draft, .tag, .file])
  func makingThatIsInterrupted_isAskedForAgainUnderTheSameName(
    _ objectClass: ObjectClass
  ) async throws {
    try await Bench.with { bench in
      let (id, account) = (bench.inbox.newID(), bench.inbox.account)
      var tag = Tag(id: id, account: account)
      tag.providedName = "work"
      let action: Action =
        switch objectClass {
        case .draft: .save(Draft(id: id, account: account), body: "Hello")
        case .tag: .save(tag)
        default: .add(Tideline.Attachment(id: id, account: account))
        }
      try await bench.inbox.perform(action)
      let first = try await bench.names()
      bench.machine = SyncMachine(Login(account: account, epoch: 1), .sink, seed: 8)
      let again = try await bench.names()
      #expect(first.count == 1 && first == again)
    }
  }

  /// A late report names its time, and which sending of the message it is about.
  @Test(.feature(39)) func whatBecameOfAMessage_isSentWithItsTime() async throws {
    try await Bench.with(.rich, .engage) { bench in
      let fields = ObjectFields {
        $0.put(.id, "r1")
        $0.put(.requestID, "7f")
      }
      try await bench.inbox.record(ObjectFact(.rich, fields), at: bench.desk.now)
      try await bench.inbox.perform(.markRead(RichMessage.self, ["r1"]))
      let part = try await bench.sent().first?.request.parts.first
      #expect(part?.requestID == "7f" && part?.wantedAt == bench.desk.now)
    }
  }

  /// InboxKit sent drafts without their last changes when those could not be saved.
  @Test(.feature(48, 56), .defect(.inboxKit, 8)) func draftWhoseTextWasRefused_isNotSent()
    async throws
  {
    try await Bench.with { bench in
      try await bench.inbox.record(
        ObjectFact(.draft, ObjectFields { $0.put(.id, "d1") }), at: bench.desk.now)
      var draft = try #require(try bench.inbox.object(Draft.self, "d1"))
      draft.subject = "Lunch?"
      try await bench.inbox.perform(.save(draft))
      try await bench.inbox.perform(.send(draft))
      let saving = try await bench.sent()
      #expect(saving.count == 1)
      let refused = SyncEvent.Performed.failure(ServerFailure(.conflict, status: 409))
      #expect(try await bench.sent(.performed(saving[0].id, refused)).isEmpty)
      #expect(try bench.inbox.openOperations().map(\.state) == [.rejected, .rejected])
      #expect(try bench.inbox.object(Draft.self, "d1")?.subject == "Lunch?")
    }
  }

  /// A text that will be deleted need not be saved first, and is kept if the deletion fails.
  @Test(.feature(53, 58)) func textThatIsToBeDeleted_isKept_whereTheServerRefuses() async throws {
    try await Bench.with { bench in
      try await bench.inbox.record(
        ObjectFact(.draft, ObjectFields { $0.put(.id, "d1") }), at: bench.desk.now)
      var draft = try #require(try bench.inbox.object(Draft.self, "d1"))
      draft.subject = "Lunch?"
      try await bench.inbox.perform(.save(draft))
      try await bench.inbox.perform(.delete(draft))
      let sent = try await bench.sent()
      #expect(sent.map { $0.request.parts[0].wanted } == [.deletion])
      let refused = SyncEvent.Performed.failure(ServerFailure(.conflict, status: 409))
      try await bench.take(.performed(sent[0].id, refused))
      #expect(try bench.inbox.object(Draft.self, "d1")?.subject == "Lunch?")
    }
  }

  @Test(.feature(48)) func newTag_isSaved_beforeAnythingIsPutUnderIt() async throws {
    try await Bench.with { bench in
      var tag = Tag(id: bench.inbox.newID(), account: bench.inbox.account)
      tag.providedName = "work"
      try await bench.inbox.perform(.save(tag))
      try await bench.inbox.perform(.changeTags(MailThread.self, ["a"], adding: [tag.id]))
      let first = try await bench.sent()
      #expect(first.flatMap(\.request.parts).map(\.wanted) == [.tag(name: "work", isNew: true)])
      let saved = Settlement([.done(newID: "t9")], status: 200)
      let second = try await bench.sent(.performed(first[0].id, .success(saved)))
      #expect(
        second.flatMap(\.request.parts).map(\.wanted) == [.tags(added: ["t9"], removed: [])])
    }
  }

  /// A server that has no such object yet is not asked for it; it would say that it is gone.
  @Test(.feature(53), arguments: [ObjectClass.draft, .tag])
  func objectThatCouldNotBeMade_isNotAskedFor(objectClass: ObjectClass) async throws {
    try await Bench.with(.mail) { bench in
      let (id, account) = (bench.inbox.newID(), bench.inbox.account)
      switch objectClass {
      case .draft: try await bench.inbox.perform(.save(Draft(id: id, account: account)))
      default:
        var tag = InboxTag(id: id, account: account)
        tag.providedName = "work"
        try await bench.inbox.perform(.save(tag))
      }
      let sent = try #require(try await bench.sent().first)
      #expect(sent.request.parts.map(\.id) == [id])
      let taken = SyncEvent.Performed.failure(ServerFailure(.conflict, status: 409))
      #expect(try await bench.take(.performed(sent.id, taken)).questions.isEmpty)
      bench.desk.advance(by: 3600)
      #expect(try await !bench.take(.wanted).questions.contains(.object(objectClass, id: id)))
    }
  }

  /// The name belongs to another tag, so repeating the request is useless.
  @Test(.feature(62)) func tagWhoseNameIsTaken_isCalledAsBefore() async throws {
    try await Bench.with { bench in
      let fields = ObjectFields {
        $0.put(.id, "g1")
        $0.put(.name, "work")
      }
      try await bench.inbox.record(ObjectFact(.tag, fields), at: bench.desk.now)
      var tag = try #require(try bench.inbox.object(InboxTag.self, "g1"))
      tag.providedName = "play"
      let receipt = try await bench.inbox.perform(.save(tag))
      let sent = try await bench.sent()
      #expect(sent.flatMap(\.request.parts).map(\.wanted) == [.tag(name: "play", isNew: false)])
      var notices = bench.inbox.notices.makeAsyncIterator()
      #expect(try bench.inbox.object(InboxTag.self, "g1")?.providedName == "play")
      let taken = SyncEvent.Performed.failure(
        ServerFailure(.conflict, status: 409, message: "taken"))
      #expect(try await bench.sent(.performed(sent[0].id, taken)).isEmpty)
      try #require(try bench.inbox.openOperations().isEmpty)
      #expect(try bench.inbox.object(InboxTag.self, "g1")?.providedName == "work")
      let rejected = InboxNotice.rejected(
        intent: receipt.number, .tag, id: "g1", .conflict, answer: "taken")
      #expect(await notices.next() == rejected)
      bench.desk.advance(by: 3600)
      #expect(try await bench.sent(.foreground(true)).isEmpty)
    }
  }

  @Test(.feature(59)) func draft_canNotBeDeleted_whileItIsBeingSent() async throws {
    try await Bench.with { bench in
      try await bench.inbox.record(
        ObjectFact(.draft, ObjectFields { $0.put(.id, "d1") }), at: bench.desk.now)
      let draft = try #require(try bench.inbox.object(Draft.self, "d1"))
      try await bench.inbox.perform(.send(draft))
      let sent = try await bench.sent()
      await #expect(throws: IntentError.tooLate) { try await bench.inbox.perform(.delete(draft)) }
      // An operation that was not performed can be undone.
      let failure = ServerFailure(.throttled, status: 429, retryAfter: .seconds(60))
      try await bench.take(.performed(sent[0].id, .failure(failure)))
      try await bench.inbox.perform(.delete(draft))
    }
  }

  @Test(.feature(58)) func draftThatWasNeverSent_isDeletedWithoutAServer() async throws {
    try await Bench.with { bench in
      var draft = Draft(id: bench.inbox.newID(), account: bench.inbox.account)
      draft.subject = "Never mind"
      try await bench.inbox.perform(.save(draft))
      try await bench.inbox.perform(.delete(draft))
      #expect(try await bench.sent().isEmpty)
      #expect(try bench.inbox.openOperations().isEmpty)
      #expect(try bench.inbox.object(Draft.self, draft.id) == nil)
    }
  }

  /// A server that can't say whether a message was sent is not asked again at once.
  @Test(arguments: [ServerFailure.Reason.invalid, .unsupported, .forbidden])
  func doubtThatNobodyAnswers_isNotAskedAtOnce(_ reason: ServerFailure.Reason) async throws {
    var abilities = ServerAbilities.sink
    abilities.findsSent = true
    try await Bench.with(abilities) { bench in
      var draft = Draft(id: bench.inbox.newID(), account: bench.inbox.account)
      draft.subject = "Lunch?"
      try await bench.inbox.perform(.save(draft, body: "At noon."))
      let saving = try await bench.sent()
      let saved = SyncEvent.Performed.success(Settlement([.done(version: 1, newID: "d1")]))
      try await bench.take(.performed(saving[0].id, saved))
      try await bench.inbox.perform(.send(#require(try bench.inbox.object(Draft.self, "d1"))))
      let sending = try await bench.sent()
      let lost = SyncEvent.Performed.failure(ServerFailure(.lostAnswer))
      try await bench.take(.performed(sending[0].id, lost))
      bench.desk.advance(by: 10)
      var question = try #require(try await bench.take(.due).asked.first)
      for seconds in [1.0, 2, 4] {
        let failure = SyncEvent.answered(question, .failure(ServerFailure(reason)))
        #expect(try await bench.take(failure).questions.isEmpty)
        #expect(try await bench.take(.due).questions.isEmpty)
        bench.desk.advance(by: seconds)
        question = try #require(try await bench.take(.due).asked.first)
      }
      #expect(try await bench.take(.answered(question, .success(Answer()))).requests.isEmpty)
    }
  }

  /// Operations that add up to the server's present state are confirmed, and not sent.
  @Test(.feature(46)) func starThatIsTakenAway_isConfirmed() async throws {
    try await Bench.with { bench in
      let star = try await bench.inbox.perform(
        .changeTags(MailThread.self, ["a"], adding: ["starred"]))
      let unstar = try await bench.inbox.perform(
        .changeTags(MailThread.self, ["a"], removing: ["starred"]))
      #expect(try await bench.sent().isEmpty)
      for receipt in [star, unstar] { try await receipt.confirmed() }
      #expect(try bench.inbox.openOperations().isEmpty)
    }
  }
}
