import EventStore
import TidelineHTTP

/// Something that goes wrong with an answer.
package enum WireFault: Hashable, Sendable {
  /// The server has another status; nothing is done.
  case status(Int)
  /// The server wants to be left alone; nothing is done.
  case throttle(seconds: Int)
  /// The answer is that it is elsewhere; nothing is done.
  case redirect(to: String)
  /// Something else answers with a page for people; nothing is done.
  case page
  /// It is done, and the answer comes late.
  case delay(Duration)
  /// It is done, and the connection breaks in the middle of the answer.
  case cut
}

/// The faults that wait for requests.
package struct FaultPlan: Sendable {
  private struct Entry {
    let fault: WireFault
    let method: String?
    let path: String
    var count: Int
  }

  private var entries: [Entry] = []

  /// No faults.
  package init() {}

  /// Has the next requests go wrong whose path begins with another, a namespace left out.
  ///
  /// - Parameter method: The method that they have; every method unless given.
  package mutating func add(
    _ fault: WireFault, path: String = "/", method: String? = nil, count: Int = 1
  ) {
    entries.append(Entry(fault: fault, method: method, path: path, count: count))
  }

  /// Has no request go wrong any more.
  package mutating func removeAll() { entries.removeAll() }

  /// How many requests will go wrong yet.
  package var count: Int { entries.reduce(0) { $0 + $1.count } }

  /// The fault of a request: of those that wait for it the first.
  mutating func take(for method: String, _ path: String) -> WireFault? {
    let found = entries.firstIndex { entry in
      path.hasPrefix(entry.path) && entry.method.map { $0 == method } ?? true
    }
    guard let found else { return nil }
    let fault = entries[found].fault
    entries[found].count -= 1
    if entries[found].count <= 0 { entries.remove(at: found) }
    return fault
  }
}

extension WireFault {
  /// The answer in place of the server's own.
  var answer: HTTPAnswer? {
    switch self {
    case .status(401): return Refusal.unauthorized.answer
    case .status(let status): return Refusal(status, "api_error", "As was asked for").answer
    case .throttle(let seconds):
      var refusal = Refusal(429, "api_error", "Too many requests")
      refusal.retryAfter = .seconds(seconds)
      return refusal.answer
    case .redirect(let place):
      return HTTPAnswer(302, headers: ["location": place])
    case .page:
      return HTTPAnswer(
        200, headers: ["content-type": "text/html; charset=utf-8"],
        body: Array("<!DOCTYPE html><title>Log in to the network</title>".utf8))
    case .delay, .cut: return nil
    }
  }
}
