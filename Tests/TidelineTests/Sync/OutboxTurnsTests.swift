import EventStore
import Foundation
import TestSupport
import Testing
import Tideline
import TidelineSync

/// Operations that are begun before their turn, so that they are sent at once when it comes.
@Suite(.timeLimit(.minutes(5))) struct OutboxTurnsTests {
  /// Calls `body` with a bench where so many threads wait for a star.
  private static func withStars(
    _ count: Int, _ abilities: ServerAbilities = .sink, _ body: (Bench) async throws -> Void
  ) async throws {
    try await Bench.with(abilities) { bench in
      let ids = (0..<count).map { "t\(10 + $0)" }
      for id in ids {
        try await bench.inbox.tell(threads: [id: ["inbox"]])
        try await bench.inbox.perform(.changeTags(MailThread.self, [id], adding: ["starred"]))
      }
      try await body(bench)
    }
  }

  private static func begun(_ bench: Bench) throws -> [String] {
    try bench.inbox.openOperations().filter { $0.state == OpenOperation.State.started }
      .map(\.id)
  }

  @Test(.feature(49)) func requests_goAsOthersEnd_inTheirOrder() async throws {
    try await Self.withStars(12) { bench in
      var sent = try await bench.sent()
      #expect(sent.map { $0.request.parts[0].id } == ["t10", "t11", "t12", "t13"])
      #expect(try Self.begun(bench).count == 8)
      var ids = sent.map { $0.request.parts[0].id }
      while !sent.isEmpty {
        let (id, request) = sent.removeFirst()
        let next = try await bench.sent(.performed(id, bench.done(request)))
        ids += next.map { $0.request.parts[0].id }
        sent += next
        #expect(sent.count <= 4)
      }
      #expect(ids == (10..<22).map { "t\($0)" })
      #expect(try bench.inbox.openOperations().isEmpty)
    }
  }

  /// An operation on an object that waits for its turn is sent after the waiting one.
  @Test(.feature(49), .defect(.inboxKit, 6)) func whatTakesBackSomethingBegun_isSentBehindIt()
    async throws
  {
    try await Self.withStars(5) { bench in
      let sent = try await bench.sent()
      try await bench.inbox.perform(.changeTags(MailThread.self, ["t14"], removing: ["starred"]))
      #expect(try await bench.sent().isEmpty)
      let next = try await bench.sent(.performed(sent[0].id, bench.done(sent[0].request)))
      #expect(next.map { $0.request.parts[0].wanted } == [.tags(added: ["starred"], removed: [])])
      let last = try await bench.sent(.performed(next[0].id, bench.done(next[0].request)))
      #expect(last.map { $0.request.parts[0].wanted } == [.tags(added: [], removed: ["starred"])])
    }
  }

  /// A server that wants to be left alone is sent nothing more, and waiting operations go later.
  @Test(.feature(51)) func turns_end_whereNothingMayBeSent() async throws {
    try await Self.withStars(8) { bench in
      let sent = try await bench.sent()
      var failure = ServerFailure(.throttled)
      failure.retryAfter = .seconds(60)
      for (id, _) in sent {
        #expect(try await bench.sent(.performed(id, .failure(failure))).isEmpty)
      }
      #expect(try Self.begun(bench).isEmpty)
      bench.desk.advance(by: 120)
      let again = try await bench.sent(.due)
      #expect(again.count == 4)
      #expect(try Self.begun(bench).count == 8)
    }
  }

  /// An operation that must not be done twice is begun only when it is sent, and later operations
  /// don't overtake it for ever.
  @Test(.feature(49)) func whatIsNotToBeDoneTwice_isBegunInItsTurn() async throws {
    try await Self.withStars(5) { bench in
      var draft = Draft(id: bench.inbox.newID(), account: bench.inbox.account)
      draft.subject = "Lunch?"
      try await bench.inbox.perform(.save(draft, body: "At noon."))
      try await bench.inbox.perform(.changeTags(MailThread.self, ["a"], adding: ["starred"]))
      var sent = try await bench.sent()
      #expect(try Self.begun(bench) == ["t10", "t11", "t12", "t13", "t14"])
      var wanted: [String] = []
      while !sent.isEmpty {
        let (id, request) = sent.removeFirst()
        let next = try await bench.sent(.performed(id, bench.done(request)))
        wanted += next.map { $0.request.parts[0].id }
        sent += next
        if next.contains(where: { $0.request.parts[0].id == draft.id }) { break }
      }
      #expect(wanted.first == "t14" && wanted.contains(draft.id))
      #expect(try Self.begun(bench).contains(draft.id))
    }
  }

  /// What is under way is not sent again because its object turns out to be another one.
  @Test(.feature(50)) func requestOnItsWay_isNotSentAgain_whereItsObjectBecomesAnother()
    async throws
  {
    try await Bench.with { bench in
      var draft = Draft(id: bench.inbox.newID(), account: bench.inbox.account)
      draft.subject = "One"
      try await bench.inbox.record(
        ObjectFact(.draft, ObjectFields { $0.put(.id, "d1") }), at: bench.desk.now)
      var known = try #require(try bench.inbox.object(Draft.self, "d1"))
      known.subject = "Two"
      try await bench.inbox.perform(.save(draft))
      let lost = SyncEvent.Performed.failure(ServerFailure(.lostAnswer))
      let first = try #require(try await bench.sent().first)
      try await bench.take(.performed(first.id, lost))
      bench.desk.advance(by: 10)
      try await bench.take(.online(false))
      try await bench.inbox.perform(.save(known))
      let sent = try await bench.sent(.online(true))
      #expect(sent.count == 2)
      let again = try #require(sent.first { $0.request.key == first.request.key })
      try await bench.take(.performed(again.id, lost))
      bench.desk.advance(by: 10)
      try await bench.inbox.record(
        IDReplaced { ($0.objectClass, $0.old, $0.new) = (.draft, draft.id, "d1") },
        epoch: 1, at: bench.desk.now)
      #expect(try await bench.sent(.due).isEmpty)
      #expect(try Self.begun(bench).count == 1)
    }
  }
}
