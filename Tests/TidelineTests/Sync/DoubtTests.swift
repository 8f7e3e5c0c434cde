import EventStore
import TestSupport
import Testing
import Tideline
import TidelineSync

/// Objects whose existence an answer leaves open are asked for one by one.
@Suite(.timeLimit(.minutes(5))) struct DoubtTests {
  /// Applies a delivery, and returns the ids whose existence it leaves open.
  private func take(_ delivery: Delivery, _ inbox: Inbox) async throws -> [String] {
    let taken = try await inbox.take(
      delivery, for: inbox.login(), durability: .relaxed)
    try await taken.receipt.visible()
    return taken.doubtful.map(\.id).sorted()
  }

  /// Returns an answer that lists all existing threads.
  private func listing(_ ids: Set<String>, askedAfter asked: RecordNumber) -> Delivery {
    Delivery {
      $0.askedAfter = asked
      $0.listed[.thread] = ids
    }
  }

  private func fact(
    _ id: String, version: Int64? = nil, _ change: ObjectChange = .changed,
    askedAfter asked: RecordNumber
  ) -> Delivery {
    Delivery {
      $0.askedAfter = asked
      $0.add(
        ObjectFact(
          .thread,
          ObjectFields {
            $0.put(.id, id)
            $0.put(.change, change)
            if let version { $0.put(.version, version) }
          }))
    }
  }

  /// Returns the answer that a thread, asked for by itself, was not found.
  private func missing(_ id: String, askedAfter asked: RecordNumber) -> Delivery {
    var answer = fact(id, .gone, askedAfter: asked)
    answer.exchange = Exchange { $0.request = .object }
    return answer
  }

  /// An intent on a thread may come before or after its deletion, and facts received since the
  /// question may be older than the answer.
  @Test(.rule(14)) func threadThatIsNotListed_isDoubtful_whereMoreIsKnownSince() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["inbox"], "b": ["inbox"], "c": ["inbox"]])
      try await inbox.perform(.changeTags(MailThread.self, ["a"], adding: ["starred"]))
      let asked = try inbox.store.core.read { $0.position.number }
      try await inbox.tell(threads: ["b": ["archive"]])
      #expect(try await take(listing(["d"], askedAfter: asked), inbox) == ["a", "b"])
      let known = try ["a", "b", "c"].map { try inbox.object(MailThread.self, $0) != nil }
      #expect(known == [true, true, false])
    }
  }

  /// An answer may be older than the operation, and lack the object that it made.
  @Test func objectThatIsNotFoundBehindItsMaking_isAskedForOnceMore() async throws {
    try await Bench.with(.mail) { bench in
      let done = try await doneAtLast(bench)
      var asked = try await bench.take(done).asked
      for isBelieved in [false, true] {
        let question = try #require(asked.first { $0.purpose == .object })
        #expect(question.question == .object(.draft, id: "d9"))
        let missing = SyncEvent.answered(question, .failure(ServerFailure(.notFound)))
        #expect(try await bench.take(missing).gone == (isBelieved ? ["d9"] : []))
        asked = try await refreshed(bench).asked
      }
    }
  }

  /// A draft that was made long ago may be a message by now, newer than what was made.
  @Test func draftThatIsNotFound_isAskedForAsAMessage_whereItIsOne() async throws {
    try await Bench.with(.mail) { bench in
      let done = try await doneAtLast(bench)
      try await bench.inbox.apply(
        Delivery {
          $0.add(
            ObjectFact(
              .message,
              ObjectFields {
                $0.put(.id, "d9")
                $0.put(.subject, "Sent")
              }))
        })
      var asked = try await bench.take(done).asked
      for _ in 0..<2 {
        let question = try #require(asked.first { $0.question == .object(.draft, id: "d9") })
        let missing = SyncEvent.answered(question, .failure(ServerFailure(.notFound)))
        asked = try await bench.take(missing).asked + refreshed(bench).asked
      }
      #expect(asked.contains { $0.question == .object(.message, id: "d9") })
    }
  }

  /// What was written while a draft was being sent, and refused, stays though the message goes
  /// before it is heard of.
  @Test func textBesideASentDraft_staysWhereTheMessageIsNotListed() async throws {
    try await TestDesk.withInbox { inbox, desk in
      func record(_ event: any InboxEvent) async throws {
        try await inbox.record(event, at: desk.now)
      }
      func save(_ subject: String) -> SaveDraft {
        SaveDraft {
          $0.draft.put(.id, "local-1")
          $0.draft.put(.subject, subject)
        }
      }
      func last() throws -> RecordNumber { try inbox.store.core.read { $0.position.number } }
      try await record(save("Hello"))
      let saving = try last()
      try await record(
        IDReplaced { ($0.objectClass, $0.old, $0.new) = (.draft, "local-1", "d1") })
      try await record(OperationAcknowledged { $0.intent = saving })
      try await record(SendDraft { $0.id = "local-1" })
      let sending = try last()
      try await record(OperationStarted { ($0.intent, $0.attempt) = (sending, 1) })
      try await record(save("More"))
      let later = try last()
      try await record(OperationAcknowledged { $0.intent = sending })
      try await record(OperationRejected { ($0.intent, $0.reason) = (later, .conflict) })
      let asked = try last()
      let listing = Delivery { ($0.askedAfter, $0.listed[.draft]) = (asked, ["d2"]) }
      #expect(try await take(listing, inbox) == ["d1"])
      let gone = ObjectFact(
        .draft,
        ObjectFields {
          $0.put(.id, "d1")
          $0.put(.change, ObjectChange.gone)
        })
      let missing = Delivery {
        ($0.askedAfter, $0.exchange) = (asked, Exchange { $0.request = .object })
        $0.add(gone)
      }
      _ = try await take(missing, inbox)
      #expect(try inbox.object(Draft.self, "local-1")?.subject == "More")
    }
  }

  /// Has a new draft saved twice, as the first answer is lost, and returns the second answer.
  private func doneAtLast(_ bench: Bench) async throws -> SyncEvent {
    let draft = Draft(id: bench.inbox.newID(), account: bench.inbox.account)
    try await bench.inbox.perform(.save(draft))
    let (first, _) = try #require(try await bench.sent().first)
    try await bench.take(.performed(first, .failure(ServerFailure(.lostAnswer))))
    let (id, request) = try #require(try await refreshed(bench).requests.first)
    let done = Settlement(request.parts.map { _ in .done(newID: "d9") })
    return .performed(id, .success(done))
  }

  /// Returns the actions of a refresh that begins with the network's return, and fails.
  private func refreshed(_ bench: Bench) async throws -> [SyncAction] {
    try await bench.take(.online(false))
    var actions = try await bench.take(.online(true))
    for question in actions.asked where question.purpose == .stream(0) {
      actions += try await bench.take(.answered(question, .failure(ServerFailure(.invalid))))
    }
    return actions
  }

  /// No server can be asked for a draft that none has received.
  @Test func draftThatNoServerHas_isNotDoubtful() async throws {
    try await TestDesk.withInbox { inbox, _ in
      var draft = Draft(id: inbox.newID(), account: inbox.account)
      draft.subject = "Lunch?"
      try await inbox.perform(.save(draft))
      let asked = try inbox.store.core.read { $0.position.number }
      let listing = Delivery {
        $0.askedAfter = asked
        $0.listed[.draft] = ["d"]
      }
      #expect(try await take(listing, inbox) == [])
      #expect(try inbox.object(Draft.self, draft.id) != nil)
    }
  }

  /// Nobody says in which version a missing thread was deleted: even a higher version than the
  /// known one may be from before.
  @Test(.rule(4), arguments: [true, false])
  func threadThatIsNotFound_staysAway_untilItIsToldOfBehindThat(isByOutcome: Bool) async throws {
    try await TestDesk.withInbox { inbox, desk in
      _ = try await take(fact("a", version: 2, askedAfter: 0), inbox)
      let asked = try inbox.store.core.read { $0.position.number }
      if isByOutcome {
        try await inbox.perform(.changeTags(MailThread.self, ["a"], adding: ["starred"]))
        let gone = OperationAcknowledged { ($0.intent, $0.isGone) = (asked.advanced(by: 1), true) }
        try await inbox.record(gone, at: desk.now)
      } else {
        #expect(try await take(missing("a", askedAfter: asked), inbox) == [])
      }
      #expect(try inbox.object(MailThread.self, "a") == nil)
      #expect(try await take(fact("a", version: 3, askedAfter: asked), inbox) == ["a"])
      #expect(try inbox.object(MailThread.self, "a") == nil)
      let now = try inbox.store.core.read { $0.position.number }
      #expect(try await take(fact("a", version: 3, askedAfter: now), inbox) == [])
      #expect(try inbox.object(MailThread.self, "a") != nil)
    }
  }

  /// A missing thread may have come back since the question.
  @Test(.rule(14)) func threadThatIsNotFound_isDoubtful_whereItWasToldOfSince() async throws {
    try await TestDesk.withInbox { inbox, _ in
      _ = try await take(fact("a", version: 1, askedAfter: 0), inbox)
      let asked = try inbox.store.core.read { $0.position.number }
      _ = try await take(fact("a", version: 2, askedAfter: asked), inbox)
      #expect(try await take(missing("a", askedAfter: asked), inbox) == ["a"])
      #expect(try inbox.object(MailThread.self, "a") != nil)
      let now = try inbox.store.core.read { $0.position.number }
      #expect(try await take(missing("a", askedAfter: now), inbox) == [])
      #expect(try inbox.object(MailThread.self, "a") == nil)
    }
  }

  /// The return of one missing thread says nothing about threads found missing before it.
  @Test func threadsThatAreNotFound_areDoubtful_oneByOne() async throws {
    try await TestDesk.withInbox { inbox, _ in
      for id in ["a", "b"] { _ = try await take(fact(id, askedAfter: 0), inbox) }
      let asked = try inbox.store.core.read { $0.position.number }
      for id in ["a", "b"] {
        _ = try await take(missing(id, askedAfter: asked), inbox)
      }
      let now = try inbox.store.core.read { $0.position.number }
      #expect(try await take(fact("b", askedAfter: now), inbox) == [])
      #expect(try await take(fact("a", askedAfter: asked), inbox) == ["a"])
    }
  }

  /// The server would list everything that it did before the question.
  @Test(.rule(14)) func threadThatIsNotListed_isGone_whereAllWasDoneBefore() async throws {
    try await TestDesk.withInbox { inbox, desk in
      try await inbox.tell(threads: ["a": ["inbox"]])
      let position = try inbox.store.core.read { $0.position.number }
      try await inbox.perform(.changeTags(MailThread.self, ["a"], adding: ["starred"]))
      try await inbox.record(
        OperationAcknowledged { $0.intent = position.advanced(by: 1) }, at: desk.now)
      let asked = try inbox.store.core.read { $0.position.number }
      #expect(try await take(listing(["d"], askedAfter: asked), inbox) == [])
      #expect(try inbox.object(MailThread.self, "a") == nil)
    }
  }

  /// A change made long ago may be answered as it was then, though the thread is gone.
  @Test func threadThatIsNotListed_isAskedFor_andGoesWhereItIsNotFound() async throws {
    let server = PlayedServer(
      .mail,
      onQuestion: { question throws(ServerFailure) in
        if case .object = question { throw ServerFailure(.notFound, status: 404) }
        return Answer {
          if case .page(.thread, _, _) = question {
            $0.facts = [ObjectFact(.thread, ObjectFields { $0.put(.id, "b") })]
          }
          $0.cursor = "c"
        }
      })
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["inbox"], "b": ["inbox"]])
      let star = try await inbox.perform(.changeTags(MailThread.self, ["a"], adding: ["starred"]))
      try await star.hold(for: .seconds(600))
      let sync = Sync(inbox, with: server)
      sync.start()
      for await thread in try inbox.watch(MailThread.self, "a") where thread == nil { break }
      sync.stop()
      #expect(server.asked.contains(.object(.thread, id: "a")))
      #expect(try inbox.openOperations().isEmpty)
    }
  }
}

extension [SyncAction] {
  /// The ids of objects reported gone.
  fileprivate var gone: [String] {
    flatMap { action -> [String] in
      guard case .take(let delivery, _, _) = action else { return [] }
      return delivery.facts.filter { $0.fields.change == .gone }.compactMap(\.fields.id)
    }
  }
}
