import EventStore
import TestSupport
import Testing
import Tideline
import TidelineHTTP
import TidelineSync

/// Questions to an Inbox API, as the bytes sent, and the answers in the bytes received.
@Suite struct InboxServerTests {
  private func server(
    _ client: PlayedClient, namespace: String? = nil, _ authorization: Authorization = .userName
  ) -> InboxServer {
    var courier = Courier(client, authorization)
    courier.now = { Timestamp(seconds: 1_700_000_000) }
    return InboxServer(courier, namespace: namespace)
  }

  private func ask(
    _ question: Question, _ script: [String: [PlayedClient.Turn]]
  ) async -> Result<Answer, ServerFailure> {
    await server(PlayedClient(script)).outcome(of: question)
  }

  @Test func abilities_areTheApis() {
    let abilities = server(PlayedClient([:])).abilities
    #expect(abilities.streams.map(\.name) == ["mail"] && abilities.partsMax == 1)
    #expect(abilities.streams.first?.manner == .changes && abilities.findsSent)
    #expect(
      abilities.streams.first?.classes == [.tag, .contact, .file, .draft, .message, .thread])
    #expect(abilities.streams.first?.isFollowed == true)
  }

  @Test func token_isInTheHead_asTheServerWantsIt() async throws {
    for (authorization, expected) in [
      (Authorization.userName, "Basic QWxhZGRpbjo="), (.bearer, "Bearer Aladdin"),
    ] {
      let client = PlayedClient(["POST /n/a/delta/latest_cursor": [.json(#"{"cursor":"c"}"#)]])
      let server = server(client, namespace: "a", authorization)
      _ = try await server.answer(.cursor(stream: "mail"), token: Token("Aladdin"))
      _ = try await server.answer(.cursor(stream: "mail"), token: nil)
      #expect(client.requests.map(\.headers) == [[.init("Authorization", expected)], []])
    }
  }

  @Test func cursor_isTheLatest_orBeforeNowWhereThatIsNotKnown() async throws {
    let latest = try await ask(
      .cursor(stream: "mail"), ["POST /delta/latest_cursor": [.json(#"{"cursor":"9"}"#)]]
    ).get()
    #expect(latest.cursor == "9" && latest.facts.isEmpty && latest.status == 200)
    for status in [404, 405, 501] {
      let client = PlayedClient([
        "POST /delta/latest_cursor": [.status(status)],
        "POST /delta/generate_cursor": [.json(#"{"cursor":"8"}"#)],
      ])
      let answer = try await server(client).answer(.cursor(stream: "mail"), token: nil)
      #expect(answer.cursor == "8")
      #expect(client.requests.last?.line == #"POST /delta/generate_cursor {"start":1700000000}"#)
    }
    let refused = await ask(
      .cursor(stream: "mail"), ["POST /delta/latest_cursor": [.status(500)]])
    #expect(refused.reason == .server)
  }

  @Test func changes_areAPage_withTheCursorBehindIt() async throws {
    let page = #"""
      {"cursor_start":"a","cursor_end":"c","deltas":[
        {"cursor":"b","object":"tag","event":"create","id":"t1","attributes":{"name":"work"}},
        {"cursor":"c","object":"message","event":"delete","id":"m1"},
        {"cursor":"c","object":"message","event":"modify","id":"m2"}]}
      """#
    let answer = try await ask(
      .changes(stream: "mail", since: "a", limit: 7),
      ["GET /delta?cursor=a&limit=7": [.json(page)]]
    ).get()
    #expect(answer.cursor == "c" && !answer.isLast && answer.status == 200)
    #expect(answer.facts.map(\.fields.change) == [.created, .deleted])
    #expect(answer.facts.map(\.objectClass) == [.tag, .message])
    #expect(answer.refused.map(\.id) == ["m2"])
    let end = try await ask(
      .changes(stream: "mail", since: "a", limit: 9999),
      ["GET /delta?cursor=a&limit=1000": [.json(#"{"cursor_end":"a","deltas":[]}"#)]]
    ).get()
    #expect(end.isLast && end.cursor == "a")
  }

  @Test func cursor_thatIsUnknown_isSaidToBe() async {
    let error = #"{"type":"invalid_request_error","message":"Invalid cursor parameter"}"#
    let outcome = await ask(
      .changes(stream: "mail", since: "x", limit: 1),
      ["GET /delta?cursor=x&limit=1": [.json(error, 400)]])
    #expect(outcome.reason == .cursorUnknown)
    guard case .failure(let failure) = outcome else { return }
    #expect(failure.message == "Invalid cursor parameter" && failure.status == 400)
  }

  /// A page that is short may be what the server returns at most, however few objects it has; the
  /// last one has nothing but the object that it overlaps by.
  @Test func pages_endWithOneThatOverlaps() async throws {
    let two = #"[{"id":"1","object":"contact"},{"id":[]}]"#
    let full = try await ask(
      .page(.contact, offset: 4, limit: 2), ["GET /contacts?offset=4&limit=2": [.json(two)]]
    ).get()
    // An object that can't be read still counts as one.
    #expect(!full.isLast && !full.isComplete && full.facts.count == 1 && full.refused.count == 1)
    #expect(full.facts.first?.fields.change == .whole)
    let short = try await ask(
      .page(.contact, offset: 4, limit: 3), ["GET /contacts?offset=4&limit=3": [.json(two)]]
    ).get()
    #expect(!short.isLast)
    let shorter = try await ask(
      .page(.contact, offset: 0, limit: 500), ["GET /contacts?offset=0&limit=500": [.json(two)]]
    ).get()
    #expect(!shorter.isLast)
    let one = #"[{"id":"1","object":"contact"}]"#
    let last = try await ask(
      .page(.contact, offset: 4, limit: 32), ["GET /contacts?offset=4&limit=32": [.json(one)]]
    ).get()
    #expect(last.isLast)
    let empty = try await ask(
      .page(.thread, offset: 0, limit: 3), ["GET /threads?offset=0&limit=3": [.json("[]")]]
    ).get()
    #expect(empty.isLast && empty.isComplete && empty.facts.isEmpty)
  }

  @Test(.feature(22)) func object_isWhole_orNotThere() async throws {
    let script: [String: [PlayedClient.Turn]] = [
      "GET /drafts/d1": [.json(#"{"id":"d1","object":"draft","version":3}"#)]
    ]
    let answer = try await ask(.object(.draft, id: "d1"), script).get()
    #expect(answer.facts.first?.objectClass == .draft)
    #expect(answer.facts.first?.fields.integer(.version) == 3)
    #expect(await ask(.object(.draft, id: "d2"), script).reason == .notFound)
  }

  /// A message keeps the id of its draft; if the object is still a draft, it wasn't sent.
  @Test(.feature(56)) func messageThatWasSent_isFoundUnderTheIDOfItsDraft() async throws {
    func ask(_ turn: PlayedClient.Turn) async -> Result<Answer, ServerFailure> {
      await self.ask(.sent(messageID: "x", id: "d1"), ["GET /messages/d1": [turn]])
    }
    let found = try await ask(.json(#"{"id":"d1","object":"message"}"#)).get()
    #expect(found.facts.map(\.fields.id) == ["d1"])
    #expect(await ask(.json(#"{"id":"d1","object":"draft","version":1}"#)).reason == .notFound)
    #expect(await ask(.status(404)).reason == .notFound)
    // An unreadable object may be either.
    #expect(await ask(.json(#"{"id":"d1","object":"message","date":[]}"#)).reason == .invalid)
  }

  @Test(arguments: [
    Question.all(.thread), .object(.rich, id: "1"), .object(.other, id: "1"),
    .page(.account, offset: 0, limit: 1),
  ])
  func question_thatTheApiHasNot_isUnsupported(question: Question) async {
    let client = PlayedClient([:])
    #expect(await server(client).outcome(of: question).reason == .unsupported)
    #expect(client.requests.isEmpty)
  }

  /// An answer that isn't the server's came from something else, and means nothing.
  @Test(arguments: [
    "", "<html>Log in</html>", "null", "7", #"{"cursor_end":"c","deltas":[{"#, "{}", "[]",
  ])
  func answer_ofSomethingElse_isLost(body: String) async {
    let changes = await ask(
      .changes(stream: "mail", since: "a", limit: 1),
      ["GET /delta?cursor=a&limit=1": [.json(body)]])
    #expect(changes.reason == .lostAnswer)
    guard body != "[]" else { return }
    let page = await ask(
      .page(.tag, offset: 0, limit: 1), ["GET /tags?offset=0&limit=1": [.json(body)]])
    #expect(page.reason == .lostAnswer)
  }
}
