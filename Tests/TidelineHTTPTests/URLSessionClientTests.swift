import Foundation
import Synchronization
import TestSupport
import Testing
import TidelineHTTP

/// Answers come as they are, and where there is none it is said how far the request went.
///
/// Each has to end within a minute, whatever the system makes of an answer.
@Suite(.timeLimit(.minutes(1))) struct URLSessionClientTests {
  private static func head(_ status: String, _ lines: String...) -> String {
    (["HTTP/1.1 \(status)"] + lines + ["Connection: close", "", ""]).joined(separator: "\r\n")
  }

  private func client(_ server: TinyServer, bytesMax: Int = 1000) throws -> URLSessionClient {
    let base = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
    return URLSessionClient(
      base, headers: [.init("Authorization", "Bearer token")], answerBytesMax: bytesMax)
  }

  private func ask(
    _ answer: TinyServer.Answer, bytesMax: Int = 1000, within timeout: Duration = .seconds(20)
  ) async throws -> HTTPAnswer {
    let server = try TinyServer(["/a?b=%2F": answer])
    defer { server.close() }
    return try await client(server, bytesMax: bytesMax)
      .answer(to: HTTPRequest("GET", "/a?b=%2F"), within: timeout)
  }

  @Test func request_isSentAsItIs_andAnswered() async throws {
    let server = try TinyServer([
      "/n/1/a%2Fb?c=%26": .bytes(
        Self.head("200 OK", "Content-Length: 5", "X-Odd: 1") + "hello")
    ])
    defer { server.close() }
    let request = HTTPRequest(
      "PUT", "/n/1/a%2Fb?c=%26", headers: [.init("Content-Type", "application/json")],
      body: Array(#"{"é":1}"#.utf8))
    let answer = try await client(server).answer(to: request, within: .seconds(20))
    #expect(answer.status == 200 && answer.headers["x-odd"] == "1")
    #expect(String(decoding: answer.body, as: UTF8.self) == "hello")
    let sent = try #require(server.requests.first)
    #expect(sent.hasPrefix("PUT /n/1/a%2Fb?c=%26 HTTP/1.1\r\n"))
    #expect(sent.contains("Authorization: Bearer token\r\n"))
    #expect(sent.contains("Content-Type: application/json\r\n"))
    #expect(sent.hasSuffix("\r\n\r\n{\"é\":1}") && server.requests.count == 1)
  }

  @Test(arguments: ["Basic realm=\"a\"", "Digest realm=\"a\", nonce=\"b\"", "Bearer"])
  func wrongPassword_isAnAnswer_whateverTheServerAsksFor(challenge: String) async throws {
    let head = Self.head(
      "401 Unauthorized", "WWW-Authenticate: \(challenge)", "Content-Length: 2")
    #expect(try await ask(.bytes(head + "no")).status == 401)
  }

  @Test(arguments: ["400 Bad Request", "404 Not Found", "409 Conflict", "503 Unavailable"])
  func refusal_isAnAnswer_withItsBody(status: String) async throws {
    let answer = try await ask(
      .bytes(Self.head(status, "Retry-After: 7", "Content-Length: 2") + "{}"))
    #expect(answer.status == Int(status.prefix(3)) && answer.headers["retry-after"] == "7")
    #expect(answer.body == Array("{}".utf8))
  }

  @Test func redirection_isNotFollowed() async throws {
    let answer = try await ask(
      .bytes(Self.head("302 Found", "Location: /b", "Content-Length: 0")))
    #expect(answer.status == 302 && answer.headers["location"] == "/b")
  }

  /// A line that is gone may be gone behind what was sent over it.
  @Test(.feature(51)) func missingLine_isCertainlyNothingSent_onlyBeforeTheBody() {
    for code in [URLError.Code.notConnectedToInternet, .dataNotAllowed, .callIsActive] {
      #expect(HTTPFailure(URLError(code), sent: 0) == .notSent)
      #expect(HTTPFailure(URLError(code), sent: 1) == .lost)
    }
  }

  @Test func silence_ends() async throws {
    await #expect(throws: HTTPFailure.timeout) {
      _ = try await ask(.silence, within: .seconds(1))
    }
  }

  @Test(.feature(51), arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"])
  func connectionThatBreaks_leavesOpenWhetherItWasDone(answer: String) async throws {
    await #expect(throws: HTTPFailure.lost) { _ = try await ask(.bytes(answer)) }
  }

  @Test(arguments: ["Content-Length: 20", "X-Length: unknown"])
  func longAnswer_isNotTaken(line: String) async throws {
    let text = Self.head("200 OK", line) + String(repeating: "a", count: 20)
    await #expect(throws: HTTPFailure.tooLong(limit: 19)) {
      _ = try await ask(.bytes(text), bytesMax: 19)
    }
    #expect(try await ask(.bytes(text), bytesMax: 20).body.count == 20)
  }

  @Test(.feature(51)) func noServer_meansThatNothingWasSent() async throws {
    let server = try TinyServer([:])
    server.close()
    let client = try client(server)
    await #expect(throws: HTTPFailure.notSent) {
      _ = try await client.answer(to: HTTPRequest("GET", "/"), within: .seconds(20))
    }
  }

  @Test(.feature(60)) func body_isToldOf_asItIsSent() async throws {
    let server = try TinyServer([
      "/files": .bytes(Self.head("200 OK", "Content-Length: 2") + "[]")
    ])
    defer { server.close() }
    let length = 1_000_000
    let counts = Mutex<[Int64]>([])
    let request = HTTPRequest("POST", "/files", body: Array(repeating: 65, count: length))
    let answer = try await client(server).answer(to: request, within: .seconds(20)) { sent in
      counts.withLock { $0.append(sent) }
    }
    let told = counts.withLock(\.self)
    #expect(answer.status == 200 && server.requests.first?.utf8.count ?? 0 > length)
    #expect(told.last == Int64(length) && told.count > 2 && told == told.sorted())
  }

  @Test func cancelledTask_waitsNoLonger() async throws {
    let server = try TinyServer(["/a": .silence])
    defer { server.close() }
    let client = try client(server)
    let task = Task { () -> HTTPFailure? in
      do throws(HTTPFailure) {
        _ = try await client.answer(to: HTTPRequest("GET", "/a"), within: .seconds(30))
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
