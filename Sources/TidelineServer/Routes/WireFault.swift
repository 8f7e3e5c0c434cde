import EventStore
import TidelineHTTP

/// A fault of an answer.
package enum WireFault: Hashable, Sendable {
  /// The server answers with this status; nothing is done.
  case status(Int)
  /// The server asks for a delay; nothing is done.
  case throttle(seconds: Int)
  /// The server redirects; nothing is done.
  case redirect(to: String)
  /// An intermediary answers with an HTML page; nothing is done.
  case page
  /// The request is carried out, and the answer is late.
  case delay(Duration)
  /// The request is carried out, and the connection breaks in the middle of the answer.
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

  /// Creates an empty plan.
  package init() {}

  /// Adds a fault for the next requests whose path, without a namespace, starts with `path`.
  ///
  /// - Parameter method: The method of the requests; any method if `nil`.
  package mutating func add(
    _ fault: WireFault, path: String = "/", method: String? = nil, count: Int = 1
  ) {
    entries.append(Entry(fault: fault, method: method, path: path, count: count))
  }

  /// Removes all faults.
  package mutating func removeAll() { entries.removeAll() }

  /// The number of requests that will still fail.
  package var count: Int { entries.reduce(0) { $0 + $1.count } }

  /// Takes the first waiting fault that matches a request.
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
  /// The answer that replaces the server's own.
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
