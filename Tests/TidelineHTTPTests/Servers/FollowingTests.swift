import EventStore
import Foundation
import TestSupport
import Testing
import Tideline
import TidelineHTTP
import TidelineSync

/// Following the stream of changes of an Inbox API.
@Suite(.timeLimit(.minutes(4))) struct FollowingTests {
  private static let path = "GET /delta/streaming?cursor=a"

  private func line(_ cursor: String) -> String {
    #"{"cursor":"\#(cursor)","object":"tag","event":"create","id":"t\#(cursor)","attributes":{}}"#
      + "\n"
  }

  private func follow(_ turn: PlayedClient.Turn) -> AsyncStream<Result<Answer, ServerFailure>> {
    follow(PlayedClient([Self.path: [turn]]))
  }

  private func follow(_ client: PlayedClient) -> AsyncStream<Result<Answer, ServerFailure>> {
    InboxServer(Courier(client, .bearer)).follow("mail", since: "a", token: Token("t"))
  }

  /// Follows a text that arrives in pieces, cut anywhere, and returns all answers.
  private func follow(
    _ text: String, cutAt cuts: [Int] = []
  ) async -> [Result<Answer, ServerFailure>] {
    let (bytes, inflow) = (Array(text.utf8), Inflow(bytesMax: .max))
    for (start, end) in zip([0] + cuts, cuts + [bytes.count]) {
      _ = inflow.put(Array(bytes[start..<end]))
    }
    inflow.end(nil)
    var answers: [Result<Answer, ServerFailure>] = []
    for await answer in follow(.inflow(HTTPAnswer(200), inflow)) { answers.append(answer) }
    return answers
  }

  @Test func stream_isAskedFor_onceSomebodyFollows() async throws {
    let client = PlayedClient([Self.path: [.json("")]])
    let stream = follow(client)
    #expect(client.requests.isEmpty)
    for await _ in stream { Issue.record("there is nothing") }
    #expect(
      client.requests.first?.headers == [
        .init("Accept-Encoding", "identity"), .init("Authorization", "Bearer t"),
      ])
    #expect(client.requests.count == 1)
  }

  @Test func lines_thatComeTogether_areOneAnswer() async throws {
    let answers = await follow("\n" + line("b") + "\r\n\n" + line("c"))
    let answer = try #require(answers.first).get()
    #expect(answers.count == 1 && answer.facts.map(\.fields.id) == ["tb", "tc"])
    #expect(answer.cursor == "c" && answer.isLast && answer.refused.isEmpty)
  }

  @Test func lines_thatComeLater_areAnotherAnswer() async throws {
    let inflow = Inflow(bytesMax: 1000)
    var answers = follow(.inflow(HTTPAnswer(200), inflow)).makeAsyncIterator()
    for cursor in ["b", "c", "d"] {
      // An empty line only shows that the server is alive, and gives no answer.
      _ = inflow.put(Array("\n".utf8))
      _ = inflow.put(Array(line(cursor).utf8))
      #expect(try await answers.next()?.get().cursor == cursor)
    }
    inflow.end(.timeout)
    let last = await answers.next()
    #expect(last?.reason == .lostAnswer)
    #expect(await answers.next() == nil)
  }

  @Test func line_thatIsBad_isRefused_andThoseBehindAreTaken() async throws {
    let bad = #"{"cursor":"c","object":"tag","event":"create","id":"t"}"# + "\n"
    let answers = await follow("<html>\n" + line("b") + bad + "{\"cursor\":7\n\n" + line("d"))
    let answer = try #require(answers.first).get()
    #expect(answer.facts.map(\.fields.id) == ["tb", "td"] && answer.cursor == "d")
    #expect(answer.refused.count == 3 && answer.refused.allSatisfy { !$0.reason.isEmpty })
    #expect(answer.refused.first?.content == EventBytes(Array("<html>".utf8)))
  }

  /// The next line's cursor is past this change too, so the server would never send the change
  /// again.
  @Test(arguments: ["", #""cursor":{},"#, #""cursor":null,"#])
  func change_withoutACursor_isTaken(cursor: String) async throws {
    let change = "{\(cursor)" + #""object":"tag","event":"create","id":"tx","attributes":{}}"#
    let answer = try #require(await follow(change + "\n").first).get()
    #expect(answer.facts.map(\.fields.id) == ["tx"] && answer.refused.isEmpty)
    #expect(answer.cursor == nil)
    let both = try #require(await follow(line("b") + change + "\n").first).get()
    #expect(both.facts.map(\.fields.id) == ["tb", "tx"] && both.cursor == "b")
  }

  @Test func lineOfWhiteSpace_isNone() async throws {
    let answers = await follow(" \n\t\r\n" + line("b") + " \r \n")
    let answer = try #require(answers.first).get()
    #expect(answers.count == 1 && answer.facts.count == 1 && answer.refused.isEmpty)
    #expect(await follow(" \n").isEmpty)
  }

  @Test func linesThatAreBad_areToldOneByOne_upToALimit() async throws {
    let bad = String(repeating: "0\n", count: WireLimits.refusals + 7)
    let answer = try #require(await follow(bad + line("b")).first).get()
    #expect(answer.facts.count == 1 && answer.cursor == "b")
    #expect(answer.refused.count == WireLimits.refusals + 1)
    #expect(answer.refused.last == ItemRefused { $0.reason = "7 more could not be taken in" })
  }

  @Test func line_thatIsCut_isNotTaken() async throws {
    let whole = line("c")
    for count in 0..<whole.utf8.count {
      let answers = await follow(line("b") + whole.prefix(count))
      #expect(answers.count == 1)
      let answer = try #require(answers.first).get()
      #expect(answer.cursor == "b" && answer.facts.count == 1 && answer.refused.isEmpty)
    }
  }

  /// A stream gives the same answers wherever the network cuts it.
  @Test(.feature(29)) func pieces_mayEndAnywhere() async throws {
    let text = line("b") + "\n" + "{\n" + line("é") + "\r\n" + line("d")
    let expected = try #require(await follow(text).first).get()
    for seed in 0..<UInt64(Campaign.size(200, long: 20_000)) {
      var generator = SeededGenerator(seed: seed)
      let cuts = (0..<Int.random(in: 0..<8, using: &generator)).map { _ in
        Int.random(in: 0...text.utf8.count, using: &generator)
      }
      let answer = try #require(await follow(text, cutAt: cuts.sorted()).first).get()
      #expect(answer.facts == expected.facts && answer.cursor == "d", "seed \(seed)")
      #expect(answer.refused == expected.refused && answer.refused.count == 1, "seed \(seed)")
    }
  }

  @Test(
    arguments: [
      (
        .json(#"{"type":"invalid_request_error","message":"Invalid cursor parameter"}"#, 400),
        .cursorUnknown
      ),
      (.status(401), .unauthorized), (.status(302), .notSent), (.status(503), .server),
      (.failure(.notSent), .notSent), (.failure(.lost), .lostAnswer),
      (.answer(HTTPAnswer(200, headers: ["Content-Type": "text/html"])), .lostAnswer),
    ] as [(PlayedClient.Turn, ServerFailure.Reason)])
  func refusal_isTheOnlyElement(turn: PlayedClient.Turn, reason: ServerFailure.Reason) async {
    var reasons: [ServerFailure.Reason?] = []
    for await answer in follow(turn) { reasons.append(answer.reason) }
    #expect(reasons == [reason])
  }

  @Test func line_withoutAnEnd_isNotWaitedFor() async throws {
    let inflow = Inflow(bytesMax: .max)
    _ = inflow.put([UInt8](repeating: 0x20, count: LineSplitter.lineBytesMax + 1))
    let first = await follow(.inflow(HTTPAnswer(200), inflow)).first { _ in true }
    #expect(first?.reason == .tooLarge)
  }

  /// A slow reader doesn't let the answer fill the memory.
  @Test func tooMuchThatWaits_endsIt() async throws {
    let inflow = Inflow(bytesMax: line("b").utf8.count)
    #expect(inflow.put(Array(line("b").utf8)))
    #expect(!inflow.put([0x0A]))
    var answers: [Result<Answer, ServerFailure>] = []
    for await answer in follow(.inflow(HTTPAnswer(200), inflow)) { answers.append(answer) }
    #expect(try answers.first?.get().cursor == "b")
    #expect(answers.count == 2 && answers.last?.reason == .tooLarge)
  }

  @Test func stream_thatNobodyFollows_isNotSentAnyMore() async throws {
    let inflow = Inflow(bytesMax: 1000)
    _ = inflow.put(Array(line("b").utf8))
    let client = PlayedClient([Self.path: [.inflow(HTTPAnswer(200), inflow)]])
    let first = await follow(client).first { _ in true }
    #expect(try first?.get().cursor == "b")
    #expect(client.stops == 1)
  }

  @Test func taskThatIsCancelled_endsIt_withoutAFailure() async throws {
    let client = PlayedClient([Self.path: [.inflow(HTTPAnswer(200), Inflow(bytesMax: 1))]])
    let stream = follow(client)
    let task = Task {
      var count = 0
      for await _ in stream { count += 1 }
      return count
    }
    while client.requests.isEmpty { await Task.yield() }
    task.cancel()
    #expect(await task.value == 0)
  }

  @Test func server_thatTellsNothing_endsAtOnce() async {
    let server = RichInboxServer(Courier(PlayedClient([:]), .bearer))
    for await _ in server.follow("rich", since: "a", token: nil) { Issue.record("it does") }
    #expect(server.abilities.streams.allSatisfy { !$0.isFollowed })
  }

  /// Streams of many accounts, which last for hours, leave connections to their requests.
  @Test(.feature(29, 49)) func streams_takeNoConnectionFromRequests() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n\n"
    let tag = #"{"id":"t","object":"tag"}"#
    let tiny = try TinyServer([
      "/delta/streaming?cursor=a": .pieces([Array(head.utf8)], closes: false),
      "/tags/t": .bytes("HTTP/1.1 200 OK\r\nContent-Length: \(tag.utf8.count)\r\n\r\n\(tag)"),
    ])
    defer { tiny.close() }
    let base = try #require(URL(string: "http://127.0.0.1:\(tiny.port)"))
    let server = InboxServer(base, authorization: .bearer)
    let streams = (0..<12).map { number in
      Task {
        for await _ in server.follow("mail", since: "a", token: Token("\(number)")) {}
      }
    }
    while tiny.requests.count < 12 { try await Task.sleep(for: .milliseconds(1)) }
    let answer = try await server.answer(.object(.tag, id: "t"), token: Token("t"))
    #expect(answer.facts.map(\.fields.id) == ["t"])
    for stream in streams { stream.cancel() }
    for stream in streams { await stream.value }
  }
}
