import EventStore
import TestSupport
import Testing
import Tideline
import TidelineSync

/// Marks of a thread and of its messages concern each other: the last wish prevails at the server.
@Suite(.timeLimit(.minutes(5))) struct MarkOrderTests {
  /// Runs `body` with the unread message "m1" in the thread "a".
  private func withMessage(_ body: (Bench) async throws -> Void) async throws {
    try await Bench.with { bench in
      let fields = ObjectFields {
        $0.put(.id, "m1")
        $0.put(.thread, "a")
        $0.put(.isUnread, true)
      }
      try await bench.inbox.record(ObjectFact(.message, fields), at: bench.desk.now)
      try await body(bench)
    }
  }

  private func mark(_ isRead: Bool) -> Action {
    isRead ? .markRead(Message.self, ["m1"]) : .markUnread(Message.self, ["m1"])
  }

  private func wishes(_ sent: [(id: Int, request: ServerRequest)]) -> [String] {
    sent.flatMap(\.request.parts).map { part in
      part.wanted == .read(true) ? "\(part.id) read" : "\(part.id) unread"
    }
  }

  @Test(.feature(49), .rule(15), arguments: [true, false])
  func marksOfAThreadAndItsMessage_goInTheOrderOfTheWishes(isThreadFirst: Bool) async throws {
    try await withMessage { bench in
      let thread = Action.markRead(MailThread.self, ["a"])
      let message = mark(!isThreadFirst)
      try await bench.inbox.perform(isThreadFirst ? thread : message)
      try await bench.inbox.perform(isThreadFirst ? message : thread)
      let first = try await bench.sent()
      #expect(wishes(first) == (isThreadFirst ? ["a read"] : ["m1 read"]))
      let second = try await bench.sent(.performed(first[0].id, bench.done(first[0].request)))
      #expect(wishes(second) == (isThreadFirst ? ["m1 unread"] : ["a read"]))
    }
  }

  /// A later mark of a thread does not pass a mark of its message that is wanted before it, though
  /// an earlier one asks for the same.
  @Test(.feature(49), .rule(15)) func marksOfAThread_areNotUnited_aroundAMessagesMark() async throws
  {
    try await withMessage { bench in
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      try await bench.inbox.perform(mark(false))
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      var (sent, all) = (try await bench.sent(), [String]())
      while let next = sent.first, all.count < 9 {
        all += wishes(sent)
        sent = try await bench.sent(.performed(next.id, bench.done(next.request)))
      }
      #expect(all == ["a read", "m1 unread", "a read"])
    }
  }

  /// A held mark is waited for, for as long as it is held.
  @Test(.feature(49), .rule(15)) func markAfterAHeldOne_waitsForIt() async throws {
    try await withMessage { bench in
      let held = try await bench.inbox.perform(
        .markRead(MailThread.self, ["a"]), heldFor: .seconds(60))
      try await bench.inbox.perform(mark(false))
      let actions = try await bench.take()
      #expect(actions.requests.isEmpty)
      try await held.withdraw()
      #expect(wishes(try await bench.sent()) == ["m1 unread"])
    }
  }

  /// Two marks that add up to what the server last said are needed if the thread's reading changed
  /// that meanwhile.
  @Test(.feature(46), .rule(10)) func marksOfAMessage_areSent_afterItsThreadWasRead() async throws {
    try await withMessage { bench in
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      let first = try await bench.sent()
      let done = SyncEvent.Performed.success(Settlement([.done()], status: 200))
      try await bench.take(.performed(first[0].id, done))
      for isRead in [true, false] {
        try await bench.inbox.perform(mark(isRead))
      }
      #expect(wishes(try await bench.sent()) == ["m1 unread"])
    }
  }

  /// Reading a thread and then marking it unread leaves its messages read.
  @Test(.feature(46)) func readingAThread_andThenNot_isTwoRequests() async throws {
    try await Bench.with { bench in
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      try await bench.inbox.perform(.markUnread(MailThread.self, ["a"]))
      let first = try await bench.sent()
      #expect(first.map { $0.request.parts[0].wanted } == [.read(true)])
      let second = try await bench.sent(.performed(first[0].id, bench.done(first[0].request)))
      #expect(second.map { $0.request.parts[0].wanted } == [.read(false)])
    }
  }

  /// If a message is reported unread before the answer to its thread's reading, that may be its
  /// latest state: it is asked for after the answer.
  ///
  /// A report after the answer counts as it is.
  @Test(.rule(10), .rule(15), arguments: [true, false])
  func messageToldUnread_isAskedForBehindTheReadingOfItsThread(isToldBefore: Bool) async throws {
    try await Bench.with { bench in
      let fields = ObjectFields {
        $0.put(.id, "m1")
        $0.put(.thread, "a")
        $0.put(.isUnread, true)
      }
      let id = try await bench.take(.looked(.object(.message, id: "m1"))).asked[0]
      let told = SyncEvent.answered(
        id, .success(Answer { $0.facts = [ObjectFact(.message, fields)] }))
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      let sent = try await bench.sent()
      if isToldBefore { try await bench.take(told) }
      let lost = SyncEvent.Performed.failure(ServerFailure(.lostAnswer))
      #expect(try await bench.take(.performed(sent[0].id, lost)).questions.isEmpty)
      bench.desk.advance(by: 10)
      let again = try await bench.sent()
      let done = SyncEvent.performed(again[0].id, bench.done(again[0].request))
      let asked = try await bench.take(done).questions
      if !isToldBefore { #expect(try await bench.take(told).questions.isEmpty) }
      #expect(asked == (isToldBefore ? [.object(.message, id: "m1")] : []))
    }
  }
}
