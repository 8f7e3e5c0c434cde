import EventStore
import TestSupport
import Testing
import Tideline
import TidelineHTTP
import TidelineSync

/// Requests that are sent again, at servers that ignore their keys: these take what they did the
/// first time for another's change.
@Suite struct RepeatedRequestTests {
  private static let conflict = PlayedClient.Turn.json(
    #"{"type":"api_error","message":"already updated"}"#, 409)

  private func outcome(
    of part: ServerRequest.Part, _ client: PlayedClient
  ) async throws(ServerFailure) -> PartOutcome? {
    var request = ServerRequest([part])
    request.key = OperationKey(low: 1, high: 2)
    let server = InboxServer(Courier(client, .bearer))
    return try await server.perform(request, token: Token("t")).outcomes.first
  }

  private func saving(wasTriedBefore: Bool) -> ServerRequest.Part {
    var draft = Draft(id: "d1", account: 1)
    (draft.subject, draft.fileIDs) = ("Lunch?", ["f1"])
    draft.to = [Participant(name: "Ann", email: "ann@example.com")]
    var part = ServerRequest.Part(.draft, "d1", .draft(draft, isNew: false), version: 3)
    (part.text, part.wasTriedBefore) = ("At noon.", wasTriedBefore)
    return part
  }

  /// The draft as its server has it.
  struct Known: Sendable, CustomTestStringConvertible {
    var version = 4
    var subject = "Lunch?"
    var body = "At noon."
    var email = "ann@example.com"
    var files = #"["f1"]"#

    var testDescription: String { "\(version) \(subject) \(body) \(email) \(files)" }

    var json: String {
      #"{"id":"d1","object":"draft","version":\#(version),"subject":"\#(subject)","#
        + #""body":"\#(body)","to":[{"email":"\#(email)"}],"file_ids":\#(files)}"#
    }
  }

  @Test(.feature(50, 55)) func savingThatWasDoneBefore_isDone() async throws {
    let client = PlayedClient([
      "PUT /drafts/d1": [Self.conflict], "GET /drafts/d1": [.json(Known().json)],
    ])
    let outcome = try await outcome(of: saving(wasTriedBefore: true), client)
    #expect(outcome == .done(version: 4))
  }

  @Test(
    .feature(55, 56),
    arguments: [
      Known(version: 5), Known(version: 3), Known(subject: "Dinner?"), Known(body: "At eight."),
      Known(email: "bob@example.com"), Known(files: "[]"),
    ])
  func savingThatOthersPreceded_isAConflict(_ known: Known) async throws {
    let client = PlayedClient([
      "PUT /drafts/d1": [Self.conflict], "GET /drafts/d1": [.json(known.json)],
    ])
    await #expect(throws: ServerFailure(.conflict, status: 409, message: "already updated")) {
      try await outcome(of: saving(wasTriedBefore: true), client)
    }
  }

  /// Nothing is looked for after a first attempt.
  @Test(.feature(55, 56)) func firstSaving_isAConflict() async throws {
    let client = PlayedClient(["PUT /drafts/d1": [Self.conflict]])
    await #expect(throws: ServerFailure.self) {
      try await outcome(of: saving(wasTriedBefore: false), client)
    }
    #expect(client.requests.map(\.method) == ["PUT"])
  }

  /// Whether the draft was saved is not known yet.
  @Test(.feature(50)) func savingThatCanNotBeLookedFor_isTriedAgain() async throws {
    let client = PlayedClient([
      "PUT /drafts/d1": [Self.conflict], "GET /drafts/d1": [.failure(.lost)],
    ])
    do {
      _ = try await outcome(of: saving(wasTriedBefore: true), client)
      Issue.record("it has an outcome")
    } catch { #expect(error.reason == .lostAnswer) }
  }

  /// The name of a new tag is taken by the tag that the first attempt made.
  @Test(.feature(50, 62), arguments: ["work", "Work", "play"])
  func tagThatWasMadeBefore_isFound(name: String) async throws {
    let client = PlayedClient([
      "POST /tags": [Self.conflict],
      "GET /tags?offset=0&limit=1000": [
        .json(#"[{"id":"t8","object":"tag","name":"home"},{"id":"t9","name":"work"}]"#)
      ],
    ])
    var part = ServerRequest.Part(.tag, "local-1", .tag(name: name, isNew: true))
    part.wasTriedBefore = true
    guard name != "play" else {
      await #expect(throws: ServerFailure.self) { try await outcome(of: part, client) }
      return
    }
    #expect(try await outcome(of: part, client) == .done(newID: "t9"))
  }

  /// A line end would end the head of the request.
  @Test func tokenWithALineEnd_isSentWithoutIt() async throws {
    let client = PlayedClient(["GET /tags/t": [.json(#"{"id":"t","object":"tag"}"#)]])
    let server = InboxServer(Courier(client, .bearer))
    _ = try await server.answer(.object(.tag, id: "t"), token: Token("abc\r\n"))
    #expect(client.requests.first?.headers == [.init("Authorization", "Bearer abc")])
  }
}
