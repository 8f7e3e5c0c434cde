import EventStore
import Testing
import Tideline
import TidelineSync

/// The data of requests and questions that only the log has.
@Suite(.timeLimit(.minutes(5))) struct FillingTests {
  private static let unreadable = ServerFailure(
    .unreadable, message: "the record of what is wanted can't be read")

  /// A server would take a request without its key for another one's repetition.
  @Test func requestWhoseIntentCannotBeRead_isNotSent() throws {
    let request = ServerRequest([ServerRequest.Part(.thread, "a", .read(true))])
    #expect(throws: Self.unreadable) { try request.filled(by: nil, "a") { _ in nil } }
    var intent = MarkRead()
    intent.terms.key = OperationKey(low: 1, high: 2)
    let filled = try request.filled(by: intent, "a") { _ in nil }
    #expect(filled.key.low == 1 && filled.parts.map(\.id) == ["a"])
  }

  /// A server that is asked for a message without an id would not find it, and it would be sent
  /// twice.
  @Test func searchForAMessageWhoseIntentCannotBeRead_isNotMade() async throws {
    var abilities = ServerAbilities.sink
    abilities.findsSent = true
    try await Bench.with(abilities) { bench in
      let draft = Draft(id: bench.inbox.newID(), account: bench.inbox.account)
      try await bench.inbox.perform(.save(draft))
      let saving = try #require(try await bench.sent().first)
      let saved = Settlement([.done(version: 1, newID: "d1")])
      try await bench.take(.performed(saving.id, .success(saved)))
      let known = try #require(try bench.inbox.object(Draft.self, "d1"))
      try await bench.inbox.perform(.send(known))
      let sending = try #require(try await bench.sent().first)
      let lost = SyncEvent.performed(sending.id, .failure(ServerFailure(.lostAnswer)))
      try await bench.take(lost)
      bench.desk.advance(by: 2)
      let id = try #require(try await bench.take(.due).asked.first)
      #expect(throws: Self.unreadable) { try id.filled { _ in nil } }
      let question = try id.filled { _ in SendDraft { $0.messageID = "m" } }
      #expect(question == .sent(messageID: "m", id: "d1"))
    }
  }
}
