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

  /// Nobody gets a message whose draft was deleted before it went, even if the deletion fails.
  @Test(.feature(58), arguments: [false, true])
  func sendingOfADeletedDraft_neverGoes(isPutOff: Bool) async throws {
    try await Bench.with { bench in
      let draft = try await draft(bench)
      let hold: Duration? = isPutOff ? nil : .seconds(3600)
      let sending = try await bench.inbox.perform(.send(draft), heldFor: hold)
      let first = try await bench.sent()
      #expect(first.count == (isPutOff ? 1 : 0))
      if let id = first.first?.id {
        try await bench.take(.performed(id, .failure(ServerFailure(.notSent))))
      }
      try await bench.take(.online(false))
      try await bench.inbox.perform(.delete(draft))
      let deletion = try await bench.sent(.online(true))
      try #require(deletion.count == 1)
      #expect(deletion.flatMap(\.request.parts).map(\.wanted) == [.deletion])
      let conflict = PartOutcome.failed(ServerFailure(.conflict, status: 409))
      try await bench.take(.performed(deletion[0].id, .success(Settlement([conflict]))))
      bench.desk.advance(by: 7200)
      let later = try await bench.sent(.online(true)).flatMap(\.request.parts).map(\.wanted)
      #expect(!later.contains(.sending(messageID: nil)))
      #expect(try bench.inbox.object(Draft.self, "d1") != nil)
      await #expect(throws: IntentError.abandoned) { try await sending.confirmed() }
    }
  }

  /// The sending of a draft waits for a deletion that can still be withdrawn.
  @Test(.feature(58)) func sendingUnderAHeldDeletion_waits() async throws {
    try await Bench.with { bench in
      let draft = try await draft(bench)
      try await bench.inbox.perform(.send(draft), heldFor: .seconds(10))
      let deletion = try await bench.inbox.perform(.delete(draft), heldFor: .seconds(60))
      bench.desk.advance(by: 20)
      #expect(try await bench.sent().isEmpty)
      try await deletion.withdraw()
      let sent = try await bench.sent().flatMap(\.request.parts).map(\.wanted)
      #expect(sent == [.sending(messageID: nil)])
    }
  }

  /// What was saved or deleted between the decision to send a draft and its start counts.
  @Test(.feature(53), .feature(58), arguments: [false, true])
  func draftThatIsChanged_whileItsSendingBegins_isNotSent(isDeleted: Bool) async throws {
    try await Bench.with { bench in
      var draft = try await draft(bench)
      try await bench.inbox.perform(.send(draft))
      let now = bench.desk.now.kept
      let decided = try bench.inbox.store.core.read {
        try bench.machine.take(.recorded, $0, at: now)
      }
      draft.subject = "Two"
      try await bench.inbox.perform(isDeleted ? .delete(draft) : .save(draft))
      var departures: [Departure] = []
      for case .begin(let begun) in decided { departures += begun }
      #expect(departures.count == 1)
      for event in departures.flatMap(\.beginning) {
        try await bench.inbox.record(event, at: bench.desk.now)
      }
      let (departure, login) = (try #require(departures.first), bench.machine.login)
      let allows = try bench.inbox.store.core.read { $0.allows(departure, of: login, at: now) }
      #expect(!allows)
    }
  }

  /// The text and the files of a draft stay, although its server deletes it, while the person can
  /// take back having deleted it.
  @Test(.feature(53), .rule(17)) func textUnderAHeldDeletion_outlivesTheServersDeletion()
    async throws
  {
    try await Bench.with { bench in
      var draft = try await draft(bench)
      draft.subject = "One"
      try await bench.inbox.perform(.save(draft))
      var file = Tideline.Attachment(id: bench.inbox.newID(), account: bench.inbox.account)
      (file.filename, file.localPath) = ("a.txt", "/a.txt")
      try await bench.inbox.perform(.add(file, to: draft))
      let deletion = try await bench.inbox.perform(.delete(draft), heldFor: .seconds(60))
      let gone = ObjectFields {
        $0.put(.id, "d1")
        $0.put(.change, ObjectChange.deleted)
      }
      try await bench.inbox.record(ObjectFact(.draft, gone), at: bench.desk.now)
      #expect(try bench.inbox.object(Draft.self, "d1") == nil)
      try await deletion.withdraw()
      let kept = try #require(try bench.inbox.object(Draft.self, "d1"))
      #expect(kept.subject == "One" && kept.fileIDs == [file.id])
    }
  }

  /// Nothing is taken back of an action of which a part is done.
  @Test(.feature(49)) func withdrawal_thatIsTooLate_takesNothingBack() async throws {
    try await Bench.with(.rich, .engage) { bench in
      let receipt = try await bench.inbox.perform(.delete(RichMessage.self, ["r1", "r2"]))
      try await bench.inbox.record(
        OperationAcknowledged { ($0.intent, $0.item) = (receipt.number, "r1") },
        at: bench.desk.now)
      #expect(try bench.inbox.openOperations().map(\.id) == ["r2"])
      await #expect(throws: IntentError.tooLate) { try await receipt.withdraw() }
      #expect(try bench.inbox.openOperations().map(\.id) == ["r2"])
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

  /// The text of a new draft does not wait for a file that is added later; the file goes with the
  /// next text.
  @Test(.feature(60)) func fileOfANewDraft_goesAlong_whateverWasSavedSince() async throws {
    try await Bench.with { bench in
      var draft = Draft(id: bench.inbox.newID(), account: bench.inbox.account)
      draft.subject = "One"
      try await bench.inbox.perform(.save(draft))
      let file = Attachment(id: bench.inbox.newID(), account: bench.inbox.account)
      try await bench.inbox.perform(.add(file, to: draft))
      draft.subject = "Two"
      try await bench.inbox.perform(.save(draft))
      let first = try await bench.sent()
      #expect(Set(subjects(first)) == ["One", "no draft"])
      var told: [Draft] = []
      var sent = first
      for (number, request) in first {
        let id = request.parts[0].objectClass == .draft ? "d1" : "f1"
        let done = Settlement([.done(version: 1, newID: id)], status: 200)
        sent = try await bench.sent(.performed(number, .success(done)))
      }
      for (number, request) in sent {
        if case .draft(let draft, _) = request.parts[0].wanted { told.append(draft) }
        sent = try await bench.sent(.performed(number, bench.done(request)))
      }
      #expect(sent.isEmpty)
      #expect(told.map(\.subject) == ["Two"] && told.map(\.fileIDs) == [["f1"]])
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

  /// A draft that its server deleted is not sent unless a person decides so; one that the server is
  /// just saving, under a new id, is.
  @Test(.feature(53, 58), .rule(17), arguments: [false, true])
  func sendingOfADraftThatTheServerDeleted_isLeftToThePerson(isBeingSaved: Bool) async throws {
    try await Bench.with { bench in
      var draft = try await draft(bench)
      draft.subject = "One"
      try await bench.inbox.perform(.save(draft))
      let saving = isBeingSaved ? try await bench.sent() : []
      try await bench.inbox.perform(.send(draft))
      let gone = ObjectFields {
        $0.put(.id, "d1")
        $0.put(.change, ObjectChange.deleted)
      }
      try await bench.inbox.record(ObjectFact(.draft, gone), at: bench.desk.now)
      let open = try bench.inbox.openOperations()
      #expect(open.map(\.kind) == [.saveDraft, .sendDraft])
      #expect(open.last?.state == (isBeingSaved ? .waiting : .rejected))
      #expect(open.last?.reason == (isBeingSaved ? nil : .conflict))
      guard isBeingSaved else {
        #expect(try bench.inbox.object(Draft.self, "d1")?.state == .failed)
        return
      }
      let done = SyncEvent.Performed.success(Settlement([.done(version: 1, newID: "d2")]))
      let sending = try await bench.sent(.performed(saving[0].id, done)).flatMap(\.request.parts)
      #expect(sending.map(\.id) == ["d2"])
      #expect(sending.map(\.wanted) == [.sending(messageID: nil)])
    }
  }

  /// A saving whose answer was lost may have given a known draft a new version; a deletion of the
  /// old one would be refused.
  @Test(.feature(58, 55)) func deletion_goesAfterASavingThatMayHaveArrived() async throws {
    try await Bench.with { bench in
      var draft = try await draft(bench)
      draft.subject = "One"
      try await bench.inbox.perform(.save(draft))
      let first = try await bench.sent()
      try await bench.take(.performed(first[0].id, .failure(ServerFailure(.lostAnswer))))
      try await bench.inbox.perform(.delete(draft))
      try await bench.take(.online(false))
      let again = try await bench.sent(.online(true))
      #expect(subjects(again) == ["One"])
      let saved = SyncEvent.Performed.success(Settlement([.done(version: 5)], status: 200))
      let deletion = try await bench.sent(.performed(again[0].id, saved)).flatMap(\.request.parts)
      #expect(deletion.map(\.wanted) == [.deletion] && deletion.map(\.version) == [5])
    }
  }
}
