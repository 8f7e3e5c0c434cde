import EventStore
import Testing
import Tideline
import TidelineHTTP
import TidelineServer
import TidelineSimulator
import TidelineSync

/// A router without sockets, and a client for it.
final class Counter {
  var router: Router
  let mail: MailServer
  let rich: RichServer
  var token: String? = "mail"
  var now = Timestamp(rawValue: 1_700_000_000_000)
  let api = InboxAPI()
  private let box = Box()

  private final class Box { var alerts: [String] = [] }

  /// The alerts sent so far.
  var alerts: [String] { box.alerts }

  init(
    _ manner: RichServer.Manner = .engage, incarnation: Int = 0,
    _ fill: (inout MailManners) -> Void = { _ in }
  ) {
    var manners = MailManners()
    fill(&manners)
    mail = MailServer(manners, at: now, seed: 1)
    rich = RichServer(manner, at: now, seed: 1)
    rich.visitors = [Token("mail"): Visitor(device: "phone", login: 1)]
    router = Router(mail: mail, rich: rich, seed: 1, incarnation: incarnation) { [box] alert in
      box.alerts.append(alert)
    }
  }

  /// Advances the time.
  func tick(_ seconds: Int64 = 1) { now = Timestamp(rawValue: now.rawValue + seconds * 1000) }

  func reply(to request: HTTPRequest) -> Reply {
    var request = request
    if let token { request.headers.append(.init("Authorization", "Bearer \(token)")) }
    return router.reply(to: request, at: now)
  }

  /// The answer to a request; its status is 0 for a poll or a stream.
  func ask(_ request: HTTPRequest) -> HTTPAnswer {
    switch reply(to: request).content {
    case .whole(let answer): answer
    case .long(let write): write()
    case .poll, .stream: HTTPAnswer(0)
    }
  }

  func get(_ path: String) -> HTTPAnswer { ask(HTTPRequest("GET", path)) }

  func send(_ method: String, _ path: String, _ body: String) -> HTTPAnswer {
    ask(HTTPRequest(method, path, body: Array(body.utf8)))
  }

  /// The objects in an answer.
  func objects(_ answer: HTTPAnswer, _ objectClass: ObjectClass) throws -> [ObjectFact] {
    #expect(answer.status == 200, "\(answer.text)")
    let items = try ObjectAnswer(answer.body.payloadBytes, of: objectClass).items
    #expect(items.refused.isEmpty)
    return items.facts
  }

  func list(_ objectClass: ObjectClass, offset: Int = 0, limit: Int = 1000) throws -> [ObjectFact] {
    let request = try #require(api.list(objectClass, offset: offset, limit: limit))
    return try objects(ask(request), objectClass)
  }

  /// The only object in an answer.
  func object(_ answer: HTTPAnswer, _ objectClass: ObjectClass) throws -> ObjectFields {
    try #require(try objects(answer, objectClass).first).fields
  }

  func cursor() throws -> String {
    try CursorAnswer(ask(api.latestCursor()).body.payloadBytes).cursor
  }

  func deltas(since cursor: String, limit: Int? = nil) throws -> DeltaPage {
    try DeltaPage(ask(api.deltas(since: cursor, limit: limit)).body.payloadBytes)
  }

  /// Receives mail of one thread.
  func receive(_ count: Int = 1) -> (thread: String, messages: [String]) {
    var (thread, messages): (String?, [String]) = (nil, [])
    for number in 0..<count {
      tick()
      mail.advance(to: now)
      messages.append(mail.receive("mail \(number)", from: "a@x.com", in: thread))
      thread = mail.message(messages[0])?.thread
    }
    return (thread ?? "", messages)
  }
}

extension HTTPAnswer {
  /// The body as a text.
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The message of an error.
  var error: String? { ServerError(body).message }
}

extension ObjectFact {
  /// The change, the class and the id in one line.
  var short: String { "\(fields.change) \(objectClass) \(fields.id ?? "")" }
}
