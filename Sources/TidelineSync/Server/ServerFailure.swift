public import Foundation

/// Why a server gave no answer.
public struct ServerFailure: Error, Hashable {
  /// The kinds of failure.
  public enum Reason: Hashable, Sendable {
    /// Nothing was sent: there is no network, or the server could not be reached.
    case notSent
    /// Nothing was sent, because the data can't currently be read on the device.
    ///
    /// The server is not involved, and anything else can be sent.
    case unreadable
    /// It was sent, but no answer arrived, or none that tells what was done.
    case lostAnswer
    /// The server requests a pause.
    case throttled
    /// The server failed and did nothing.
    case server
    /// The server rejected the token.
    case unauthorized
    /// The account is currently not allowed to do this.
    case forbidden
    /// The object does not exist.
    case notFound
    /// The object has a different version than assumed.
    case conflict
    /// The server does not know the cursor.
    case cursorUnknown
    /// The server does not understand the request.
    case invalid
    /// The server doesn't support it.
    case unsupported
    /// The request is too large.
    case tooLarge
    /// The server will never do it.
    case refused
  }

  /// The kind of failure.
  public var reason: Reason
  /// The status code of the answer, if there was one.
  public var status: Int64?
  /// The pause that the server requests, at most ``retryAfterMax``.
  public var retryAfter: Duration? { didSet { retryAfter = retryAfter.map(Self.bounded) } }
  /// What the server or the network said, possibly truncated.
  public var message: String? { didSet { message = message.map(Self.beginning) } }

  /// The longest pause granted to a server: one day.
  public static let retryAfterMax = Duration.seconds(86_400)
  /// The most characters kept of the message.
  public static let messageMax = 1000

  /// Creates a failure.
  public init(
    _ reason: Reason, status: Int64? = nil, retryAfter: Duration? = nil, message: String? = nil
  ) {
    self.reason = reason
    self.status = status
    self.retryAfter = retryAfter.map(Self.bounded)
    self.message = message.map(Self.beginning)
  }

  private static func bounded(_ wait: Duration) -> Duration {
    min(max(wait, .zero), retryAfterMax)
  }

  private static func beginning(of message: String) -> String { String(message.prefix(messageMax)) }
}

extension ServerFailure: LocalizedError, CustomStringConvertible {
  /// What happened, what the server said, and what to do about it or what happens next.
  public var description: String {
    let said = [status.map { "status \($0)" }, message].compactMap(\.self).joined(separator: ": ")
    let (what, remedy) = reason.text
    return said.isEmpty ? "\(what). \(remedy)." : "\(what) (\(said)). \(remedy)."
  }

  /// The description.
  public var errorDescription: String? { description }
}

extension ServerFailure.Reason {
  /// What happened, and what to do about it or what happens next.
  fileprivate var text: (what: String, remedy: String) {
    let later = "It is retried automatically"
    return switch self {
    case .notSent: ("The server was not reached", later)
    case .unreadable: ("A file can't be read right now", later)
    case .lostAnswer: ("The server's answer was lost", later)
    case .throttled: ("The server asked for a pause", later)
    case .server: ("The server failed", later)
    case .unauthorized: ("The server does not accept the token", "Log in again")
    case .forbidden: ("The server does not allow it right now", later)
    case .notFound: ("The server has no such object", "Refresh")
    case .conflict: ("The server has another version of it", "Refresh, then decide again")
    case .cursorUnknown: ("The server no longer knows the cursor", "Everything is listed again")
    case .invalid: ("The server can't make sense of the request", "See what the server says")
    case .unsupported: ("The server can't do it", "Do without")
    case .tooLarge: ("It is too large for the server", "Make it smaller")
    case .refused: ("The server will never do it", "See what the server says")
    }
  }
}
