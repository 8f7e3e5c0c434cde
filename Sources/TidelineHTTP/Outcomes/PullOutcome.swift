package import EventStore
package import Tideline

/// What became of a question.
package enum PullOutcome: Sendable, Hashable {
  /// There is an answer to be read.
  case answered
  /// Nothing is new since the last answer.
  case unchanged
  /// The object is not at the server.
  case gone
  /// The cursor is none that the server knows: a new one is taken, then everything.
  case cursorRefused
  /// It is to be asked again: after so many milliseconds if the server said so.
  case deferred(DeferralReason, retryAfter: Int64? = nil)
  /// The server will never answer that.
  case rejected(RejectionReason)
}

extension PullOutcome {
  /// What an answer means.
  ///
  /// - Parameters:
  ///   - hasCursor: Whether it was asked with a cursor: an Inbox API has no status for one that it
  ///     doesn't know, but says that the request is invalid.
  ///   - now: When the answer came, by the device's clock.
  package init(of answer: HTTPAnswer, hasCursor: Bool, at now: Timestamp) {
    let wait = RetryAfter.milliseconds(of: answer, at: now)
    switch answer.status {
    case 200...299: self = .answered
    case 304: self = .unchanged
    case 400 where hasCursor && ServerError(answer.body).isAboutCursor: self = .cursorRefused
    case 404 where !hasCursor: self = .gone
    case 410: self = hasCursor ? .cursorRefused : .gone
    case 401, 403: self = .deferred(.authorization)
    case 408: self = .deferred(.timeout, retryAfter: wait)
    case 425, 429: self = .deferred(.throttled, retryAfter: wait)
    case 407, 511, 100...199, 300...399: self = .deferred(.unreachable, retryAfter: wait)
    case 405, 501, 505: self = .rejected(.unsupported)
    case 400...499: self = .rejected(.invalid)
    default: self = .deferred(.server, retryAfter: wait)
    }
  }

  /// What it means that there was no answer.
  package init(of failure: HTTPFailure) {
    switch failure {
    case .notSent: self = .deferred(.notSent)
    case .lost, .cancelled: self = .deferred(.unreachable)
    case .timeout: self = .deferred(.timeout)
    case .tooLong: self = .rejected(.tooLarge)
    }
  }
}

/// What a server of the Inbox API says that went wrong.
///
///     {"type": "invalid_request_error", "message": "Invalid cursor parameter"}
package struct ServerError: Sendable, Hashable {
  /// The kind of error, in the server's words.
  package private(set) var type: String?
  /// What is wrong, for people.
  package private(set) var message: String?

  /// Reads an answer, as far as it is such an error: what stands between may answer anything.
  package init(_ body: [UInt8]) {
    try? read(body.payloadBytes)
  }

  private mutating func read(_ bytes: RawSpan) throws(JSONFault) {
    var scanner = JSONScanner(bytes)
    try scanner.open(.object)
    while let name = try scanner.nextName() {
      let value = try scanner.value()
      guard value.kind == .string, value.end - value.start <= Self.bytesMax else { continue }
      switch Self.names.index(of: name, in: bytes) {
      case 0: type = bytes.text(of: value)
      case 1: message = bytes.text(of: value)
      default: break
      }
    }
  }

  private static let names = JSONNames(["type", "message"])
  /// The bytes of a text that is kept.
  private static let bytesMax = 1000

  /// Whether it is about the cursor: unknown, too old, another account's, or no cursor at all.
  var isAboutCursor: Bool {
    guard type == "invalid_request_error", let message = message?.lowercased() else { return false }
    return message.contains("cursor") || message.contains("invalid id")
  }
}
