package import EventStore
package import Tideline
package import TidelineSync

/// A server that answers at once, and whose clock is set from outside.
///
/// It draws arbitrary choices from a seed, so that the same questions get the same answers.
package protocol SimulatedServer: AnyObject {
  /// The abilities of the server.
  var abilities: ServerAbilities { get }
  /// The operations it performed on request, in order.
  var deeds: [Deed] { get }
  /// The time of its next work of its own.
  var nextChore: Timestamp? { get }

  /// Advances the clock, and does the work due by then.
  func advance(to now: Timestamp)

  /// Returns the answer to a question.
  func answer(_ question: Question, token: Token?) throws(ServerFailure) -> Answer

  /// Performs a request, and returns the outcomes of its parts.
  func perform(_ request: ServerRequest, token: Token?) throws(ServerFailure) -> Settlement
}

/// An operation that a server performed on request.
package struct Deed: Sendable {
  /// The key of the request.
  package let key: OperationKey
  /// The operation and its object.
  package let part: ServerRequest.Part
  /// The id of the object after the operation.
  package let id: String
  /// The time of the operation.
  package let at: Timestamp
}

extension ServerFailure {
  /// Creates a failure with the status that servers use for it.
  static func because(_ reason: Reason, after wait: Duration? = nil) -> ServerFailure {
    ServerFailure(reason, status: reason.status, retryAfter: wait, message: "\(reason)")
  }
}

extension ServerFailure.Reason {
  /// The status that servers use for the reason.
  fileprivate var status: Int64? {
    switch self {
    case .notSent, .unreadable, .lostAnswer: nil
    case .throttled: 429
    case .server: 503
    case .unauthorized: 401
    case .forbidden: 403
    case .notFound: 404
    case .conflict: 409
    case .cursorUnknown, .invalid: 400
    case .unsupported: 405
    case .tooLarge: 413
    case .refused: 402
    }
  }
}
