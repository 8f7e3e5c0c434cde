import EventStore
import Synchronization
import Tideline
import TidelineHTTP
import TidelineSimulator
import TidelineSync

/// The routes of a rich inbox.
extension Router {
  /// Answers a request for rich messages.
  func askRich(_ call: Call) throws(Refusal) -> Reply.Content {
    guard let rich else { throw .missing("There is no rich inbox here") }
    switch call.route {
    case ("GET", ["inbox", "messages"]): return try messages(of: rich, call)
    case ("POST", ["inbox", "status"]): return .whole(try status(at: rich, call))
    default: throw .missing("There is no such thing here")
    }
  }

  private func messages(of rich: RichServer, _ call: Call) throws(Refusal) -> Reply.Content {
    try call.target.expect([])
    let known = call.request.header("if-none-match")
    let (edition, facts): (RichServer.Edition, [ObjectFact])
    do throws(ServerFailure) {
      edition = try rich.edition(for: call.token)
      if let known, richMarks.tag(of: edition) == known {
        try rich.throttle()
        return .whole(HTTPAnswer(unchangedSince: known))
      }
      facts = try rich.facts(for: call.token)
    } catch {
      throw Refusal(error)
    }
    return .long { [richMarks, manner = rich.manner, interval = rich.leastInterval] in
      var answer = HTTPAnswer { $0.messages(facts, manner, interval) }
      let tag = "\"\(answer.body.digest)\""
      richMarks.keep(tag, of: edition)
      if known == tag { return HTTPAnswer(unchangedSince: tag) }
      answer.headers["etag"] = tag
      return answer
    }
  }

  private func status(at rich: RichServer, _ call: Call) throws(Refusal) -> HTTPAnswer {
    try call.target.expect([])
    let items = try call.body().objects("items") ?? []
    guard items.count <= StatusUpload.itemsMax else {
      throw Refusal(413, "invalid_request_error", "There are over \(StatusUpload.itemsMax) items")
    }
    var told: [(id: String, state: String, outcome: PartOutcome)] = []
    var (request, places): (ServerRequest, [Int]) = (ServerRequest([]), [])
    for item in items {
      guard let id = item["id"], let state = item["state"] else {
        throw .invalid("An item has an id and a state")
      }
      if let wanted = StatusUpload.State(rawValue: state)?.wanted {
        request.parts.append(ServerRequest.Part(.rich, id, wanted))
        places.append(told.count)
      }
      told.append((id, state, .failed(ServerFailure(.unsupported))))
    }
    request.key = call.key
    for (place, outcome) in zip(places, try outcomes(of: request, at: rich, call)) {
      told[place].outcome = outcome
    }
    return HTTPAnswer { [told] json in
      json.object { json in
        json.member("items", told) { json, told in json.item(told.id, told.state, told.outcome) }
      }
    }
  }

  private func outcomes(
    of request: ServerRequest, at rich: RichServer, _ call: Call
  ) throws(Refusal) -> [PartOutcome] {
    do throws(ServerFailure) {
      return try rich.perform(request, token: call.token).outcomes
    } catch {
      throw Refusal(error)
    }
  }

  /// Returns the push notification of a message, in the format of its sender.
  func alert(of id: String) -> String? {
    guard let rich, let message = rich.message(id) else { return nil }
    return JSONWriter.object { json in
      json.aps(message.subject)
      switch rich.manner {
      case .marketingCloud:
        json.members([
          ("_sid", "SFMC"), ("_m", id), ("_mt", "8"), ("_r", "q-\(id)"),
          ("title", message.subject), ("alert", message.subject),
        ])
      case .engage:
        json.members([("uniqueID", id), ("title", message.subject), ("alert", message.subject)])
        json.member("isRich", true)
      }
    }
  }
}

extension StatusUpload.State {
  /// The operation that the state asks of a server.
  fileprivate var wanted: ServerRequest.Wanted {
    switch self {
    case .read: .read(true)
    case .unread: .read(false)
    case .deleted: .deletion
    case .opened: .opening
    case .received: .receipt
    }
  }
}

extension JSONWriter {
  fileprivate mutating func messages(
    _ facts: [ObjectFact], _ manner: RichServer.Manner, _ leastInterval: Duration?
  ) {
    object { json in
      json.member("messages", facts) { $0.fact($1) }
      // A message that a device has received is not sent to it again.
      json.member("complete", manner == .engage)
      guard let leastInterval else { return }
      json.member("refreshAfter", leastInterval.components.seconds)
    }
  }

  fileprivate mutating func members(_ members: [(String, String)]) {
    for (key, text) in members { member(key, text) }
  }

  fileprivate mutating func aps(_ text: String) {
    member("aps") { json in
      json.object { json in
        json.member("alert") { $0.object { $0.members([("title", text), ("body", text)]) } }
      }
    }
  }

  /// Writes the outcome of an item, unless it is unmentioned.
  fileprivate mutating func item(_ id: String, _ state: String, _ outcome: PartOutcome) {
    guard outcome != .unmentioned else { return }
    object { json in
      json.members([("id", id), ("state", state)])
      json.outcome(outcome)
    }
  }

  private mutating func outcome(_ outcome: PartOutcome) {
    switch outcome {
    case .done, .unmentioned: members([("outcome", "done")])
    case .gone: members([("outcome", "gone")])
    case .failed(let failure):
      switch failure.reason {
      case .server, .throttled, .notSent, .lostAnswer:
        members([("outcome", "later")])
        guard let wait = failure.retryAfter else { return }
        member("retryAfter", wait.components.seconds)
      case .forbidden, .unauthorized: members([("outcome", "refused"), ("reason", "forbidden")])
      case .conflict: members([("outcome", "refused"), ("reason", "conflict")])
      case .unsupported: members([("outcome", "refused"), ("reason", "unsupported")])
      default: members([("outcome", "refused"), ("reason", "invalid")])
      }
    }
  }
}

extension HTTPAnswer {
  /// Creates a 304 answer with the mark of an earlier answer.
  fileprivate init(unchangedSince tag: String) {
    self.init(304)
    headers["etag"] = tag
  }
}

/// The marks of lists of rich messages, by which an unchanged list is recognized without being
/// written.
final class RichMarks: Sendable {
  private let tags = Mutex<[RichServer.Edition: String]>([:])
  /// The maximum number of editions with known marks.
  private static let countMax = 64

  func tag(of edition: RichServer.Edition) -> String? { tags.withLock { $0[edition] } }

  func keep(_ tag: String, of edition: RichServer.Edition) {
    tags.withLock { tags in
      if tags.count >= Self.countMax { tags = [:] }
      tags[edition] = tag
    }
  }
}

extension [UInt8] {
  /// A hash that distinguishes these bytes from others.
  fileprivate var digest: String {
    let hash = reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }
}
