import Foundation
import Testing
import Tideline
import TidelineHTTP
import TidelineSync

/// What an app adds to every request: header fields, and how long it waits for an answer.
@Suite(.timeLimit(.minutes(4))) struct HeaderTests {
  private static let messages = "/inbox/messages"
  private static let headers = [
    "X-API-Key": "k1", "User-Agent": "Offers/2.1", "authorization": "Basic x",
  ]

  private static func ok(_ body: String) -> TinyServer.Answer {
    .bytes(
      "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n" + body)
  }

  private func base(of tiny: TinyServer) throws -> URL {
    try #require(URL(string: "http://127.0.0.1:\(tiny.port)"))
  }

  /// Both servers send the fields; the one with the token replaces an app's own.
  @Test func headers_areSent_besideTheTokens() async throws {
    let tiny = try TinyServer([
      Self.messages: Self.ok(#"{"messages":[],"complete":true}"#),
      "/delta/latest_cursor": Self.ok(#"{"cursor":"c"}"#),
    ])
    defer { tiny.close() }
    let base = try base(of: tiny)
    let rich = RichInboxServer(base, headers: Self.headers)
    let mail = InboxServer(base, authorization: .bearer, headers: Self.headers)
    _ = try await rich.answer(.all(.rich), token: Token("t"))
    _ = try await mail.answer(.cursor(stream: "mail"), token: Token("t"))
    #expect(tiny.requests.count == 2)
    for sent in tiny.requests {
      #expect(sent.contains("X-API-Key: k1\r\n") && sent.contains("User-Agent: Offers/2.1\r\n"))
      #expect(sent.contains("Authorization: Bearer t\r\n") && !sent.contains("Basic x"))
    }
  }

  @Test func silence_ends_afterTheTimeout() async throws {
    let tiny = try TinyServer([Self.messages: .silence, "/delta/latest_cursor": .silence])
    defer { tiny.close() }
    let (base, timeout) = (try base(of: tiny), Duration.seconds(1))
    let began = ContinuousClock.now
    let outcomes = [
      await RichInboxServer(base, timeout: timeout).outcome(of: .all(.rich)),
      await InboxServer(base, timeout: timeout).outcome(of: .cursor(stream: "mail")),
    ]
    #expect(outcomes.map(\.reason) == [.lostAnswer, .lostAnswer])
    #expect(ContinuousClock.now - began < .seconds(30))
  }

  @Test(arguments: [
    ("", "a"), ("X Key", "a"), ("X:", "a"), ("X\r\nY", "a"), ("X", ""), ("X", " "),
    ("X", "a\r\nY: b"), ("X", "a\nb"), ("X", "a\u{0}"), ("Content-Length", "1"), ("host", "a"),
    ("Transfer-Encoding", "chunked"),
  ])
  func header_thatCantBeSent_traps(name: String, value: String) async {
    await #expect(processExitsWith: .failure) {
      [name = name as String, value = value as String] in
      Self.makeServer([name: value], .seconds(1))
    }
  }

  /// Some libraries would send both fields, and others either of them.
  @Test func headers_thatDifferByCaseOnly_trap() async {
    await #expect(processExitsWith: .failure) {
      Self.makeServer(["X-A": "1", "x-a": "2"], .seconds(1))
    }
  }

  @Test func timeout_thatIsNone_traps() async {
    await #expect(processExitsWith: .failure) { Self.makeServer([:], .zero) }
  }

  private static func makeServer(_ headers: [String: String], _ timeout: Duration) {
    _ = RichInboxServer(URL(fileURLWithPath: "/"), headers: headers, timeout: timeout)
  }
}
