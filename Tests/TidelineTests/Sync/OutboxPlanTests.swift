import EventStore
import Foundation
import TestSupport
import Testing
import Tideline
import TidelineSync

/// Which operations of the outbox are sent, when and together.
@Suite(.timeLimit(.minutes(5))) struct OutboxPlanTests {
  @Test(.feature(49), .defect(.inboxKit, 6)) func operationsOnOneObject_goOneAfterTheOther()
    async throws
  {
    try await Bench.with { bench in
      try await bench.inbox.perform(.changeTags(MailThread.self, ["a"], adding: ["starred"]))
      try await bench.inbox.perform(.changeTags(MailThread.self, ["b"], adding: ["starred"]))
      let first = try await bench.sent()
      #expect(first.map { $0.request.parts[0].id } == ["a", "b"])
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      #expect(try await bench.sent().isEmpty)
      let second = try await bench.sent(.performed(first[0].id, bench.done(first[0].request)))
      #expect(second.map { $0.request.parts[0].wanted } == [.read(true)])
    }
  }

  @Test(.feature(46), .rule(17), .defect(.inboxKit, 6)) func whatTakesItselfBack_isNotSent()
    async throws
  {
    try await Bench.with { bench in
      try await bench.inbox.perform(.changeTags(MailThread.self, ["a"], adding: ["starred"]))
      try await bench.inbox.perform(.changeTags(MailThread.self, ["a"], removing: ["starred"]))
      #expect(try await bench.sent().isEmpty)
      #expect(try bench.inbox.openOperations().isEmpty)
    }
  }

  @Test(.feature(46), .rule(17), .defect(.inboxKit, 6))
  func whatTakesBackSomethingInFlight_isSentAfterIt() async throws {
    try await Bench.with { bench in
      try await bench.inbox.perform(.changeTags(MailThread.self, ["a"], adding: ["starred"]))
      let first = try await bench.sent()
      try await bench.inbox.perform(.changeTags(MailThread.self, ["a"], removing: ["starred"]))
      #expect(try await bench.sent().isEmpty)
      let second = try await bench.sent(.performed(first[0].id, bench.done(first[0].request)))
      #expect(second.map { $0.request.parts[0].wanted } == [.tags(added: [], removed: ["starred"])])
    }
  }

  /// The server has the change that it made, even if no fact has confirmed it yet.
  @Test(.feature(46), .rule(10)) func whatTakesBackSomethingDone_isSent() async throws {
    try await Bench.with { bench in
      try await bench.inbox.perform(.changeTags(MailThread.self, ["a"], adding: ["starred"]))
      let first = try await bench.sent()
      try await bench.take(.performed(first[0].id, bench.done(first[0].request)))
      for _ in 0..<2 {
        try await bench.inbox.perform(.changeTags(MailThread.self, ["a"], removing: ["starred"]))
      }
      let second = try await bench.sent()
      #expect(second.map { $0.request.parts[0].wanted } == [.tags(added: [], removed: ["starred"])])
      #expect(try bench.inbox.object(MailThread.self, "a")?.tagIDs.contains("starred") == false)
    }
  }

  /// The tag may be what was not found: the thread is only gone if a question for it finds nothing.
  @Test func tagThatIsNotFound_doesNotTakeTheThread() async throws {
    try await Bench.with { bench in
      let missing = SyncEvent.Performed.failure(ServerFailure(.notFound, status: 404))
      try await bench.inbox.perform(.changeTags(MailThread.self, ["a"], adding: ["work"]))
      let first = try await bench.sent()
      let asked = try await bench.take(.performed(first[0].id, missing)).asked
      #expect(asked.map(\.question) == [.object(.thread, id: "a")])
      #expect(try bench.inbox.object(MailThread.self, "a")?.tagIDs.contains("work") == true)
      bench.desk.advance(by: 5)
      let second = try await bench.sent()
      #expect(second.map { $0.request.parts[0].id } == ["a"])
      try await bench.take(.performed(second[0].id, missing))
      #expect(try bench.inbox.object(MailThread.self, "a")?.tagIDs == ["inbox", "unread"])
      #expect(try bench.inbox.openOperations().isEmpty)
    }
  }

  /// As every mailbox has this tag, only the thread can be missing.
  @Test func threadThatIsNotFound_isGone() async throws {
    try await Bench.with { bench in
      let missing = SyncEvent.Performed.failure(ServerFailure(.notFound, status: 404))
      try await bench.inbox.perform(.changeTags(MailThread.self, ["a"], adding: ["starred"]))
      let sent = try await bench.sent()
      try await bench.take(.performed(sent[0].id, missing))
      #expect(try bench.inbox.object(MailThread.self, "a") == nil)
    }
  }

  @Test(.feature(46), .defect(.watermelonDB, 3)) func changesOfTags_goAsOne() async throws {
    try await Bench.with { bench in
      try await bench.inbox.perform(.changeTags(MailThread.self, ["a"], adding: ["x", "y"]))
      try await bench.inbox.perform(
        .changeTags(MailThread.self, ["a"], adding: ["z"], removing: ["y"]))
      let sent = try await bench.sent()
      #expect(
        sent.map { $0.request.parts[0].wanted } == [.tags(added: ["x", "z"], removed: ["y"])])
      try await bench.take(.performed(sent[0].id, bench.done(sent[0].request)))
      #expect(try bench.inbox.openOperations().isEmpty)
    }
  }

  /// Any answer of the server shows that operations that failed to reach it can be sent now.
  @Test func serverThatCanBeReachedAgain_isSentAtOnceWhatWaitedForThat() async throws {
    try await Bench.with { bench in
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      try await bench.inbox.perform(.markRead(MailThread.self, ["b"]))
      let sent = try await bench.sent()
      #expect(sent.map { $0.request.parts[0].id } == ["a", "b"])
      let failure = ServerFailure(.notSent)
      #expect(try await bench.sent(.performed(sent[0].id, .failure(failure))).isEmpty)
      #expect(try bench.inbox.openOperations().map(\.state) == [.deferred, .started])
      let again = try await bench.sent(.performed(sent[1].id, bench.done(sent[1].request)))
      #expect(again.map { $0.request.parts[0].id } == ["a"])
    }
  }

  /// The server has no part in this failure.
  @Test func whatCanNotBeReadOnTheDevice_waitsAlone() async throws {
    try await Bench.with { bench in
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      let sent = try await bench.sent()
      try await bench.take(.performed(sent[0].id, .failure(ServerFailure(.unreadable))))
      #expect(try bench.inbox.openOperations().map(\.state) == [.deferred])
      try await bench.inbox.perform(.markRead(MailThread.self, ["b"]))
      let other = try #require(try await bench.sent().first)
      #expect(other.request.parts[0].id == "b")
      // The server's answer says nothing about the waiting operation.
      let answer = bench.done(other.request)
      #expect(try await bench.sent(.performed(other.id, answer)).isEmpty)
      bench.desk.advance(by: 300)
      #expect(try await bench.sent(.due).map { $0.request.parts[0].id } == ["a"])
    }
  }

  /// Just as with any other answer.
  @Test func whatCanNotBeReadOfAnAnswer_isRecordedWithIt() async throws {
    try await Bench.with { bench in
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      var settlement = Settlement([.done()], status: 200)
      settlement.refused = [ItemRefused { ($0.id, $0.reason) = ("a", "no thread") }]
      let sent = try await bench.sent()
      let actions = try await bench.take(.performed(sent[0].id, .success(settlement)))
      let refused = actions.flatMap { action -> [ItemRefused] in
        if case .take(let delivery, _, _) = action { delivery.refused } else { [] }
      }
      #expect(refused == settlement.refused)
    }
  }

  @Test(.feature(39), .feature(45), .defect(.airship, 4))
  func sameOfSeveral_goesTogether_andEachHasItsOutcome()
    async throws
  {
    try await Bench.with(.rich, .engage) { bench in
      try await bench.inbox.perform(.markAllRead(RichMessage.self))
      let sent = try await bench.sent()
      // In the list's order, the last first.
      #expect(sent.map { $0.request.parts.map(\.id) } == [["r3", "r2", "r1"]])
      let outcomes: [PartOutcome] = [.done(), .failed(ServerFailure(.refused, status: 400))]
      let settlement = Settlement(outcomes, status: 200)
      try await bench.take(.performed(sent[0].id, .success(settlement)))
      let open = try bench.inbox.openOperations()
      #expect(open.map(\.id) == ["r1"])
      #expect(open.map(\.state) == [.deferred])
    }
  }

  @Test(.feature(50), .defect(.inboxKit, 1)) func deferred_waitsForItsTime_orForTheNetwork()
    async throws
  {
    try await Bench.with { bench in
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      let first = try await bench.sent()
      let failure = SyncEvent.Performed.failure(ServerFailure(.notSent))
      try await bench.take(.performed(first[0].id, failure))
      #expect(try await bench.sent(.due).isEmpty)
      try await bench.take(.online(false))
      #expect(try await bench.sent(.online(true)).count == 1)
    }
  }

  @Test(.feature(88), .rule(20), .defect(.inboxKit, 9)) func nothingIsSent_underALoginThatEnded()
    async throws
  {
    try await Bench.with { bench in
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      try await bench.inbox.logOut(pending: .hold)
      #expect(try await bench.take().isEmpty)
    }
  }

  /// The server knows the first request by its key, and must get the same one again.
  @Test func heldOperationThatWasSent_goesAgainWithTheOthers_thoughTheClockIsSetBack() async throws
  {
    try await Bench.with { bench in
      try await bench.inbox.perform(.changeTags(MailThread.self, ["a"], adding: ["starred"]))
      let star = Action.changeTags(MailThread.self, ["a"], adding: ["work"])
      try await bench.inbox.perform(star, heldFor: .seconds(60))
      bench.desk.advance(by: 61)
      let first = try await bench.sent()
      // The app ends before the answer comes.
      bench.machine = SyncMachine(bench.machine.login, .sink, seed: 8)
      bench.desk.setClock(by: -3600)
      try await bench.inbox.record(
        ClockTicked { ($0.reason, $0.jump) = (.set, -3_600_000) }, at: bench.desk.now)
      let second = try await bench.sent()
      let wanted = (first + second).map { $0.request.parts[0].wanted }
      #expect(wanted == .init(repeating: .tags(added: ["starred", "work"], removed: []), count: 2))
    }
  }

  /// Nobody can take back what is held once they are logged out, so a flush sends it.
  @Test(.feature(88)) func whatIsHeld_isFlushed() async throws {
    try await Bench.with(.rich, .engage) { bench in
      try await bench.inbox.perform(.delete(RichMessage.self, ["r1"]), heldFor: .seconds(60))
      #expect(try await bench.sent().isEmpty)
      try await bench.inbox.logOut(pending: .flush(within: .seconds(10)))
      #expect(try await bench.sent().flatMap(\.request.parts).map(\.id) == ["r1"])
    }
  }

  /// What fails again and again can be given up, and the rest goes on.
  @Test(.feature(52)) func operationThatIsPutOff_canBeGivenUp() async throws {
    try await Bench.with { bench in
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      let sent = try await bench.sent()
      let failed = PartOutcome.failed(ServerFailure(.server, status: 500))
      try await bench.take(.performed(sent[0].id, .success(Settlement([failed]))))
      let open = try #require(try bench.inbox.openOperations().first)
      #expect(open.state == .deferred)
      try await bench.inbox.resolve(open, .done)
      #expect(try bench.inbox.openOperations().count == 1)
      try await bench.inbox.resolve(open, .giveUp)
      #expect(try bench.inbox.openOperations() == [])
      #expect(try bench.inbox.object(MailThread.self, "a")?.isUnread == true)
    }
  }

  /// An imported log may have put off an operation that never began.
  @Test func operationPutOff_beforeItBegan_isSent() async throws {
    try await Bench.with { bench in
      let receipt = try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      try await bench.inbox.record(
        OperationDeferred {
          ($0.intent, $0.reason, $0.until) = (receipt.number, .throttled, bench.desk.now.kept)
        }, at: bench.desk.now)
      #expect(try await bench.sent().flatMap(\.request.parts).map(\.id) == ["a"])
    }
  }

  /// After a logout, the operations to flush are sent for the former login, and nothing is asked
  /// for it.
  @Test(.feature(88)) func whatIsToBeFlushed_isSent_untilItsTime() async throws {
    try await Bench.with(.rich, .engage) { bench in
      for id in ["r1", "r2"] { try await bench.inbox.perform(.delete(RichMessage.self, [id])) }
      try await bench.inbox.logOut(pending: .flush(within: .seconds(10)))
      let actions = try await bench.take(.foreground(true))
      #expect(actions.questions.isEmpty)
      #expect(actions.requests.map { $0.request.parts.map(\.id) } == [["r1", "r2"]])
      let outcomes: [PartOutcome] = [.done(), .failed(ServerFailure(.notSent))]
      let id = try #require(actions.requests.first?.id)
      try await bench.take(.performed(id, .success(Settlement(outcomes))))
      #expect(try bench.inbox.openOperations().map(\.id) == ["r2"])
      bench.desk.advance(by: 11)
      #expect(try await bench.take(.online(true)).isEmpty)
    }
  }

  /// The answer to a repeated request may be the one that was lost.
  @Test(.feature(50)) func whatWasSentAgain_isLookedAt() async throws {
    try await Bench.with { bench in
      try await bench.inbox.perform(.changeTags(MailThread.self, ["a"], adding: ["starred"]))
      for isAgain in [false, true] {
        let id = isAgain ? try await bench.sent(.online(true))[0].id : try await bench.sent()[0].id
        let done = Settlement([.done()], status: 200)
        let result: SyncEvent.Performed =
          isAgain ? .success(done) : .failure(ServerFailure(.lostAnswer))
        let actions = try await bench.take(.performed(id, result))
        #expect(actions.questions == (isAgain ? [.object(.thread, id: "a")] : []))
        // A question asked before the operation was recorded as done would prove nothing about it.
        let last = try bench.inbox.store.read { $0.position.number }
        for case .ask(let id) in actions { #expect(id.askedAfter == last) }
        try await bench.take(.online(false))
      }
    }
  }

  /// A draft that isn't found when it is deleted may have been sent: the message is no draft.
  @Test(.feature(57, 58), arguments: [true, false])
  func draftThatWasSentElsewhere_isAMessage_whateverIsHeardFirst(isToldFirst: Bool) async throws {
    try await Bench.with { bench in
      try await bench.inbox.record(
        ObjectFact(.draft, ObjectFields { $0.put(.id, "d1") }), at: bench.desk.now)
      try await bench.inbox.perform(.delete(Draft.self, ["d1"]))
      let sent = try await bench.sent()
      let tell = {
        _ = try await bench.inbox.record(
          ObjectFact(.message, ObjectFields { $0.put(.id, "d1") }), at: bench.desk.now)
      }
      if isToldFirst { try await tell() }
      try await bench.take(
        .performed(sent[0].id, .failure(ServerFailure(.notFound, status: 404))))
      if !isToldFirst { try await tell() }
      #expect(try bench.inbox.object(Message.self, "d1") != nil)
      #expect(try bench.inbox.openOperations().isEmpty)
    }
  }

  /// The server knows operations sent together by one key, so they are sent together again.
  @Test(.feature(46, 50)) func whatWentTogether_goesTogetherAgain() async throws {
    try await Bench.with { bench in
      for tag in ["x", "y"] {
        try await bench.inbox.perform(.changeTags(MailThread.self, ["a"], adding: [tag]))
      }
      let first = try await bench.names()
      try await bench.take(.performed(1, .failure(ServerFailure(.lostAnswer))))
      try await bench.inbox.perform(.changeTags(MailThread.self, ["a"], removing: ["x"]))
      try await bench.take(.online(false))
      #expect(try await bench.names(.online(true)) == first)
    }
  }
}
