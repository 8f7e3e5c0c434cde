package import EventStore
public import Foundation
import Tideline
public import TidelineSync

/// The purpose of a request, as far as the meaning of the answer depends on it.
package enum RequestSafety: Hashable, Sendable, CaseIterable {
  /// A question.
  case question
  /// A question for the changes since a cursor.
  case changes
  /// An operation that may safely be repeated.
  case repeatable
  /// An operation that creates or sends something: repeating it may do so twice.
  case once

  /// Whether the request may be repeated.
  fileprivate var mayRepeat: Bool { self != .once }
}

/// The only place that interprets answers and their absence.
extension ServerFailure {
  /// Creates the failure that an HTTP answer of any server means; `nil` if the answer is a success.
  ///
  ///     let failure = ServerFailure(status: 503, headers: ["Retry-After": "30"], mayRepeat: true)
  ///
  /// The documentation of this module gives the meaning of each status.
  ///
  /// - Parameters:
  ///   - status: The answer's status.
  ///   - headers: The header fields by name, in any case; only `Retry-After` and `Date` are read.
  ///   - mayRepeat: Whether the request may safely be repeated, as may a question and whatever is
  ///     ``ServerRequest/Wanted/isRepeatable``.
  ///   - message: The server's message.
  ///   - now: The time of the answer, by the device's clock.
  public init?(
    status: Int, headers: [String: String] = [:], mayRepeat: Bool, message: String? = nil,
    at now: Date = Date()
  ) {
    let answer = HTTPAnswer(status, headers: headers)
    self.init(answer, to: mayRepeat ? .repeatable : .once, at: now.kept)
    if let message { self.message = message }
  }

  /// Creates the failure that an answer means, given the safety of its request; `nil` if the answer
  /// is a success.
  ///
  /// - Parameter now: The time of the answer, by the device's clock.
  package init?(_ answer: HTTPAnswer, to safety: RequestSafety, at now: Timestamp) {
    guard let reason = Self.reason(answer, safety) else { return nil }
    self.init(
      reason, status: Int64(answer.status),
      retryAfter: RetryAfter.milliseconds(of: answer, at: now).map { .milliseconds($0) },
      message: ServerError(answer.body).message)
  }

  /// Creates the failure for a missing answer.
  package init(_ failure: HTTPFailure, to safety: RequestSafety) {
    switch failure {
    case .notSent: self.init(.notSent)
    // An unread answer does not tell whether an operation was done.
    case .tooLong where safety == .question || safety == .changes:
      self.init(.tooLarge, message: failure.description)
    case .lost, .timeout, .tooLong, .cancelled:
      self.init(.lostAnswer, message: failure.description)
    }
  }

  /// Creates the failure for an unreadable answer, which does not tell what was done.
  package init(_ fault: JSONFault, in answer: HTTPAnswer) {
    self.init(.lostAnswer, status: Int64(answer.status), message: fault.description)
  }

  private static func reason(_ answer: HTTPAnswer, _ safety: RequestSafety) -> Reason? {
    switch answer.status {
    case 200...299: nil
    // A 303 redirects to the outcome of an operation that was done.
    case 303 where !safety.mayRepeat: .lostAnswer
    // An intermediary, such as a network's login page, answers in the server's place.
    case 100...199, 300...399, 407, 511: .notSent
    case 400 where safety == .changes && ServerError(answer.body).isAboutCursor: .cursorUnknown
    // Something else, such as a proxy during a deployment, doesn't know what the server has.
    case 404 where !answer.isOfAPI, 410 where !answer.isOfAPI: .server
    case 410 where safety == .changes: .cursorUnknown
    case 400...499: refusal(answer.status)
    case 501, 505: .unsupported
    // The server itself says that it did nothing.
    case 503: .server
    default: safety.mayRepeat ? .server : .lostAnswer
    }
  }

  private static func refusal(_ status: Int) -> Reason {
    switch status {
    case 401: .unauthorized
    case 402, 451: .refused
    case 403: .forbidden
    case 404, 410: .notFound
    case 405: .unsupported
    case 408: .server
    case 409, 412: .conflict
    case 413, 414, 431: .tooLarge
    case 425, 429: .throttled
    default: .invalid
    }
  }
}

extension HTTPAnswer {
  /// Whether an error may be the API's own: it is empty or a JSON object.
  fileprivate var isOfAPI: Bool {
    body.first { !JSONByte.isSpace($0) }.map { $0 == UInt8(ascii: "{") } ?? true
  }
}

extension HTTPFailure: CustomStringConvertible {
  /// The failure, as a clause.
  package var description: String {
    switch self {
    case .notSent: "the server can't be reached"
    case .lost: "the connection broke"
    case .timeout: "the server stopped answering"
    case .tooLong(let limit): "the answer has more than \(limit) bytes"
    case .cancelled: "the request was cancelled"
    }
  }
}
