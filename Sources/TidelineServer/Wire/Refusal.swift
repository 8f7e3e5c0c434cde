import EventStore
import Tideline
import TidelineHTTP
import TidelineSync

/// The error answer of an Inbox API server.
struct Refusal: Error {
  /// The status.
  let status: Int
  /// The kind of error.
  let type: String
  /// The problem.
  let message: String
  /// The delay before the next request that the server asks for.
  var retryAfter: Duration?

  init(_ status: Int, _ type: String, _ message: String) {
    (self.status, self.type, self.message) = (status, type, message)
  }

  /// Refuses a request that makes no sense.
  static func invalid(_ message: String) -> Refusal {
    Refusal(400, "invalid_request_error", message)
  }

  /// Refuses what does not exist.
  static func missing(_ message: String) -> Refusal {
    Refusal(404, "invalid_request_error", message)
  }

  /// Refuses a request without valid credentials.
  static let unauthorized = Refusal(
    401, "invalid_request_error", "Could not verify access credential.")

  /// Creates the refusal for a simulated server's failure.
  init(_ failure: ServerFailure) {
    let status = Int(failure.status ?? 500)
    switch failure.reason {
    case .cursorUnknown: self = .invalid("Invalid cursor parameter")
    case .server: self.init(status, "database_error", "The server is out of order")
    case .throttled: self.init(status, "api_error", "Too many requests")
    case .unsupported: self.init(501, "api_error", "Not supported")
    default: self.init(status, "invalid_request_error", failure.message ?? "Refused")
    }
    retryAfter = failure.retryAfter
  }

  /// The answer with the refusal.
  var answer: HTTPAnswer {
    var answer = HTTPAnswer(status) { json in
      json.object { json in
        json.member("type", type)
        json.member("message", message)
      }
    }
    if status == 401 { answer.headers["www-authenticate"] = "Basic realm=\"tideline\"" }
    if let retryAfter {
      let (seconds, fraction) = retryAfter.components
      answer.headers["retry-after"] = String(seconds + (fraction > 0 ? 1 : 0))
    }
    return answer
  }
}

extension HTTPAnswer {
  /// Creates an answer with JSON.
  init(_ status: Int = 200, json: (inout JSONWriter) -> Void) {
    self.init(status, bytes: Array(JSONWriter.text(json).utf8))
  }

  /// Creates an answer with JSON that is already written.
  init(_ status: Int = 200, bytes: [UInt8]) {
    self.init(status, headers: ["content-type": "application/json"], body: bytes)
  }

  /// Creates an answer with plain text.
  init(_ status: Int = 200, text: String) {
    self.init(
      status, headers: ["content-type": "text/plain; charset=utf-8"], body: Array(text.utf8))
  }
}
