import EventStore
import TestSupport
import Testing
import Tideline
import TidelineSync

/// A draft is sent as the saving being sent wanted it, whatever was saved since.
@Suite(.timeLimit(.minutes(5))) struct SavedDraftTests {
  private func draft(_ bench: Bench) async throws -> Draft {
    try await bench.inbox.record(
      ObjectFact(.draft, ObjectFields { $0.put(.id, "d1") }), at: bench.desk.now)
    return try #require(try bench.inbox.object(Draft.self, "d1"))
  }

  private func subjects(_ sent: [(id: Int, request: ServerRequest)]) -> [String?] {
    sent.flatMap(\.request.parts).map { part in
      if case .draft(let draft, _) = part.wanted { draft.subject } else { "no draft" }
    }
  }

  /// A held saving can be withdrawn until it is sent.
  @Test(.feature(53)) func textThatIsHeld_isNotSentWithTheOneBefore() async throws {
    try await Bench.with { bench in
      var draft = try await draft(bench)
      draft.subject = "One"
      try await bench.inbox.perform(.save(draft))
      draft.subject = "Two"
      let receipt = try await bench.inbox.perform(.save(draft), heldFor: .seconds(60))
      #expect(try bench.inbox.object(Draft.self, "d1")?.subject == "Two")
      let first = try await bench.sent()
      #expect(subjects(first) == ["One"])
      #expect(try await bench.sent(.performed(first[0].id, bench.done(first[0].request))).isEmpty)
      try await receipt.withdraw()
      bench.desk.advance(by: 120)
      #expect(try await bench.sent().isEmpty)
      #expect(try bench.inbox.object(Draft.self, "d1")?.subject == "One")
    }
  }

  /// Until the deletion of a draft goes to the server, it may be withdrawn, and the text is there.
  @Test(.feature(53), arguments: [false, true])
  func textUnderAHeldDeletion_isNotLost(isDeleted: Bool) async throws {
    try await Bench.with { bench in
      var draft = try await draft(bench)
      draft.subject = "One"
      try await bench.inbox.perform(.save(draft))
      let deletion = try await bench.inbox.perform(.delete(draft), heldFor: .seconds(60))
      #expect(try bench.inbox.object(Draft.self, "d1") == nil)
      #expect(try await bench.sent().isEmpty)
      if isDeleted { bench.desk.advance(by: 61) } else { try await deletion.withdraw() }
      let sent = try await bench.sent()
      #expect(subjects(sent) == [isDeleted ? "no draft" : "One"])
      #expect(try bench.inbox.object(Draft.self, "d1")?.subject == (isDeleted ? nil : "One"))
    }
  }

  /// The server may have a new draft although its answer was lost; it is deleted there, too.
  @Test(.feature(58)) func draftThatMayHaveArrived_isDeletedAtTheServer() async throws {
    try await Bench.with { bench in
      var draft = Draft(id: bench.inbox.newID(), account: bench.inbox.account)
      draft.subject = "One"
      try await bench.inbox.perform(.save(draft))
      let first = try await bench.sent()
      try await bench.take(.performed(first[0].id, .failure(ServerFailure(.lostAnswer))))
      try await bench.inbox.perform(.delete(draft))
      try await bench.take(.online(false))
      let again = try await bench.sent(.online(true))
      #expect(subjects(again) == ["One"])
      #expect(again.map(\.request.key) == first.map(\.request.key))
      let saved = SyncEvent.Performed.success(Settlement([.done(version: 1, newID: "d9")]))
      let next = try await bench.sent(.performed(again[0].id, saved))
      #expect(next.flatMap(\.request.parts).map(\.id) == ["d9"])
      #expect(next.flatMap(\.request.parts).map(\.wanted) == [.deletion])
    }
  }

  /// A draft from the server has more people than a message's row keeps.
  @Test(.feature(50)) func allPeople_areKept_andSent() async throws {
    let people = (0..<500).map { Participant(name: "Person \($0)", email: "p\($0)@example.com") }
    let told = people.map { ObjectPerson(name: $0.name, email: $0.email) }
    try await Bench.with { bench in
      let fields = ObjectFields { fields in
        fields.put(.id, "d1")
        fields.put(.to, told)
      }
      try await bench.inbox.record(ObjectFact(.draft, fields), at: bench.desk.now)
      var draft = try #require(try bench.inbox.object(Draft.self, "d1"))
      #expect(draft.to == people)
      draft.to.append(Participant(email: "new@example.com"))
      try await bench.inbox.perform(.save(draft))
      #expect(try bench.inbox.object(Draft.self, "d1")?.to == draft.to)
      let sent = try await bench.sent().flatMap(\.request.parts).map { part -> [Participant] in
        if case .draft(let whole, _) = part.wanted { whole.to } else { [] }
      }
      #expect(sent == [draft.to])
    }
  }

  /// The server recognizes a repeated request by its key, and may have performed it.
  @Test(.feature(50)) func textThatIsSentAgain_isAsItWas_andTheNextGoesBehindIt() async throws {
    try await Bench.with { bench in
      var draft = try await draft(bench)
      draft.subject = "One"
      try await bench.inbox.perform(.save(draft))
      let first = try await bench.sent()
      draft.subject = "Two"
      try await bench.inbox.perform(.save(draft))
      try await bench.take(.performed(first[0].id, .failure(ServerFailure(.lostAnswer))))
      try await bench.take(.online(false))
      let again = try await bench.sent(.online(true))
      #expect(subjects(first) == ["One"] && subjects(again) == ["One"])
      let next = try await bench.sent(.performed(again[0].id, bench.done(again[0].request)))
      #expect(subjects(next) == ["Two"])
    }
  }

  /// The operations possible on a saved draft.
  enum Next: CaseIterable {
    case saving, deletion, sending

    func action(_ draft: Draft) -> Action {
      switch self {
      case .saving: .save(draft)
      case .deletion: .delete(draft)
      case .sending: .send(draft)
      }
    }
  }

  /// A server refuses an operation on another version than its own, which it named when it saved
  /// the draft.
  @Test(.feature(55), .defect(.inboxKit, 3), arguments: Next.allCases)
  func whatIsWantedNext_isOfTheVersionThatWasSaved(_ next: Next) async throws {
    try await Bench.with { bench in
      var draft = try await draft(bench)
      draft.subject = "One"
      try await bench.inbox.perform(.save(draft))
      let first = try await bench.sent()
      let done = SyncEvent.Performed.success(Settlement([.done(version: 4)], status: 200))
      #expect(try await bench.sent(.performed(first[0].id, done)).isEmpty)
      draft = try #require(try bench.inbox.object(Draft.self, "d1"))
      draft.subject = "Two"
      try await bench.inbox.perform(next.action(draft))
      let second = try await bench.sent()
      #expect(second.flatMap(\.request.parts).map(\.version) == [4])
    }
  }

  /// Nothing of a new draft is sent before its file is uploaded, and then the file goes along.
  @Test(.feature(60)) func fileOfANewDraft_goesAlong_whateverWasSavedSince() async throws {
    try await Bench.with { bench in
      var draft = Draft(id: bench.inbox.newID(), account: bench.inbox.account)
      draft.subject = "One"
      try await bench.inbox.perform(.save(draft))
      let file = Attachment(id: bench.inbox.newID(), account: bench.inbox.account)
      try await bench.inbox.perform(.add(file, to: draft))
      draft.subject = "Two"
      try await bench.inbox.perform(.save(draft))
      var (sent, told) = (try await bench.sent(), [Draft]())
      for id in ["f1", "d1", nil] {
        let (number, request) = try #require(sent.first)
        #expect(sent.count == 1)
        if case .draft(let draft, _) = request.parts[0].wanted { told.append(draft) }
        let done = Settlement([.done(version: 1, newID: id)], status: 200)
        sent = try await bench.sent(.performed(number, .success(done)))
      }
      #expect(sent.isEmpty)
      #expect(told.map(\.subject) == ["One", "Two"] && told.last?.fileIDs == ["f1"])
      #expect(try bench.inbox.object(Draft.self, draft.id)?.fileIDs == [file.id])
    }
  }

  /// Successive savings that have not begun are sent as one, with the last text.
  @Test(.feature(46)) func textsThatWait_goAsOne() async throws {
    try await Bench.with { bench in
      var draft = try await draft(bench)
      for subject in ["One", "Two", "Three"] {
        draft.subject = subject
        try await bench.inbox.perform(.save(draft))
      }
      #expect(subjects(try await bench.sent()) == ["Three"])
    }
  }

  /// A refused saving is still shown, and goes with the next.
  @Test(.feature(48)) func textThatWasRefused_goesWithTheNext() async throws {
    try await Bench.with { bench in
      var draft = try await draft(bench)
      draft.subject = "One"
      try await bench.inbox.perform(.save(draft))
      let first = try await bench.sent()
      var other = Draft(id: "d1", account: bench.inbox.account)
      other.known = 0
      other.replyToMessageID = "m7"
      try await bench.inbox.perform(.save(other))
      let refused = SyncEvent.Performed.failure(ServerFailure(.invalid, status: 400))
      let next = try await bench.sent(.performed(first[0].id, refused))
      let shown = try bench.inbox.object(Draft.self, "d1")
      #expect(shown?.replyToMessageID == "m7")
      #expect(subjects(next) == [shown?.subject])
    }
  }

  /// The draft was sent elsewhere, or must be removed here: servers report a deletion only once.
  @Test func draftThatIsNotFoundWhenItIsSaved_isAskedFor_asTheMessageThatItMayBe() async throws {
    try await Bench.with { bench in
      var draft = try await draft(bench)
      draft.subject = "One"
      try await bench.inbox.perform(.save(draft))
      let sent = try await bench.sent()
      let missing = SyncEvent.Performed.failure(ServerFailure(.notFound, status: 404))
      let actions = try await bench.take(.performed(sent[0].id, missing))
      #expect(actions.questions == [.object(.message, id: "d1")])
    }
  }
}
