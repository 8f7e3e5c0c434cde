import EventStore
import TestSupport
import Testing
import Tideline
import TidelineSync

/// A draft is sent once, as last saved, and with all its files.
@Suite(.timeLimit(.minutes(5))) struct SendingTests {
  /// Returns a draft that the server has reported.
  private func draft(_ bench: Bench) async throws -> Draft {
    try await bench.inbox.record(
      ObjectFact(.draft, ObjectFields { $0.put(.id, "d1") }), at: bench.desk.now)
    return try #require(try bench.inbox.object(Draft.self, "d1"))
  }

  private func wanted(
    _ sent: [(id: Int, request: ServerRequest)]
  ) -> [ServerRequest.Wanted] {
    sent.flatMap(\.request.parts).map(\.wanted)
  }

  @Test(.feature(48, 56), arguments: [true, false])
  func draft_isNotSentWithoutAFileThatIsRefused(whereItIsUploaded: Bool) async throws {
    try await Bench.with { bench in
      let draft = try await draft(bench)
      let file = Attachment(id: bench.inbox.newID(), account: bench.inbox.account)
      try await bench.inbox.perform(.add(file, to: draft))
      try await bench.inbox.perform(.send(draft))
      var sent = try await bench.sent()
      if whereItIsUploaded {
        let saved = Settlement([.done(newID: "f1")], status: 200)
        sent = try await bench.sent(.performed(sent[0].id, .success(saved)))
      }
      try #require(sent.count == 1)
      let refused = ServerFailure(.tooLarge, status: 413)
      #expect(try await bench.sent(.performed(sent[0].id, .failure(refused))).isEmpty)
      let open = try bench.inbox.openOperations()
      #expect(open.map(\.kind) == [.sendDraft] && open.map(\.reason) == [.dependency])
      #expect(try bench.inbox.object(Draft.self, "d1")?.state == .failed)
      // The person may want the draft sent without the file in the end.
      try await bench.inbox.perform(.send(draft))
      #expect(wanted(try await bench.sent()).count == 1)
      #expect(try bench.inbox.object(Draft.self, "d1")?.state == .sending)
    }
  }

  @Test(.feature(46, 47, 56)) func draft_isSentOnce_howeverOftenThatIsWanted() async throws {
    try await Bench.with { bench in
      let draft = try await draft(bench)
      let first = try await bench.inbox.perform(.send(draft), heldFor: .seconds(60))
      #expect(try await bench.sent().isEmpty)
      let second = try await bench.inbox.perform(.send(draft))
      #expect(second.number == first.number)
      let sent = try await bench.sent()
      #expect(sent.count == 1)
      await #expect(throws: IntentError.tooLate) { try await bench.inbox.perform(.send(draft)) }
      // Another process may record the intent this way.
      try await bench.inbox.record(SendDraft { $0.id = "d1" }, at: bench.desk.now)
      #expect(try bench.inbox.openOperations().count == 1)
      #expect(try await bench.sent(.performed(sent[0].id, bench.done(sent[0].request))).isEmpty)
      #expect(try bench.inbox.openOperations().isEmpty)
    }
  }

  @Test(.feature(46)) func sendingThatWasPutOff_isTriedAtOnce_whereItIsWantedAgain() async throws {
    try await Bench.with { bench in
      let draft = try await draft(bench)
      let first = try await bench.inbox.perform(.send(draft))
      let sent = try await bench.sent()
      let failure = ServerFailure(.server, status: 503)
      try await bench.take(.performed(sent[0].id, .failure(failure)))
      try #require(try bench.inbox.openOperations().map(\.state) == [.deferred])
      #expect(try await bench.inbox.perform(.send(draft)).number == first.number)
      #expect(try bench.inbox.openOperations().map(\.state) == [.waiting])
    }
  }

  /// A sending that was put off is held like any other, if that is wanted now.
  @Test(.feature(46)) func sendingThatWasPutOff_isHeld_whereItIsWantedLater() async throws {
    try await Bench.with { bench in
      let draft = try await draft(bench)
      try await bench.inbox.perform(.send(draft))
      let first = try #require(try await bench.sent().first)
      let failure = ServerFailure(.notSent)
      try await bench.take(.performed(first.id, .failure(failure)))
      try await bench.inbox.perform(.send(draft), heldFor: .seconds(600))
      bench.desk.advance(by: 400)
      #expect(try await bench.sent(.due).isEmpty)
      bench.desk.advance(by: 201)
      #expect(try await bench.sent(.due).count == 1)
    }
  }

  @Test(.feature(47, 59)) func draftThatIsBeingSent_isNotChanged() async throws {
    try await Bench.with { bench in
      let saved = Draft(id: bench.inbox.newID(), account: bench.inbox.account)
      try await bench.inbox.perform(.save(saved, body: "Hello"))
      let saving = try await bench.sent()
      let settled = Settlement([.done(version: 1, newID: "d1")], status: 200)
      try await bench.take(.performed(saving[0].id, .success(settled)))
      let draft = try #require(try bench.inbox.object(Draft.self, "d1"))
      try await bench.inbox.perform(.send(draft))
      try await bench.take()
      try #require(try bench.inbox.openOperations().map(\.state) == [.started])
      let last = try bench.inbox.store.core.log.last
      let file = Attachment(id: bench.inbox.newID(), account: bench.inbox.account)
      // By either of the draft's ids.
      for id in [saved.id, "d1"] {
        let named = Draft(id: id, account: bench.inbox.account)
        for action in [.save(named), .add(file, to: named), .delete(named), .send(named)]
          as [Action]
        {
          await #expect(throws: IntentError.tooLate) { try await bench.inbox.perform(action) }
        }
      }
      #expect(try bench.inbox.store.core.log.last == last)
    }
  }

  /// Until the sending begins, it sends the latest text.
  @Test(.feature(47, 53, 56)) func draftThatWaitsToBeSent_isSentAsItIsSavedSince() async throws {
    try await Bench.with { bench in
      var draft = try await draft(bench)
      draft.subject = "One"
      try await bench.inbox.perform(.save(draft))
      try await bench.inbox.perform(.send(draft))
      draft.subject = "Two"
      try await bench.inbox.perform(.save(draft))
      let saving = try await bench.sent()
      guard case .draft(let sent, isNew: false) = try #require(wanted(saving).first) else {
        Issue.record("no draft was saved: \(saving)")
        return
      }
      #expect(sent.subject == "Two")
      let sending = try await bench.sent(
        .performed(saving[0].id, bench.done(saving[0].request)))
      #expect(wanted(sending).count == 1)
      try await bench.take(.performed(sending[0].id, bench.done(sending[0].request)))
      #expect(try bench.inbox.openOperations().isEmpty)
    }
  }
}
