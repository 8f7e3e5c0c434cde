import EventStore
import Foundation
import Testing
import Tideline
import TidelineHTTP
import TidelineSync

/// Requests to a server of rich inboxes, as the bytes sent, and its answers as the bytes received.
@Suite struct RichInboxServerTests {
  private static let page = "GET /inbox/messages"
  private static let upload = "POST /inbox/status"

  private func server(_ client: PlayedClient) -> RichInboxServer {
    RichInboxServer(Courier(client, .bearer))
  }

  private func marked(_ etag: String, _ text: String) -> PlayedClient.Turn {
    .answer(HTTPAnswer(200, headers: ["ETag": etag], body: Array(text.utf8)))
  }

  @Test func abilities_areTheProtocols() {
    let abilities = server(PlayedClient([:])).abilities
    #expect(abilities.streams == [ServerStream("rich", [.rich], by: .list)])
    #expect(abilities.partsMax == 1_000 && !abilities.findsSent)
  }

  @Test func messages_areAllThereIs() async throws {
    let client = PlayedClient([
      Self.page: [.json(#"{"messages":[{"id":"1"}],"complete":true,"refreshAfter":60}"#)]
    ])
    let answer = try await server(client).answer(.all(.rich), token: Token("t"))
    #expect(answer.facts.map(\.fields.id) == ["1"] && answer.isComplete && answer.isLast)
    #expect(answer.refreshAfter == .seconds(60) && answer.status == 200)
    #expect(client.requests.map(\.headers) == [[.init("Authorization", "Bearer t")]])
  }

  @Test(arguments: [
    #"{"messages":[{"id":"1"}]}"#, #"{"messages":[{"id":"1"},{"id":[]}],"complete":true}"#,
  ])
  func messages_thatAreNotAll_areNotComplete(text: String) async throws {
    let client = PlayedClient([Self.page: [.json(text)]])
    let answer = try await server(client).answer(.all(.rich), token: nil)
    #expect(!answer.isComplete && answer.isLast && answer.facts.count == 1)
  }

  /// A 304 is not believed if the request named no mark.
  @Test func listThatIsAsItWas_isNotTold() async throws {
    let client = PlayedClient([
      Self.page: [
        marked("\"a\"", #"{"messages":[{"id":"1"}],"complete":true}"#), .status(304), .status(304),
      ]
    ])
    let server = server(client)
    let first = try await server.answer(.all(.rich), token: Token("t"))
    #expect(first.cursor == "\"a\"" && !first.isUnchanged)
    let again = try await server.answer(.all(.rich, unlessAt: first.cursor), token: Token("t"))
    #expect(again.isUnchanged && again.facts.isEmpty && again.status == 304)
    #expect(client.requests.last?.headers.first == .init("If-None-Match", "\"a\""))
    let other = await server.outcome(of: .all(.rich), token: Token("t"))
    #expect(other.reason == .notSent)
    #expect(client.requests.last?.headers.map(\.name) == ["Authorization"])
  }

  @Test func mark_thatIsTooLong_isNone() async throws {
    let text = #"{"messages":[{"id":"1"}],"complete":true}"#
    for (count, isMark) in [(1_000, true), (1_001, false)] {
      let mark = String(repeating: "a", count: count)
      let client = PlayedClient([Self.page: [marked(mark, text)]])
      let answer = try await server(client).answer(.all(.rich), token: nil)
      #expect(answer.cursor == (isMark ? mark : nil))
    }
  }

  @Test(
    arguments: [
      .cursor(stream: "rich"), .object(.rich, id: "1"), .all(.message),
      .sent(messageID: "1", id: "1"),
      .page(.rich, offset: 0, limit: 1), .changes(stream: "rich", since: "", limit: 1),
    ] as [Question])
  func question_thatTheProtocolHasNot_isUnsupported(question: Question) async {
    let client = PlayedClient([:])
    #expect(await server(client).outcome(of: question).reason == .unsupported)
    #expect(client.requests.isEmpty)
  }

  private func request(_ wanted: [(String, ServerRequest.Wanted)]) -> ServerRequest {
    var request = ServerRequest(
      wanted.map { ServerRequest.Part(.rich, $0.0, $0.1, version: nil) })
    request.key = OperationKey(low: 3, high: 4)
    return request
  }

  @Test func parts_areToldTogether() async throws {
    let client = PlayedClient([
      Self.upload: [
        .json(
          #"{"items":[{"id":"c","state":"deleted","outcome":"gone"},"#
            + #"{"id":"a","state":"read","outcome":"done"},"#
            + #"{"id":"e","state":"received","outcome":"later"}]}"#)
      ]
    ])
    let request = request([
      ("a", .read(true)), ("b", .read(false)), ("x", .tags(added: ["a"], removed: [])),
      ("c", .deletion), ("d", .opening), ("e", .receipt),
    ])
    let settlement = try await server(client).perform(request, token: nil)
    #expect(
      settlement.outcomes == [
        .done(), .unmentioned, .failed(ServerFailure(.unsupported)), .gone, .unmentioned,
        .failed(ServerFailure(.throttled)),
      ])
    #expect(
      client.requests.first?.line == #"POST /inbox/status {"items":[{"id":"a","state":"read"},"#
        + #"{"id":"b","state":"unread"},{"id":"c","state":"deleted"},"#
        + #"{"id":"d","state":"opened"},{"id":"e","state":"received"}]}"#)
    #expect(
      client.requests.first?.headers.last
        == .init("Idempotency-Key", "03000000000000000400000000000000"))
  }

  /// An operation performed offline is sent with the time at which it was performed.
  @Test func part_isToldWithItsSending_andItsTime() async throws {
    let client = PlayedClient([Self.upload: [.json("{}")]])
    var request = request([("a", .opening)])
    request.parts[0].requestID = "7f"
    request.parts[0].wantedAt = Date(timeIntervalSince1970: 1_700_000_000)
    _ = try await server(client).perform(request, token: nil)
    #expect(
      client.requests.first?.line
        == #"POST /inbox/status {"items":[{"id":"a","state":"opened","requestId":"7f","#
        + #""at":"2023-11-14T22:13:20.000Z"}]}"#)
  }

  @Test func parts_beyondWhatGoesAtOnce_areNotMentioned() async throws {
    let client = PlayedClient([Self.upload: [.json("{}")]])
    let parts = request((0...StatusUpload.itemsMax).map { ("\($0)", .opening) })
    let settlement = try await server(client).perform(parts, token: nil)
    #expect(settlement.outcomes.count == StatusUpload.itemsMax)
    #expect(settlement.outcomes.allSatisfy { $0 == .unmentioned })
  }

  @Test func nothingToTell_isUnsupported() async {
    let client = PlayedClient([:])
    #expect(
      await server(client).outcome(of: .sending(messageID: nil), .rich, "1").reason
        == .unsupported)
    #expect(await server(client).outcome(of: .read(true), .message, "1").reason == .unsupported)
    #expect(client.requests.isEmpty)
  }

  @Test(
    arguments: [
      (304, .notSent), (401, .unauthorized), (403, .forbidden), (409, .conflict),
      (429, .throttled), (500, .server),
    ] as [(Int, ServerFailure.Reason)])
  func status_isThatOfAll(status: Int, reason: ServerFailure.Reason) async {
    let client = PlayedClient([Self.upload: [.status(status)], Self.page: [.status(status)]])
    #expect(await server(client).outcome(of: .opening, .rich, "1").reason == reason)
    #expect(await server(client).outcome(of: .all(.rich)).reason == reason)
  }

  /// A missing inbox says nothing about the messages on the device.
  @Test(arguments: [404, 410]) func noInbox_leavesNothingToTell(status: Int) async throws {
    let client = PlayedClient([Self.upload: [.status(status)], Self.page: [.status(status)]])
    for wanted in [ServerRequest.Wanted.opening, .deletion] {
      let settlement = try await server(client).outcome(of: wanted, .rich, "1").get()
      #expect(settlement.outcomes == [.done()] && settlement.status == Int64(status))
    }
    #expect(await server(client).outcome(of: .all(.rich)).reason == .notFound)
  }
}
