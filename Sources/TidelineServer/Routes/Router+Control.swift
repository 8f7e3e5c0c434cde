package import EventStore
import Tideline
import TidelineHTTP
package import TidelineSimulator

/// The control interface, which only tests use.
extension Router {
  /// Answers a request under `/_tideline/`.
  mutating func control(
    _ request: HTTPRequest, _ target: RequestTarget, _ now: Timestamp
  ) throws(Refusal) -> HTTPAnswer {
    try target.expect([])
    let body = try RequestBody(request.body.flatMap { $0.isEmpty ? nil : $0 } ?? Array("{}".utf8))
    switch (request.method, target.parts.dropFirst().joined(separator: "/")) {
    case ("GET", "state"):
      advance(to: now)
      return HTTPAnswer(text: state)
    case ("POST", "faults"):
      try addFault(body)
      return answer("left", faults.count)
    case ("DELETE", "faults"):
      faults.removeAll()
      return answer("left", 0)
    case ("POST", "mail"):
      return answer(ids: try happen(body, now) { (router) in router.receiveMail(at: now) })
    case ("POST", "rich"):
      return answer(ids: try happen(body, now) { (router) in router.publish(at: now) })
    default: throw .missing("There is no such thing here")
    }
  }

  /// Makes an event happen the requested number of times.
  private mutating func happen(
    _ body: RequestBody, _ now: Timestamp, _ once: (inout Router) -> String?
  ) throws(Refusal) -> [String] {
    try body.expect(["count"])
    let count = try Self.count(in: body)
    var ids: [String] = []
    for _ in 0..<count {
      guard let id = once(&self) else { throw .missing("There is no such server here") }
      ids.append(id)
    }
    return ids
  }

  /// Returns how often an event is to happen.
  private static func count(in body: RequestBody) throws(Refusal) -> Int {
    let count = try body.integer("count") ?? 1
    guard (1...10_000) ~= count else { throw .invalid("count is from 1 to 10000") }
    return Int(count)
  }

  private mutating func addFault(_ body: RequestBody) throws(Refusal) {
    try body.expect([
      "path", "method", "count", "status", "retryAfter", "redirect", "page", "delay", "cut",
    ])
    let found = [
      try body.integer("status").map { WireFault.status(Int($0)) },
      try body.integer("retryAfter").map { WireFault.throttle(seconds: Int($0)) },
      try body.text("redirect").map { WireFault.redirect(to: $0) },
      try body.flag("page") == true ? WireFault.page : nil,
      try Self.delay(in: body),
      try body.flag("cut") == true ? WireFault.cut : nil,
    ].compactMap(\.self)
    guard let fault = found.first, found.count == 1 else {
      throw .invalid("One of status, retryAfter, redirect, page, delay and cut must be said")
    }
    guard fault.isPossible else { throw .invalid("A number is out of range") }
    faults.add(
      fault, path: try body.text("path") ?? "/", method: try body.text("method"),
      count: try Self.count(in: body))
  }

  /// Returns the fault of a late answer; checks the range first, because not every number of
  /// seconds is a duration.
  private static func delay(in body: RequestBody) throws(Refusal) -> WireFault? {
    guard let seconds = try body.number("delay") else { return nil }
    guard (0...3600) ~= seconds else { throw .invalid("A number is out of range") }
    return .delay(.seconds(seconds))
  }

  private func answer(_ name: String, _ number: Int) -> HTTPAnswer {
    HTTPAnswer { $0.object { $0.member(name, number) } }
  }

  private func answer(ids: [String]) -> HTTPAnswer {
    HTTPAnswer { $0.object { $0.member("ids", ids) } }
  }
}

/// Events at the servers that no client causes.
extension Router {
  /// Delivers a letter, and returns its id; `nil` if there is no mail server.
  package mutating func receiveMail(at now: Timestamp) -> String? {
    advance(to: now)
    return mail?.deliver(Letter(using: &dice))
  }

  /// Publishes a rich message and alerts the devices; returns its id.
  package mutating func publish(at now: Timestamp) -> String? {
    advance(to: now)
    guard let id = rich?.publish(using: &dice) else { return nil }
    alert(of: id).map(tellAlert)
    return id
  }

  /// Makes a random event happen, and returns it.
  @discardableResult
  package mutating func step(at now: Timestamp) -> World.Happening? {
    advance(to: now)
    let happening = world.step(using: &dice)
    happening?.alert.flatMap(alert).map(tellAlert)
    return happening
  }
}

extension WireFault {
  /// Whether the fault's numbers are in range.
  fileprivate var isPossible: Bool {
    switch self {
    case .status(let status): 200...599 ~= status
    case .throttle(let seconds): 0...86_400 ~= seconds
    case .delay, .redirect, .page, .cut: true
    }
  }
}
