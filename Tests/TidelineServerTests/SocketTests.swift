import EventStore
import Foundation
import Synchronization
import Testing
import Tideline
import TidelineHTTP
import TidelineServer
import TidelineSimulator
import TidelineSync

/// The same over sockets, as clients see it.
@Suite(.timeLimit(.minutes(4))) struct SocketTests {
  private let server: EmbeddedServer
  private let client: any HTTPClient
  private let api = InboxAPI(namespace: "n 1")

  init() throws {
    let mail = MailServer(at: .example, seed: 1)
    let rich = RichServer(.engage, at: .example, seed: 1)
    rich.visitors = [Token("mail"): Visitor(device: "phone", login: 1)]
    var pace = ServerPace()
    pace.look = .milliseconds(5)
    pace.heartbeat = .milliseconds(50)
    server = try EmbeddedServer(Router(mail: mail, rich: rich), pace: pace) { .example }
    let address = try #require(URL(string: server.address))
    client = Transport.best.client(
      of: address, headers: [.init("Authorization", "Bearer mail")])
  }

  private func ask(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPAnswer {
    try await client.answer(to: request, within: .seconds(20))
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

  /// A body of which each piece cost as much as all before it would take longer than a minute.
  @Test func bodies_thatAreLarge_arriveInTime() async throws {
    let body = [UInt8](repeating: UInt8(ascii: " "), count: 48 << 20)
    #expect(try await ask(HTTPRequest("POST", "/nowhere", body: body)).status == 404)
    server.stop()
  }

  @Test func stranger_isAnswered() async throws {
    let address = try #require(URL(string: server.address))
    let stranger = Transport.best.client(
      of: address, headers: [.init("Authorization", "Bearer no")])
    let answer = try await stranger.answer(to: HTTPRequest("GET", "/tags"), within: .seconds(20))
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
    async let answer = ask(api.longDeltas(since: cursor, seconds: 20))
    try await Task.sleep(for: .milliseconds(50))
    let id = receive()
    let body = try await answer.body
    let page = try DeltaPage(body.payloadBytes)
    #expect(page.items.facts.contains { $0.fields.id == id })
    server.stop()
  }

  @Test func stream_beats_andTells_untilTheTimeIsUp() async throws {
    let cursor = try await cursor()
    let request = HTTPRequest("GET", api.stream(since: cursor).path + "&timeout=1")
    // Mail is there before, and comes and comes, however slow the machine is.
    let first = receive()
    let mail = Task {
      var ids: Set = [first]
      while !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(200))
        ids.insert(receive())
      }
      return ids
    }
    let body = try await ask(request).body
    mail.cancel()
    let ids = await mail.value
    var splitter = LineSplitter()
    let lines = try splitter.take(body)
    #expect(lines.contains([]))
    let told = try lines.filter { !$0.isEmpty }.map { try DeltaLine($0.payloadBytes) }
    #expect(told.contains { $0.items.facts.first?.fields.id.map(ids.contains) ?? false })
    server.stop()
  }

  /// What becomes of a request, once it has ended.
  private func end(of request: HTTPRequest) async -> Result<HTTPAnswer, HTTPFailure> {
    do throws(HTTPFailure) { return .success(try await ask(request)) } catch {
      return .failure(error)
    }
  }

  @Test func stop_endsWhoWaits() async throws {
    let cursor = try await cursor()
    // Each is taken as its request comes, and does no more.
    for path in ["/delta/streaming", "/delta/longpoll"] {
      server.withRouter { router, _ in router.faults.add(.delay(.zero), path: path) }
    }
    async let stream = end(of: api.stream(since: cursor))
    async let poll = end(of: api.longDeltas(since: cursor, seconds: 600))
    while server.withRouter({ router, _ in router.faults.count }) > 0 {
      try await Task.sleep(for: .milliseconds(1))
    }
    let start = ContinuousClock.now
    server.stop()
    server.stop()
    let ends = await [stream, poll]
    #expect(ContinuousClock.now - start < .seconds(15))
    for end in ends {
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
          let answer = try await ask(api.longDeltas(since: cursor, seconds: 20))
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
