import Foundation
import Synchronization
import TestSupport
import Testing
import TidelineHTTP

/// Answers arrive unchanged, and a failure says how far the request got.
///
/// Each test ends within a minute, however the system handles an answer.
@Suite(.timeLimit(.minutes(4))) struct HTTPClientTests {
  private static func head(_ status: String, _ lines: String...) -> String {
    (["HTTP/1.1 \(status)"] + lines + ["Connection: close", "", ""]).joined(separator: "\r\n")
  }

  private func client(
    _ transport: Transport, _ server: TinyServer, bytesMax: Int = 1000, mayPause: Bool = false
  ) throws -> any HTTPClient {
    let base = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
    return transport.client(
      of: base, headers: [.init("Authorization", "Bearer token")], answerBytesMax: bytesMax,
      mayPause: mayPause)
  }

  private func ask(
    _ transport: Transport, _ answer: TinyServer.Answer, bytesMax: Int = 1000,
    within timeout: Duration = .ample
  ) async throws -> HTTPAnswer {
    let server = try TinyServer(["/a?b=%2F": answer])
    defer { server.close() }
    return try await client(transport, server, bytesMax: bytesMax)
      .answer(to: HTTPRequest("GET", "/a?b=%2F"), within: timeout)
  }

  @Test(arguments: Transport.allCases)
  func request_isSentAsItIs_andAnswered(by transport: Transport) async throws {
    let server = try TinyServer([
      "/n/1/a%2Fb?c=%26": .bytes(
        Self.head("200 OK", "Content-Length: 5", "X-Odd: 1") + "hello")
    ])
    defer { server.close() }
    let request = HTTPRequest(
      "PUT", "/n/1/a%2Fb?c=%26", headers: [.init("Content-Type", "application/json")],
      body: Array(#"{"é":1}"#.utf8))
    let answer = try await client(transport, server).answer(to: request, within: .ample)
    #expect(answer.status == 200 && answer.headers["x-odd"] == "1")
    #expect(String(decoding: answer.body, as: UTF8.self) == "hello")
    let sent = try #require(server.requests.first)
    #expect(sent.hasPrefix("PUT /n/1/a%2Fb?c=%26 HTTP/1.1\r\n"))
    #expect(sent.contains("Authorization: Bearer token\r\n"))
    #expect(sent.contains("Content-Type: application/json\r\n"))
    #expect(sent.hasSuffix("\r\n\r\n{\"é\":1}") && server.requests.count == 1)
  }

  @Test(
    arguments: Transport.allCases,
    ["Basic realm=\"a\"", "Digest realm=\"a\", nonce=\"b\"", "Bearer"])
  func wrongPassword_isAnAnswer_whateverTheServerAsksFor(
    by transport: Transport, challenge: String
  ) async throws {
    let head = Self.head(
      "401 Unauthorized", "WWW-Authenticate: \(challenge)", "Content-Length: 2")
    #expect(try await ask(transport, .bytes(head + "no")).status == 401)
  }

  @Test(arguments: Transport.allCases)
  func wrongPassword_isAnAnswer_thoughItsBodyNeverComes(by transport: Transport) async throws {
    let head = Self.head("401 Unauthorized", "Content-Length: 2")
    let answer = TinyServer.Answer.pieces([Array(head.utf8)], closes: false)
    #expect(try await ask(transport, answer).status == 401)
  }

  @Test(
    arguments: Transport.allCases,
    ["400 Bad Request", "404 Not Found", "409 Conflict", "503 Unavailable"])
  func refusal_isAnAnswer_withItsBody(by transport: Transport, status: String) async throws {
    let answer = try await ask(
      transport, .bytes(Self.head(status, "Retry-After: 7", "Content-Length: 2") + "{}"))
    #expect(answer.status == Int(status.prefix(3)) && answer.headers["retry-after"] == "7")
    #expect(answer.body == Array("{}".utf8))
  }

  @Test(arguments: Transport.allCases)
  func redirection_isNotFollowed(by transport: Transport) async throws {
    let answer = try await ask(
      transport, .bytes(Self.head("302 Found", "Location: /b", "Content-Length: 0")))
    #expect(answer.status == 302 && answer.headers["location"] == "/b")
  }

  /// A connection may be lost after the request was sent over it.
  @Test(.feature(51)) func missingLine_isCertainlyNothingSent_onlyBeforeTheBody() {
    for code in [URLError.Code.notConnectedToInternet, .dataNotAllowed, .callIsActive] {
      #expect(HTTPFailure(URLError(code), sent: 0) == .notSent)
      #expect(HTTPFailure(URLError(code), sent: 1) == .lost)
    }
  }

  @Test(arguments: Transport.allCases)
  func silence_ends(by transport: Transport) async throws {
    await #expect(throws: HTTPFailure.timeout) {
      _ = try await ask(transport, .silence, within: .seconds(1))
    }
  }

  /// A request that waits in vain for a connection has not reached the server.
  @Test(.feature(51), arguments: Transport.allCases.filter { $0 != .session })
  func requestWithoutAConnection_isNotSent(by transport: Transport) async throws {
    let server = try TinyServer(["/": .silence])
    defer { server.close() }
    let client = try client(transport, server)
    let others = (0..<8).map { _ in
      Task { try await client.answer(to: HTTPRequest("GET", "/"), within: .ample) }
    }
    while server.requests.count < 8 { try await Task.sleep(for: .milliseconds(1)) }
    await #expect(throws: HTTPFailure.notSent) {
      _ = try await client.answer(to: HTTPRequest("GET", "/"), within: .milliseconds(200))
    }
    for other in others { other.cancel() }
    for other in others { _ = await other.result }
  }

  @Test(
    .feature(51), arguments: Transport.allCases,
    ["", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"])
  func connectionThatBreaks_leavesOpenWhetherItWasDone(
    by transport: Transport, answer: String
  ) async throws {
    await #expect(throws: HTTPFailure.lost) { _ = try await ask(transport, .bytes(answer)) }
  }

  /// `URLSession` is left out, as these answers crash it on Linux.
  @Test(arguments: Transport.allCases.filter { $0 != .session }, ["HTTP", "HTTP/1.1 200 OK\r\nX-"])
  func connectionThatBreaksWithinTheHead_isLost(
    by transport: Transport, answer: String
  ) async throws {
    await #expect(throws: HTTPFailure.lost) { _ = try await ask(transport, .bytes(answer)) }
  }

  @Test(arguments: Transport.allCases, ["Content-Length: 20", "X-Length: unknown"])
  func longAnswer_isNotTaken(by transport: Transport, line: String) async throws {
    let text = Self.head("200 OK", line) + String(repeating: "a", count: 20)
    await #expect(throws: HTTPFailure.tooLong(limit: 19)) {
      _ = try await ask(transport, .bytes(text), bytesMax: 19)
    }
    #expect(try await ask(transport, .bytes(text), bytesMax: 20).body.count == 20)
  }

  @Test(.feature(51), arguments: Transport.allCases)
  func noServer_meansThatNothingWasSent(by transport: Transport) async throws {
    let server = try Port.listening { port in try TinyServer([:], port: port) }
    server.close()
    let client = try client(transport, server)
    await #expect(throws: HTTPFailure.notSent) {
      _ = try await client.answer(to: HTTPRequest("GET", "/"), within: .ample)
    }
  }

  @Test(.feature(60), arguments: Transport.allCases)
  func body_isToldOf_asItIsSent(by transport: Transport) async throws {
    let server = try TinyServer([
      "/files": .bytes(Self.head("200 OK", "Content-Length: 2") + "[]")
    ])
    defer { server.close() }
    let length = 1_000_000
    let counts = Mutex<[Int64]>([])
    let request = HTTPRequest("POST", "/files", body: Array(repeating: 65, count: length))
    let client = try client(transport, server)
    let answer = try await client.answer(to: request, within: .ample) { sent in
      counts.withLock { $0.append(sent) }
    }
    let told = counts.withLock(\.self)
    #expect(answer.status == 200 && server.requests.first?.utf8.count ?? 0 > length)
    #expect(told.last == Int64(length) && told.count > 2 && told == told.sorted())
  }

  /// The library unpacks the body by itself, without a trace of how it was packed.
  @Test(arguments: Transport.allCases)
  func packedAnswer_isUnpacked(by transport: Transport) async throws {
    let packed: [UInt8] = [
      0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10,
      0x36, 5, 0, 0, 0,
    ]
    let head = Self.head("200 OK", "Content-Encoding: gzip", "Content-Length: \(packed.count)")
    let answer = try await ask(transport, .pieces([Array(head.utf8), packed]))
    #expect(answer.body == Array("hello".utf8))
  }

  @Test(arguments: Transport.allCases)
  func headOfAnAnswerThatComesLater_isNotTheAnswers(by transport: Transport) async throws {
    let first = "HTTP/1.1 103 Early Hints\r\nX-Odd: 1\r\n\r\n"
    let text = first + Self.head("200 OK", "X-Even: a: b", "Content-Length: 2") + "ok"
    let answer = try await ask(transport, .bytes(text))
    #expect(answer.status == 200 && answer.body == Array("ok".utf8))
    #expect(answer.headers["x-even"] == "a: b" && answer.headers["x-odd"] == nil)
  }

  @Test(arguments: Transport.allCases)
  func emptyField_andEmptyBody_areSentAsSuch(by transport: Transport) async throws {
    let server = try TinyServer(["/a": .bytes(Self.head("204 No Content"))])
    defer { server.close() }
    let request = HTTPRequest("POST", "/a", headers: [.init("X-Empty", "")])
    #expect(
      try await client(transport, server).answer(to: request, within: .ample).status == 204)
    let sent = try #require(server.requests.first)
    #expect(sent.contains("X-Empty:") && sent.contains("Content-Length: 0\r\n"))
  }

  /// Pieces keep arriving in time, so the answer isn't late, although the whole takes longer.
  ///
  /// On a busy machine a piece may arrive late; the test then repeats.
  @Test(arguments: Transport.allCases)
  func slowAnswer_isNotLate(by transport: Transport) async throws {
    let pieces = [Array(Self.head("200 OK").utf8)] + (0..<6).map { [UInt8(ascii: "0") + $0] }
    var isDisturbed = true
    while isDisturbed {
      let server = try TinyServer(["/a": .pieces(pieces, every: .milliseconds(300))])
      defer { server.close() }
      let client = try client(transport, server)
      let outcome: Result<HTTPAnswer, HTTPFailure>
      do throws(HTTPFailure) {
        outcome = .success(
          try await client.answer(to: HTTPRequest("GET", "/a"), within: .seconds(1)))
      } catch {
        outcome = .failure(error)
      }
      let gap = server.longestGap
      isDisturbed = gap >= .seconds(1)
      if !isDisturbed {
        #expect(try outcome.get().body == Array("012345".utf8), "silent for \(gap)")
      }
    }
  }

  /// Releasing a stream midway closes its connection, which the server notices.
  @Test(arguments: Transport.allCases)
  func streamThatIsLetGo_ends(by transport: Transport) async throws {
    let pieces = [Array(Self.head("200 OK").utf8), [65]]
    let server = try TinyServer(["/a": .pieces(pieces, closes: false)])
    defer { server.close() }
    let client = try client(transport, server)
    var stream: HTTPStream? = try await client.open(
      HTTPRequest("GET", "/a"), within: .ample)
    #expect(try await stream?.next() == [[65]])
    stream = nil
    while !server.isIdle { try await Task.sleep(for: .milliseconds(5)) }
  }

  /// The length of an answer that no system's buffers hold.
  private static let long = 64 << 20

  private static func longAnswer() -> TinyServer.Answer {
    let piece = [UInt8](repeating: 65, count: 1 << 20)
    return .pieces([Array(head("200 OK").utf8)] + Array(repeating: piece, count: long >> 20))
  }

  private func count(_ stream: HTTPStream) async throws -> Int {
    var count = 0
    while let pieces = try await stream.next() { count += pieces.reduce(0) { $0 + $1.count } }
    return count
  }

  /// The transports that can make a server wait; on Linux, `URLSession` can't.
  private static var patient: [Transport] {
    #if canImport(Darwin)
      Transport.allCases
    #else
      Transport.allCases.filter { $0 != .session }
    #endif
  }

  /// The server waits for a reader that is slower than the line.
  @Test(arguments: patient)
  func slowReader_isWaitedFor(by transport: Transport) async throws {
    let server = try TinyServer(["/a": Self.longAnswer()])
    defer { server.close() }
    let client = try client(transport, server, bytesMax: 12 << 20, mayPause: true)
    let stream = try await client.open(HTTPRequest("GET", "/a"), within: .ample)
    // By now, much more than the limit would have arrived.
    try await Task.sleep(for: .milliseconds(500))
    #expect(!server.isIdle)
    #expect(try await count(stream) == Self.long)
  }

  /// Requests that may share a connection don't pause, which could keep others on it waiting.
  @Test(arguments: Transport.allCases)
  func slowReader_ofASharedConnection_isNotWaitedFor(by transport: Transport) async throws {
    let server = try TinyServer(["/a": Self.longAnswer()])
    defer { server.close() }
    let limit = 10 << 20
    let client = try client(transport, server, bytesMax: limit)
    let stream = try await client.open(HTTPRequest("GET", "/a"), within: .ample)
    while !server.isIdle { try await Task.sleep(for: .milliseconds(5)) }
    await #expect(throws: HTTPFailure.tooLong(limit: limit)) { _ = try await count(stream) }
  }

  @Test(arguments: Transport.allCases)
  func cancelledTask_waitsNoLonger(by transport: Transport) async throws {
    let server = try TinyServer(["/a": .silence])
    defer { server.close() }
    let client = try client(transport, server)
    let task = Task { () -> HTTPFailure? in
      do throws(HTTPFailure) {
        _ = try await client.answer(to: HTTPRequest("GET", "/a"), within: .ample)
        return nil
      } catch {
        return error
      }
    }
    while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    task.cancel()
    #expect(await task.value == .cancelled)
  }
}
