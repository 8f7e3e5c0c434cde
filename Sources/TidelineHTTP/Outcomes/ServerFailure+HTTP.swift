package import EventStore
public import Foundation
import Tideline
public import TidelineSync

/// What a server was asked for, as far as the meaning of its answer depends on that.
package enum Errand: Hashable, Sendable, CaseIterable {
  /// To tell something.
  case question
  /// To tell what changed since a cursor.
  case changes
  /// To do what does no harm where it is done twice.
  case repeatable
  /// To make something, or to send it: to ask twice may make two.
  case once

  /// Whether it may be asked for twice.
  fileprivate var mayRepeat: Bool { self != .once }
}

/// The one place that says what answers mean, and what it means that there is none.
extension ServerFailure {
  /// Why an answer over HTTP is none to what any server was asked; `nil` where it is one.
  ///
  ///     let failure = ServerFailure(status: 503, headers: ["Retry-After": "30"], mayRepeat: true)
  ///
  /// What each status means is said where servers are.
  ///
  /// - Parameters:
  ///   - status: The answer's status.
  ///   - headers: The fields of its head by their names, in any letters; of these `Retry-After` and
  ///     `Date` are read.
  ///   - mayRepeat: Whether what was asked does no harm where it is done twice, as a question and
  ///     what is ``ServerRequest/Wanted/isRepeatable``.
  ///   - message: What the server said of it.
  ///   - now: When the answer came, by the device's clock.
  public init?(
    status: Int, headers: [String: String] = [:], mayRepeat: Bool, message: String? = nil,
    at now: Date = Date()
  ) {
    let answer = HTTPAnswer(status, headers: headers)
    self.init(answer, to: mayRepeat ? .repeatable : .once, at: now.kept)
    if let message { self.message = message }
  }

  /// Why an answer is none to what was asked; `nil` where it is one.
  ///
  /// - Parameter now: When the answer came, by the device's clock.
  package init?(_ answer: HTTPAnswer, to errand: Errand, at now: Timestamp) {
    guard let reason = Self.reason(answer, errand) else { return nil }
    self.init(
      reason, status: Int64(answer.status),
      retryAfter: RetryAfter.milliseconds(of: answer, at: now).map { .milliseconds($0) },
      message: ServerError(answer.body).message)
  }

  /// Why there is no answer.
  package init(_ failure: HTTPFailure, to errand: Errand) {
    switch failure {
    case .notSent: self.init(.notSent)
    // What was done can't be told from an answer that is not read.
    case .tooLong where errand == .question || errand == .changes:
      self.init(.tooLarge, message: failure.description)
    case .lost, .timeout, .tooLong, .cancelled:
      self.init(.lostAnswer, message: failure.description)
    }
  }

  /// That an answer is not what it was to be: from it can't be told what was done.
  package init(_ fault: JSONFault, in answer: HTTPAnswer) {
    self.init(.lostAnswer, status: Int64(answer.status), message: fault.description)
  }

  private static func reason(_ answer: HTTPAnswer, _ errand: Errand) -> Reason? {
    switch answer.status {
    case 200...299: nil
    // This sends elsewhere to see what became of something that was done.
    case 303 where !errand.mayRepeat: .lostAnswer
    // What stands between, such as the page to log in to a network, answers in the server's place.
    case 100...199, 300...399, 407, 511: .notSent
    case 400 where errand == .changes && ServerError(answer.body).isAboutCursor: .cursorUnknown
    case 410 where errand == .changes: .cursorUnknown
    case 400...499: refusal(answer.status)
    case 501, 505: .unsupported
    // The server says itself that it did nothing.
    case 503: .server
    default: errand.mayRepeat ? .server : .lostAnswer
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

extension HTTPFailure: CustomStringConvertible {
  /// What is wrong, as a clause.
  package var description: String {
    switch self {
    case .notSent: "the server can't be reached"
    case .lost: "the connection broke"
    case .timeout: "the server fell silent"
    case .tooLong(let limit): "the answer has more than \(limit) bytes"
    case .cancelled: "nobody waits for the answer any more"
    }
  }
}
