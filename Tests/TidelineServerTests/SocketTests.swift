import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing
import Tideline
import TidelineHTTP
import TidelineServer
import TidelineSimulator
import TidelineSync

/// The same routes over sockets, as clients see them.
@Suite(.timeLimit(.minutes(4))) struct SocketTests {
  private let server: EmbeddedServer
  private let client: any HTTPClient
  private let api = InboxAPI(namespace: "n 1")

  init() throws {
    // Nobody else listens at the port once the server has ended.
    server = try Port.listening { port in
      let mail = MailServer(at: .example, seed: 1)
      let rich = RichServer(.engage, at: .example, seed: 1)
      rich.visitors = [Token("mail"): Visitor(device: "phone", login: 1)]
      var pace = ServerPace()
      pace.look = .milliseconds(5)
      pace.heartbeat = .milliseconds(50)
      return try EmbeddedServer(Router(mail: mail, rich: rich), port: port, pace: pace) {
        .example
      }
    }
    let address = try #require(URL(string: server.address))
    client = Transport.best.client(
      of: address, headers: [.init("Authorization", "Bearer mail")])
  }

  private func ask(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPAnswer {
    try await client.answer(to: request, within: .ample)
  }

  private func cursor() async throws -> String {
    let answer = try await ask(api.latestCursor())
    return try CursorAnswer(answer.body.payloadBytes).cursor
  }

  private func receive() -> String { server.withRouter { $0.receiveMail(at: $1) ?? "" } }

  @Test func lists_andObjects() async throws {
    let ids = (0..<200).map { _ in receive() }
    let answer = try await ask(try #require(api.list(.message, limit: 1000)))
    let facts = try ObjectAnswer(answer.body.payloadBytes, of: .message).items.facts
    #expect(Set(facts.compactMap(\.fields.id)) == Set(ids))
    let one = try await ask(try #require(api.object(.message, ids[3])))
    #expect(
      try ObjectAnswer(one.body.payloadBytes, of: .message).items.facts[0].fields.id == ids[3])
    #expect(try await ask(try #require(api.object(.thread, "a/b c"))).status == 404)
    server.stop()
  }

  @Test func bodies_arriveWhole() async throws {
    let content = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
    let request = api.upload(
      content, named: "a", type: nil, key: OperationKey(low: 1, high: 2))
    let answer = try await ask(request)
    let id = try ObjectAnswer(answer.body.payloadBytes, of: .file).items.facts.first?.fields.id
    let path = "/files/\(try #require(id))/download"
    #expect(try await ask(HTTPRequest("GET", path)).body == content)
    server.stop()
  }

  /// If each piece of a body cost as much as all pieces before it, this would take over a minute.
  @Test func bodies_thatAreLarge_arriveInTime() async throws {
    let body = [UInt8](repeating: UInt8(ascii: " "), count: 48 << 20)
    #expect(try await ask(HTTPRequest("POST", "/nowhere", body: body)).status == 404)
    server.stop()
  }

  @Test func stranger_isAnswered() async throws {
    let address = try #require(URL(string: server.address))
    let stranger = Transport.best.client(
      of: address, headers: [.init("Authorization", "Bearer no")])
    let answer = try await stranger.answer(to: HTTPRequest("GET", "/tags"), within: .ample)
    #expect(answer.status == 401)
    server.stop()
  }

  @Test func headers_ofRequests_count() async throws {
    let tag = try #require(try await ask(RichPage.request()).headers["etag"])
    #expect(try await ask(RichPage.request(unlessIs: tag)).status == 304)
    server.stop()
  }

  @Test func poll_isAnsweredWhenMailComes_orTheTimeIsUp() async throws {
    let cursor = try await cursor()
    let empty = try await ask(api.longDeltas(since: cursor, seconds: 0))
    #expect(try DeltaPage(empty.body.payloadBytes).isLast)
    async let answer = ask(api.longDeltas(since: cursor, seconds: 600))
    try await Task.sleep(for: .milliseconds(50))
    let id = receive()
    let body = try await answer.body
    let page = try DeltaPage(body.payloadBytes)
    #expect(page.items.facts.contains { $0.fields.id == id })
    server.stop()
  }

  /// The stream sends heartbeats while idle, and sends changes from before and after its start.
  @Test func stream_beats_andTells() async throws {
    let request = HTTPRequest("GET", api.stream(since: try await cursor()).path + "&timeout=600")
    let first = receive()
    let stream = try await client.open(request, within: .ample)
    var (splitter, told, beats) = (LineSplitter(), Set<String>(), 0)
    func listen() async throws {
      for piece in try #require(try await stream.next()) {
        for line in try splitter.take(piece) {
          if line.isEmpty { beats += 1 }
          guard !line.isEmpty else { continue }
          told.formUnion(try DeltaLine(line.payloadBytes).items.facts.compactMap(\.fields.id))
        }
      }
    }
    while beats == 0 || !told.contains(first) { try await listen() }
    let (second, before) = (receive(), beats)
    while beats == before || !told.contains(second) { try await listen() }
    server.stop()
  }

  @Test func stream_ends_whenTheTimeIsUp() async throws {
    let request = HTTPRequest("GET", api.stream(since: try await cursor()).path + "&timeout=1")
    let start = ContinuousClock.now
    #expect(try await ask(request).status == 200)
    #expect(ContinuousClock.now - start >= .seconds(1))
    server.stop()
  }

  /// The outcome of a request, once it has ended.
  private func end(of request: HTTPRequest) async -> Result<HTTPAnswer, HTTPFailure> {
    do throws(HTTPFailure) { return .success(try await ask(request)) } catch {
      return .failure(error)
    }
  }

  @Test func stop_endsWhoWaits() async throws {
    let cursor = try await cursor()
    // Each fault is used up by its request, and has no other effect.
    for path in ["/delta/streaming", "/delta/longpoll"] {
      server.withRouter { router, _ in router.faults.add(.delay(.zero), path: path) }
    }
    async let stream = end(of: api.stream(since: cursor))
    async let poll = end(of: api.longDeltas(since: cursor, seconds: 600))
    while server.withRouter({ router, _ in router.faults.count }) > 0 {
      try await Task.sleep(for: .milliseconds(1))
    }
    server.stop()
    server.stop()
    // Without `stop`, the client would give up long before their time is up, with another failure.
    for end in await [stream, poll] {
      switch end {
      case .success(let answer): #expect([200, 503].contains(answer.status))
      case .failure(let failure): #expect(failure == .lost)
      }
    }
    await #expect(throws: HTTPFailure.notSent) { _ = try await ask(api.latestCursor()) }
  }

  @Test func answer_isCut() async throws {
    _ = receive()
    server.withRouter { router, _ in router.faults.add(.cut) }
    await #expect(throws: HTTPFailure.lost) { _ = try await ask(HTTPRequest("GET", "/messages")) }
    #expect(try await ask(HTTPRequest("GET", "/messages")).status == 200)
    server.withRouter { router, _ in router.faults.add(.cut, path: "/delta") }
    await #expect(throws: HTTPFailure.lost) { _ = try await ask(api.stream(since: "0")) }
    server.stop()
  }

  @Test func answer_isLate_orElsewhere() async throws {
    server.withRouter { router, _ in
      router.faults.add(.delay(.milliseconds(100)))
      router.faults.add(.redirect(to: "/elsewhere"))
      router.faults.add(.throttle(seconds: 7))
      router.faults.add(.page)
    }
    let start = ContinuousClock.now
    #expect(try await ask(HTTPRequest("GET", "/tags")).status == 200)
    #expect(ContinuousClock.now - start >= .milliseconds(100))
    #expect(try await ask(HTTPRequest("GET", "/tags")).headers["location"] == "/elsewhere")
    #expect(try await ask(HTTPRequest("GET", "/tags")).headers["retry-after"] == "7")
    #expect(
      try await ask(HTTPRequest("GET", "/tags")).headers["content-type"]?.hasPrefix("text/html")
        == true)
    server.stop()
  }

  @Test func port_thatIsTaken() {
    #expect(throws: PortTaken.self) {
      _ = try EmbeddedServer(Router(), port: server.port) { .example }
    }
    server.stop()
  }

  @Test func manyClients_areAnsweredBesideEachOther() async throws {
    let cursor = try await cursor()
    let told = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let answer = try await ask(api.longDeltas(since: cursor, seconds: 600))
          return try DeltaPage(answer.body.payloadBytes).items.count
        }
      }
      try await Task.sleep(for: .milliseconds(50))
      _ = receive()
      return try await group.reduce(0, +)
    }
    #expect(told == 24)
    server.stop()
  }

  @Test func traffic_runs_untilItIsCancelled() async throws {
    let before = server.withRouter { router, _ in router.state }
    let traffic = Task { await server.runTraffic(perSecond: 1000) }
    while server.withRouter({ router, _ in router.state }) == before {
      try await Task.sleep(for: .milliseconds(5))
    }
    traffic.cancel()
    await traffic.value
    server.stop()
  }
}

extension Timestamp {
  fileprivate static var example: Timestamp { Timestamp(rawValue: 1_700_000_000_000) }
}
