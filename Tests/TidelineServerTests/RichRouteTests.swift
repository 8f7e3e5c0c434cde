import EventStore
import Testing
import Tideline
import TidelineHTTP
import TidelineServer
import TidelineSimulator
import TidelineSync

/// The answers of the rich inbox's routes, without sockets.
@Suite struct RichRouteTests {
  private func page(_ counter: Counter) throws -> RichPage {
    let answer = counter.ask(RichPage.request())
    #expect(answer.status == 200, "\(answer.text)")
    return try RichPage(answer.body.payloadBytes)
  }

  private func upload(
    _ counter: Counter, _ items: [(String, StatusUpload.State)], key: UInt64 = 1
  ) -> [PartOutcome] {
    let upload = StatusUpload(
      items.map { StatusUpload.Item($0.0, $0.1, at: counter.now) },
      key: OperationKey(low: key, high: 0))
    return StatusAnswer(counter.ask(upload.request()).body.payloadBytes, to: upload).outcomes
  }

  @Test(arguments: [RichServer.Manner.engage, .marketingCloud])
  func messages_areWhole(manner: RichServer.Manner) throws {
    let counter = Counter(manner)
    let id = counter.rich.publish(end: Timestamp(rawValue: counter.now.rawValue + 5_000))
    let page = try page(counter)
    let fields = try #require(page.items.facts.first).fields
    #expect(page.items.count == 1 && page.items.refused.isEmpty && fields.id == id)
    #expect(fields.text(.subject) == "news \(id)" && fields.time(.date) == counter.now)
    #expect(page.isComplete == (manner == .engage))
    counter.tick(6)
    #expect(try self.page(counter).items.count == 0)
  }

  @Test func unchanged_isNotToldAgain() throws {
    let counter = Counter()
    let tag = try #require(counter.ask(RichPage.request()).headers["etag"])
    let again = counter.ask(RichPage.request(unlessIs: tag))
    #expect(again.status == 304 && again.body.isEmpty)
    _ = counter.rich.publish()
    let changed = counter.ask(RichPage.request(unlessIs: tag))
    #expect(changed.status == 200 && changed.headers["etag"] != tag)
  }

  /// A list that has changed in any way is sent again.
  @Test func whatChanges_isTold() throws {
    let counter = Counter()
    let now = counter.now.rawValue
    let id = counter.rich.publish(from: Timestamp(rawValue: now + 5_000))
    _ = counter.rich.publish(end: Timestamp(rawValue: now + 9_000))
    var tag: String?
    func expectTold(_ isTold: Bool, _ place: SourceLocation = #_sourceLocation) {
      let answer = counter.ask(RichPage.request(unlessIs: tag))
      #expect(answer.status == (isTold ? 200 : 304), sourceLocation: place)
      tag = answer.headers["etag"]
    }
    expectTold(true)
    expectTold(false)
    counter.tick(6)  // One begins.
    expectTold(true)
    counter.tick(6)  // Another ends.
    expectTold(true)
    expectTold(false)
    _ = upload(counter, [(id, .read)])
    expectTold(true)
    expectTold(false)
    _ = upload(counter, [(id, .deleted)])
    expectTold(true)
  }

  @Test func haste_isTurnedAway() throws {
    let counter = Counter()
    counter.rich.leastInterval = .seconds(60)
    #expect(try page(counter).refreshInterval == 60_000)
    counter.tick(10)
    let answer = counter.ask(RichPage.request())
    #expect(answer.status == 429 && answer.headers["retry-after"] == "50")
  }

  @Test func status_isTakenForEachMessage() throws {
    let counter = Counter()
    let ids = (0..<3).map { _ in counter.rich.publish() }
    let outcomes = upload(
      counter,
      [
        (ids[0], .read), (ids[0], .opened), (ids[1], .deleted), ("none", .read),
        (ids[2], .unread), (ids[2], .received),
      ])
    #expect(
      outcomes == [
        .done(), .done(), .done(), .gone,
        .failed(ServerFailure(.unsupported, message: "unsupported")), .done(),
      ])
    let facts = try page(counter).items.facts
    #expect(facts.map(\.fields.id) == [ids[0], ids[2]])
    #expect(facts.map { $0.fields.boolean(.isRead) } == [true, false])
    // Uploading the same states again does nothing, and each state counts by itself.
    #expect(counter.rich.deeds.count == 4)
    _ = upload(counter, [(ids[0], .read), (ids[0], .opened)])
    #expect(counter.rich.deeds.count == 4)
  }

  @Test func status_thatTheServerDoesNotSay_isUncertain() throws {
    let counter = Counter()
    counter.rich.unmentionedShare = 1000
    let id = counter.rich.publish()
    #expect(upload(counter, [(id, .read)]) == [.unmentioned])
    counter.rich.failingShare = 1000
    #expect(upload(counter, [(id, .deleted)], key: 2) == [.failed(ServerFailure(.throttled))])
  }

  private static let tooMany =
    Array(repeating: #"{"id":"a","state":"read"}"#, count: StatusUpload.itemsMax + 1)
    .joined(separator: ",")

  @Test(arguments: [
    ("{", 400), ("[]", 400), (#"{"items": [{}]}"#, 400), (#"{"items": {}}"#, 400),
    (#"{"items": [\#(Self.tooMany)]}"#, 413),
  ])
  func status_thatMakesNoSense(body: String, status: Int) {
    #expect(Counter().send("POST", "/inbox/status", body).status == status)
  }

  @Test func paths_thatLeadNowhere() {
    let counter = Counter()
    #expect(counter.get("/inbox/messages?limit=1").status == 400)
    #expect(counter.get("/inbox/status").status == 404)
    #expect(counter.get("/inbox").status == 404)
  }

  @Test(arguments: [RichServer.Manner.engage, .marketingCloud])
  func alert_isAPushOfItsSender(manner: RichServer.Manner) throws {
    let counter = Counter(manner)
    let published = counter.router.publish(at: counter.now)
    let id = try #require(published)
    let alert = try #require(counter.alerts.first)
    let keys: PushKeys = manner == .engage ? .engage : .marketingCloud
    let push = try PushPayload(json: Array(alert.utf8)).received(by: keys)
    #expect(push.kind == .message && push[.id] == id && counter.alerts.count == 1)
    #expect(push[.title] == counter.rich.message(id)?.subject)
    #expect(push.customKeys == "{}" && !alert.contains("\n"))
  }
}
