import EventStore
import TestSupport
import Testing
import Tideline
import TidelineSync

/// Whether a message whose sending has no known outcome was sent is found out first.
@Suite(.timeLimit(.minutes(5))) struct SendingSearchTests {
  /// Returns the question whether a message was sent, after an attempt whose answer was lost.
  private func loseSending(_ bench: Bench) async throws -> QuestionID {
    let sent = try #require(try await bench.sent().first)
    #expect(sent.request.parts[0].wanted.isSending)
    let lost = SyncEvent.Performed.failure(ServerFailure(.lostAnswer))
    try await bench.take(.performed(sent.id, lost))
    // The line had failed, and is given some time.
    bench.desk.advance(by: 10)
    return try #require(try await bench.take(.due).asked.first)
  }

  private func withSending(_ body: (Bench) async throws -> Void) async throws {
    var abilities = ServerAbilities.sink
    abilities.findsSent = true
    try await Bench.with(abilities) { bench in
      try await bench.inbox.record(
        ObjectFact(.draft, ObjectFields { $0.put(.id, "d1") }), at: bench.desk.now)
      let draft = try #require(try bench.inbox.object(Draft.self, "d1"))
      try await bench.inbox.perform(.send(draft))
      try await body(bench)
    }
  }

  private func missed(_ question: QuestionID) -> SyncEvent {
    .answered(question, .failure(ServerFailure(.notFound)))
  }

  private func sendAgain(_ bench: Bench) async throws {
    let doubtful = try #require(try bench.inbox.openOperations().first)
    try await bench.inbox.retry(doubtful)
  }

  /// A search that found nothing was about the attempt before it, and no later one.
  @Test(.feature(56), .rule(19)) func eachAttempt_isLookedForTwice() async throws {
    try await withSending { bench in
      let first = try await loseSending(bench)
      #expect(try await bench.sent(missed(first)).isEmpty)
      try await sendAgain(bench)
      let second = try await loseSending(bench)
      #expect(try await bench.sent(missed(second)).isEmpty)
      #expect(try bench.inbox.openOperations().map(\.state) == [.uncertain])
      // A clock that is set back makes nothing arrive sooner.
      bench.desk.setClock(by: -3600)
      #expect(try await bench.take(.due).asked.isEmpty)
      bench.desk.advance(by: 60)
      let third = try #require(try await bench.take(.due).asked.first)
      #expect(try await bench.sent(missed(third)).count == 1)
    }
  }

  /// The person has decided before the search was over.
  @Test(.feature(56), .rule(19)) func attemptUnderWay_isNotPutOffByASearchForTheLastOne()
    async throws
  {
    try await withSending { bench in
      let first = try await loseSending(bench)
      try await bench.take(missed(first))
      bench.desk.advance(by: 60)
      let second = try #require(try await bench.take(.due).asked.first)
      try await sendAgain(bench)
      #expect(try await bench.sent().count == 1)
      #expect(try await bench.sent(missed(second)).isEmpty)
      #expect(try bench.inbox.openOperations().map(\.state) == [.started])
    }
  }

  /// What was found is there, although it can't be read.
  @Test(.rule(19)) func messageThatIsFound_andUnreadable_isNotSentAgain() async throws {
    try await withSending { bench in
      var question = try await loseSending(bench)
      let found = Answer { $0.refuse(.message, "d1", because: "too large") }
      for _ in 0..<3 {
        #expect(try await bench.sent(.answered(question, .success(found))).isEmpty)
        bench.desk.advance(by: 600)
        question = try #require(try await bench.take(.due).asked.first)
      }
      #expect(try bench.inbox.openOperations().map(\.state) == [.uncertain])
    }
  }

  @Test(.feature(56), .rule(19), .defect(.inboxKit, 7), .defect(.mailspring, 4))
  func interruptedSending_isLookedForBeforeItIsSentAgain()
    async throws
  {
    var abilities = ServerAbilities.sink
    abilities.findsSent = true
    try await Bench.with(abilities) { bench in
      var draft = Draft(id: bench.inbox.newID(), account: bench.inbox.account)
      draft.subject = "Lunch?"
      try await bench.inbox.perform(.save(draft, body: "At noon."))
      let saving = try await bench.sent()
      let saved = SyncEvent.Performed.success(Settlement([.done(version: 1, newID: "d1")]))
      try await bench.take(.performed(saving[0].id, saved))
      let known = try #require(try bench.inbox.object(Draft.self, "d1"))
      try await bench.inbox.perform(.send(known))
      #expect(try await bench.sent().count == 1)
      // The process ends here, and another goes on.
      bench.machine = SyncMachine(Login(account: bench.inbox.account, epoch: 1), abilities, seed: 8)
      let actions = try await bench.take()
      let questions = actions.compactMap { action in
        if case .ask(let id) = action { id } else { nil }
      }
      #expect(questions.map(\.question) == [.sent(messageID: "", id: "d1")])
      // The message may still be on its way, so it is looked for once more, a minute later.
      let answer = SyncEvent.answered(questions[0], .success(Answer()))
      #expect(try await bench.sent(answer).isEmpty)
      #expect(try await bench.take(.due).questions == [])
      bench.desk.advance(by: 60)
      #expect(try await bench.take(.due).questions.count == 1)
      #expect(try await bench.sent(answer).count == 1)
    }
  }
}
