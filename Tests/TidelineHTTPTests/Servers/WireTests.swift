import EventStore
import Foundation
import TestSupport
import Testing
import Tideline
import TidelineHTTP
import TidelineSync

/// Servers over sockets, with the faults that networks and servers have.
///
/// Each test ends within a minute, however the system handles an answer.
@Suite(.timeLimit(.minutes(4))) struct WireTests {
  private static let cursor = Question.cursor(stream: "mail")
  private static let changes = Question.changes(stream: "mail", since: "a", limit: 5)
  private static let changesPath = "/delta?cursor=a&limit=5"

  private static func head(_ status: String, _ lines: String...) -> String {
    (["HTTP/1.1 \(status)"] + lines + ["Connection: close", "", ""]).joined(separator: "\r\n")
  }

  private static func ok(_ body: String, _ type: String = "application/json") -> String {
    head("200 OK", "Content-Type: \(type)", "Content-Length: \(body.utf8.count)") + body
  }

  /// Calls `body` with a local server and an `InboxServer` that talks to it.
  private func with<Value>(
    _ answers: [String: TinyServer.Answer], bytesMax: Int = 100_000,
    heartbeat: Duration = .ample / 2, within timeout: Duration = .ample,
    _ body: (TinyServer, InboxServer) async throws -> Value
  ) async throws -> Value {
    let tiny = try TinyServer(answers)
    defer { tiny.close() }
    var options = InboxServer.Options()
    options.heartbeat = heartbeat
    let courier = try courier(to: tiny, bytesMax: bytesMax, within: timeout)
    return try await body(tiny, InboxServer(courier, options))
  }

  private func courier(
    to tiny: TinyServer, bytesMax: Int, within timeout: Duration
  ) throws -> Courier {
    let base = try #require(URL(string: "http://127.0.0.1:\(tiny.port)"))
    var courier = Courier(Transport.best.client(of: base, answerBytesMax: bytesMax), .userName)
    courier.timeout = timeout
    courier.now = { Timestamp(seconds: 1_700_000_000) }
    return courier
  }

  private func ask(
    _ answer: TinyServer.Answer, bytesMax: Int = 100_000
  ) async throws -> Result<Answer, ServerFailure> {
    try await with([Self.changesPath: answer], bytesMax: bytesMax) { _, server in
      await server.outcome(of: Self.changes, token: Token("secret"))
    }
  }

  /// The outcomes of one answer for both kinds of server, mail and rich inbox.
  private func askBoth(
    _ answer: TinyServer.Answer, bytesMax: Int = 100_000, within timeout: Duration = .ample
  ) async throws -> [Result<Answer, ServerFailure>] {
    let tiny = try TinyServer([Self.changesPath: answer, RichPage.request().path: answer])
    defer { tiny.close() }
    let courier = try courier(to: tiny, bytesMax: bytesMax, within: timeout)
    return [
      await InboxServer(courier).outcome(of: Self.changes, token: Token("secret")),
      await RichInboxServer(courier).outcome(of: .all(.rich), token: Token("secret")),
    ]
  }

  @Test func answer_isTaken_whateverItsTypeSays() async throws {
    for type in ["application/json", "text/html", "x"] {
      let answer = try await ask(.bytes(Self.ok(#"{"cursor_end":"b","deltas":[]}"#, type))).get()
      #expect(answer.cursor == "b")
    }
  }

  /// The login page of a network comes with every sign of success.
  @Test(.feature(51)) func pageForPeople_isNoAnswer() async throws {
    let outcomes = try await askBoth(.bytes(Self.ok("<html>Log in</html>", "text/html")))
    #expect(outcomes.map(\.reason) == [.lostAnswer, .lostAnswer])
  }

  /// Asked for a password, the system would wait forever unless it is told not to.
  @Test(arguments: ["Basic realm=\"a\"", "Bearer"])
  func token_thatIsNotTaken_isSaidToBe(challenge: String) async throws {
    let answer = Self.head(
      "401 Unauthorized", "WWW-Authenticate: \(challenge)", "Content-Length: 2")
    let streaming = "/delta/streaming?cursor=a"
    let followed = try await with([streaming: .bytes(answer + "no")]) { _, server in
      await server.follow("mail", since: "a", token: nil).first { _ in true }
    }
    let outcomes = try await askBoth(.bytes(answer + "no"))
    #expect(followed?.reason == .unauthorized)
    #expect(outcomes.map(\.reason) == [.unauthorized, .unauthorized])
  }

  @Test(
    .feature(75),
    arguments: [
      ("7", 7), ("Tue, 14 Nov 2023 22:14:20 GMT", 60),
    ])
  func serverThatWantsToBeLeftAlone_saysForHowLong(text: String, seconds: Int64) async throws {
    let head = Self.head(
      "429 Too Many Requests", "Retry-After: \(text)", "Date: Tue, 14 Nov 2023 22:13:20 GMT",
      "Content-Length: 0")
    for outcome in try await askBoth(.bytes(head)) {
      guard case .failure(let failure) = outcome else {
        Issue.record("there is an answer")
        return
      }
      #expect(failure.reason == .throttled && failure.retryAfter == .seconds(seconds))
    }
  }

  /// Only the server that a token is for receives it: no redirection is followed.
  @Test(arguments: [301, 302, 303, 307, 308])
  func redirection_bringsTheTokenNowhere(status: Int) async throws {
    let other = try TinyServer(["/elsewhere": .bytes(Self.ok(#"{"cursor":"x"}"#))])
    defer { other.close() }
    for place in ["http://127.0.0.1:\(other.port)/elsewhere", "/elsewhere"] {
      let answer = Self.head("\(status) Elsewhere", "Location: \(place)", "Content-Length: 0")
      let seen = try await with([Self.changesPath: .bytes(answer)]) { tiny, server in
        let outcome = await server.outcome(of: Self.changes, token: Token("secret"))
        #expect(outcome.reason == .notSent)
        return tiny.requests
      }
      #expect(try await askBoth(.bytes(answer)).map(\.reason) == [.notSent, .notSent])
      #expect(seen.count == 1 && seen.first?.contains("Authorization: Basic c2VjcmV0Og==") == true)
    }
    #expect(other.requests.isEmpty)
  }

  @Test(
    .feature(26),
    arguments: [
      "", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", "HTTP/1.1 100 Continue\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"cur",
      "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"cursor_end\":\"b\",\"deltas\":[",
    ])
  func connectionThatBreaks_leavesTheCursorWhereItWas(answer: String) async throws {
    let outcomes = try await askBoth(.bytes(answer))
    #expect(outcomes.map(\.reason) == [.lostAnswer, .lostAnswer])
  }

  /// A server whose answer isn't HTTP may still have carried out the request.
  @Test(arguments: ["hello", "HTTP/1.1 no\r\n\r\n", "HTTP/1.1 200 OK\r\nno\r\n\r\n{}", ""])
  func answer_thatIsNotHTTP_leavesOpenWhatWasDone(text: String) async throws {
    let outcome = try await with(["/send": .bytes(text)]) { _, server in
      await server.outcome(of: .sending(messageID: nil), .draft, "d1", version: 1)
    }
    #expect(outcome.reason == .lostAnswer)
  }

  @Test func head_thatOnlyAnnouncesAnother_isNotTheAnswer() async throws {
    let text = Self.ok(#"{"cursor_end":"b","deltas":[]}"#)
    let answer = try await ask(.bytes("HTTP/1.1 100 Continue\r\n\r\n" + text)).get()
    #expect(answer.cursor == "b" && answer.status == 200)
  }

  @Test(arguments: ["ftp://127.0.0.1", "http:", "file:///tmp", "x"])
  func address_thatIsNone_isNotAsked(address: String) async throws {
    let server = InboxServer(try #require(URL(string: address)))
    #expect(await server.outcome(of: Self.cursor).reason == .notSent)
  }

  // Takes more than a second, as an answer may if each piece comes in time, which a busy machine
  // doesn't always allow.
  @Test func slowAnswer_isWaitedFor_asLongAsItMoves() async throws {
    let pieces = Array(Self.ok(#"{"cursor_end":"b","deltas":[]}"#).utf8)
    let cuts = stride(from: 0, to: pieces.count, by: pieces.count / 4 + 1).map {
      Array(pieces[$0..<min($0 + pieces.count / 4 + 1, pieces.count)])
    }
    var isDisturbed = true
    while isDisturbed {
      let answer = TinyServer.Answer.pieces(cuts, every: .milliseconds(500))
      let (outcome, gap) = try await with([Self.changesPath: answer], within: .seconds(1)) {
        tiny, server in
        (await server.outcome(of: Self.changes, token: Token("secret")), tiny.longestGap)
      }
      isDisturbed = gap >= .seconds(1)
      if !isDisturbed { #expect(try outcome.get().cursor == "b", "silent for \(gap)") }
    }
  }

  // Takes two seconds: the server may be silent for one, and two servers are asked.
  @Test func answer_thatStops_isNotWaitedFor() async throws {
    let half = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"
    let answer = TinyServer.Answer.pieces([Array(half.utf8)], closes: false)
    let outcomes = try await askBoth(answer, within: .seconds(1))
    #expect(outcomes.map(\.reason) == [.lostAnswer, .lostAnswer])
  }

  @Test(arguments: ["Content-Length: 60000", "X-Length: unknown"])
  func hugeAnswer_isNotTaken(line: String) async throws {
    let text = Self.head("200 OK", line) + String(repeating: " ", count: 60_000)
    for (limit, reason) in [(50_000, ServerFailure.Reason.tooLarge), (60_000, .lostAnswer)] {
      let outcomes = try await askBoth(.bytes(text), bytesMax: limit)
      #expect(outcomes.map(\.reason) == [reason, reason])
    }
  }

  @Test func text_thatIsNotUTF8_costsItsOwnItemOnly() async throws {
    let open = #"{"cursor":"b","object":"tag","event":"create","id":""#
    let good = open + #"1","attributes":{"name":"é"}}"#
    let body =
      Array(#"{"cursor_end":"b","deltas":["#.utf8) + Array(good.utf8)
      + Array((#","# + open + #"2","attributes":{"name":""#).utf8) + [0xFF, 0xC3]
      + Array(#""}}]}"#.utf8)
    let head = Self.head("200 OK", "Content-Length: \(body.count)")
    let answer = try await ask(.pieces([Array(head.utf8) + body])).get()
    #expect(answer.facts.map(\.fields.id) == ["1"] && answer.cursor == "b")
    #expect(answer.refused.map(\.id) == ["2"] && !answer.isComplete)
  }

  /// `{"cursor_end":"b","deltas":[]}`, with 200 spaces before it, packed by gzip.
  private static let packed: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x53, 0x50, 0x18, 0x1E,
    0xA0, 0x5A, 0x29, 0xB9, 0xB4, 0xA8, 0x38, 0xBF, 0x28, 0x3E, 0x35, 0x2F, 0x45, 0xC9,
    0x4A, 0x29, 0x49, 0x49, 0x47, 0x29, 0x25, 0x35, 0xA7, 0x24, 0xB1, 0x58, 0xC9, 0x2A,
    0x3A, 0xB6, 0x16, 0x00, 0x6D, 0x46, 0x62, 0x79, 0xE6, 0x00, 0x00, 0x00,
  ]

  @Test func packedAnswer_isUnpacked() async throws {
    let head = Self.head(
      "200 OK", "Content-Encoding: gzip", "Content-Length: \(Self.packed.count)")
    let outcome = try await with([
      Self.changesPath: .pieces([Array(head.utf8) + Self.packed])
    ]) { tiny, server in
      let outcome = await server.outcome(of: Self.changes)
      #expect(tiny.requests.first?.lowercased().contains("accept-encoding: ") == true)
      return outcome
    }
    #expect(try outcome.get().cursor == "b")
  }

  /// A small compressed answer may be huge once it is unpacked.
  @Test func packedAnswer_thatIsHuge_isNotTaken() async throws {
    let head = Self.head(
      "200 OK", "Content-Encoding: gzip", "Content-Length: \(Self.packed.count)")
    let outcome = try await ask(
      .pieces([Array(head.utf8) + Self.packed]), bytesMax: Self.packed.count)
    #expect(outcome.reason == .tooLarge)
  }

  @Test func listThatIsAsItWas_isNotTold_overASocket() async throws {
    let page = #"{"messages":[{"id":"1"}],"complete":true}"#
    let tiny = try TinyServer(
      [
        "/inbox/messages": .bytes(
          Self.head("200 OK", "ETag: \"a\"", "Content-Length: \(page.utf8.count)") + page)
      ], unlessIs: Self.head("304 Not Modified", "ETag: \"a\""))
    defer { tiny.close() }
    let base = try #require(URL(string: "http://127.0.0.1:\(tiny.port)"))
    let server = RichInboxServer(base)
    let first = try await server.answer(.all(.rich), token: Token("t"))
    #expect(first.status == 200 && first.facts.count == 1 && first.cursor == "\"a\"")
    let again = try await server.answer(.all(.rich, unlessAt: first.cursor), token: Token("t"))
    #expect(again.status == 304 && again.isUnchanged && again.facts.isEmpty)
    #expect(tiny.requests.last?.contains("If-None-Match: \"a\"\r\n") == true)
    #expect(tiny.requests.last?.contains("Authorization: Bearer t\r\n") == true)
  }

  @Test func part_isDone_overASocket() async throws {
    let body = #"{"id":"m1","object":"message","unread":false}"#
    let (settlement, seen) = try await with(["/messages/m1": .bytes(Self.ok(body))]) {
      tiny, server in
      (try await server.outcome(of: .read(true), .message, "m1").get(), tiny.requests)
    }
    #expect(settlement.outcomes == [.done()] && settlement.facts.count == 1)
    #expect(seen.first?.hasPrefix("PUT /messages/m1 HTTP/1.1\r\n") == true)
    #expect(seen.first?.hasSuffix("\r\n\r\n{\"unread\":false}") == true)
  }

  private func line(_ cursor: String) -> [UInt8] {
    Array(
      (#"{"cursor":"\#(cursor)","object":"tag","event":"create","id":"t","attributes":{}}"#
        + "\n").utf8)
  }

  private let streaming = Array(head("200 OK", "Content-Type: text/event-stream").utf8)

  /// Changes are reported while more are still to come.
  @Test(.feature(29)) func stream_isFollowedAsItComes() async throws {
    let pieces = [streaming, line("b"), [0x0A], line("c")]
    let path = "/delta/streaming?cursor=a"
    let answer = TinyServer.Answer.pieces(pieces, every: .milliseconds(100), closes: false)
    try await with([path: answer]) { _, server in
      var cursors: [String?] = []
      for await answer in server.follow("mail", since: "a", token: nil) {
        cursors.append(try answer.get().cursor)
        if cursors.last == "c" { break }
      }
      // Both lines may have come together.
      #expect(cursors == ["b", "c"] || cursors == ["c"])
    }
  }

  @Test func stream_thatTheServerEnds_ends() async throws {
    let path = "/delta/streaming?cursor=a"
    try await with([path: .pieces([streaming + line("b") + Array("{\"cut".utf8)])]) { _, server in
      var cursors: [String?] = []
      for await answer in server.follow("mail", since: "a", token: nil) {
        cursors.append(try answer.get().cursor)
      }
      #expect(cursors == ["b"])
    }
  }

  // Takes three heartbeats and then the time of two, which systems count in seconds. On a busy
  // machine a heartbeat may come too late; the test then repeats.
  @Test(.feature(29)) func stream_thatIsSilentForTwoHeartbeats_isBroken() async throws {
    let pieces = [streaming, [0x0A], [0x0A], [0x0A], line("b")]
    let path = "/delta/streaming?cursor=a"
    let answer = TinyServer.Answer.pieces(pieces, every: .milliseconds(400), closes: false)
    var isDisturbed = true
    while isDisturbed {
      isDisturbed = try await with([path: answer], heartbeat: .milliseconds(500)) { tiny, server in
        var (cursors, reasons): ([String?], [ServerFailure.Reason?]) = ([], [])
        for await answer in server.follow("mail", since: "a", token: nil) {
          if case .success(let answer) = answer { cursors.append(answer.cursor) }
          if case .failure(let failure) = answer { reasons.append(failure.reason) }
        }
        let gap = tiny.longestGap
        guard gap < .seconds(1) else { return true }
        #expect(cursors == ["b"] && reasons == [.lostAnswer], "silent for \(gap)")
        return false
      }
    }
  }
}
