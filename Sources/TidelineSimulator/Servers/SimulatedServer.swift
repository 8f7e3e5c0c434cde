package import EventStore
package import Tideline
package import TidelineSync

/// A server that answers at once, and whose time is what it is told.
///
/// It draws what is left open from a seed, so that the same questions get the same answers.
package protocol SimulatedServer: AnyObject {
  /// What it can do.
  var abilities: ServerAbilities { get }
  /// What it did because it was asked to, the first first.
  var deeds: [Deed] { get }
  /// When it does something by itself next.
  var nextChore: Timestamp? { get }

  /// Has it be that late, and do what it does by then.
  func advance(to now: Timestamp)

  /// What it answers to a question.
  func answer(_ question: Question, token: Token?) throws(ServerFailure) -> Answer

  /// What becomes of the parts of a request.
  func perform(_ request: ServerRequest, token: Token?) throws(ServerFailure) -> Settlement
}

/// Something that a server did because it was asked to.
package struct Deed: Sendable {
  /// By what it knew the request.
  package let key: OperationKey
  /// What was wanted, and of which object.
  package let part: ServerRequest.Part
  /// The id that the object has since.
  package let id: String
  /// When.
  package let at: Timestamp
}

extension ServerFailure {
  /// A failure with the status that servers have for it.
  static func because(_ reason: Reason, after wait: Duration? = nil) -> ServerFailure {
    ServerFailure(reason, status: reason.status, retryAfter: wait, message: "\(reason)")
  }
}

extension ServerFailure.Reason {
  /// The status that servers have for it.
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
