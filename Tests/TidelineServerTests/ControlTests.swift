import EventStore
import Testing
import Tideline
import TidelineHTTP
import TidelineServer
import TidelineSimulator
import TidelineSync

/// The requests by which a test controls a server.
@Suite struct ControlTests {
  private let counter = Counter()

  private func order(_ body: String) -> Int {
    counter.send("POST", "/_tideline/faults", body).status
  }

  @Test(arguments: [
    (#"{"status": 503}"#, 503), (#"{"status": 401}"#, 401), (#"{"retryAfter": 7}"#, 429),
    (#"{"redirect": "/elsewhere"}"#, 302), (#"{"page": true}"#, 200),
  ])
  func answer_isAnother_andNothingIsDone(fault: String, status: Int) throws {
    #expect(order(fault) == 200)
    let answer = counter.send("POST", "/tags", #"{"name": "work"}"#)
    #expect(answer.status == status && counter.mail.deeds.isEmpty)
    switch status {
    case 401:
      #expect(answer.headers["www-authenticate"] != nil)
      #expect(ServerError(answer.body).type == "invalid_request_error")
    case 429: #expect(answer.headers["retry-after"] == "7")
    case 302: #expect(answer.headers["location"] == "/elsewhere")
    case 200: #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
    default: #expect(ServerError(answer.body).type == "api_error")
    }
    #expect(
      counter.send("POST", "/tags", #"{"name": "work"}"#).headers["content-type"]
        == "application/json")
    #expect(counter.mail.deeds.count == 1)
  }

  @Test func answer_comesLate_orInPart_andAllIsDone() {
    #expect(order(#"{"delay": 1.5}"#) == 200 && order(#"{"cut": true}"#) == 200)
    let request = counter.api.save(tag: nil, name: "work")
    let late = counter.reply(to: request)
    #expect(late.delay == .seconds(1.5) && !late.isCut && counter.mail.deeds.count == 1)
    let cut = counter.reply(to: HTTPRequest("GET", "/tags"))
    #expect(cut.isCut && cut.delay == .zero)
    let whole = counter.reply(to: HTTPRequest("GET", "/tags"))
    #expect(!whole.isCut && whole.delay == .zero)
  }

  @Test func faults_areForPathsAndMethods_soManyTimes() {
    #expect(order(#"{"path": "/threads", "method": "PUT", "count": 2, "status": 500}"#) == 200)
    #expect(order(#"{"path": "/n", "status": 500}"#) == 200)
    let (thread, _) = counter.receive()
    func put() -> Int { counter.send("PUT", "/n/1/threads/\(thread)", "{}").status }
    #expect(counter.get("/threads").status == 200 && counter.get("/tags").status == 200)
    #expect([put(), put(), put()] == [500, 500, 200])
    #expect(counter.router.faults.count == 1)
    #expect(counter.send("DELETE", "/_tideline/faults", "").status == 200)
    #expect(counter.router.faults.count == 0)
  }

  @Test(arguments: [
    "{}", "[]", #"{"status": 503, "cut": true}"#, #"{"status": 99}"#, #"{"cut": false}"#,
    #"{"status": 503, "count": 0}"#, #"{"delay": -1}"#, #"{"colour": "red", "cut": true}"#,
    #"{"retryAfter": -1}"#, #"{"delay": "long"}"#, #"{"delay": 1e300}"#, #"{"delay": 3601}"#,
    #"{"cut": true, "count": 10001}"#, #"{"cut": true, "count": 9223372036854775807}"#,
  ])
  func fault_thatMakesNoSense(body: String) {
    #expect(order(body) == 400)
    #expect(counter.router.faults.count == 0)
  }

  @Test func parameter_thatIsNotKnown() {
    #expect(counter.get("/_tideline/state?a=1").status == 400)
    #expect(counter.send("POST", "/_tideline/mail?a=1", "").status == 400)
    #expect(counter.get("/_tideline/state").text.contains("message") == false)
  }

  @Test func mail_comes() throws {
    let cursor = try counter.cursor()
    let answer = counter.send("POST", "/_tideline/mail", #"{"count": 2}"#)
    #expect(answer.status == 200)
    #expect(counter.send("POST", "/_tideline/mail", "").status == 200)
    let messages = try counter.list(.message)
    let ids = messages.compactMap(\.fields.id)
    #expect(ids.filter { answer.text.contains("\"\($0)\"") }.count == 2 && ids.count == 3)
    let told = try counter.deltas(since: cursor).items.facts.map(\.short)
    #expect(Set(ids.map { "created message \($0)" }).isSubset(of: told))
    let fields = messages[0].fields
    #expect(fields.people(.from)?.first?.name != nil && fields.text(.snippet) != nil)
    #expect(try counter.list(.thread).first?.fields.people(.participants)?.count == 1)
    for body in [#"{"count": 0}"#, #"{"count": 10001}"#, #"{"subject": ""}"#] {
      #expect(counter.send("POST", "/_tideline/mail", body).status == 400)
    }
  }

  @Test func richMessage_comes_withAnAlert() throws {
    #expect(counter.send("POST", "/_tideline/rich", "").text == #"{"ids":["r1"]}"#)
    #expect(counter.alerts.count == 1)
    let page = try RichPage(counter.ask(RichPage.request()).body.payloadBytes)
    #expect(page.items.facts.map(\.fields.id) == ["r1"])
    var other = Router(mail: MailServer(at: counter.now, seed: 1))
    let request = HTTPRequest("POST", "/_tideline/rich")
    guard case .whole(let answer) = other.reply(to: request, at: counter.now).content else {
      throw Unexpected()
    }
    #expect(answer.status == 404)
  }

  @Test func state_saysWhatAClientHas() throws {
    let (thread, messages) = counter.receive(2)
    _ = counter.ask(counter.api.mark(message: messages[0], isUnread: false))
    _ = counter.send("POST", "/drafts", "{}")
    let ids = [counter.rich.publish(), counter.rich.publish()]
    let upload = StatusUpload(
      [.init(ids[0], .read, at: counter.now), .init(ids[1], .deleted, at: counter.now)],
      key: OperationKey(low: 1, high: 1))
    _ = counter.ask(upload.request())
    let draft = try #require(try counter.list(.draft).first?.fields)
    let tags = MailServer.wellKnown.map { "tag \($0) \($0)" }
    let version = counter.mail.thread(thread)?.version ?? 0
    #expect(
      counter.get("/_tideline/state").text.split(separator: "\n").map(String.init)
        == ([
          "draft \(draft.id ?? "") 0", "message \(messages[0]) read",
          "message \(messages[1]) unread", "rich \(ids[0]) read",
          "thread \(draft.text(.thread) ?? "") 1",
          "thread \(thread) \(version) inbox,unread",
        ] + tags).sorted())
  }

  @Test func traffic_changesWhatIsThere() {
    _ = counter.receive(3)
    let before = counter.router.state
    for _ in 0..<200 {
      counter.tick()
      counter.router.step(at: counter.now)
    }
    #expect(counter.router.state != before)
    #expect(!counter.alerts.isEmpty)
  }
}
