public import Foundation

/// Why there is no answer.
public struct ServerFailure: Error, Hashable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// Nothing was sent: there is no network, or nobody took it.
    case notSent
    /// Nothing was sent, as it can't be read on the device at present: the server has no part in
    /// it, and anything else can be sent.
    case unreadable
    /// It was sent, and no answer came back, or none from which it could be told what was done.
    case lostAnswer
    /// The server wants to be left alone.
    case throttled
    /// The server failed, and did nothing.
    case server
    /// The token is not taken.
    case unauthorized
    /// The account may not do that at present.
    case forbidden
    /// There is no such object.
    case notFound
    /// The object has another version than was thought.
    case conflict
    /// The server does not know the cursor.
    case cursorUnknown
    /// The server can't make sense of it.
    case invalid
    /// The server can't do it.
    case unsupported
    /// It is too large.
    case tooLarge
    /// The server will never do it.
    case refused
  }

  /// What is wrong.
  public var reason: Reason
  /// The status of the answer, if there was one.
  public var status: Int64?
  /// How long the server wants to be left alone, up to ``retryAfterMax``.
  public var retryAfter: Duration? { didSet { retryAfter = retryAfter.map(Self.bounded) } }
  /// What the server or the network said, or the beginning of it.
  public var message: String? { didSet { message = message.map(Self.beginning) } }

  /// The longest time for which a server is left alone: a day.
  public static let retryAfterMax = Duration.seconds(86_400)
  /// The characters that are kept of what was said.
  public static let messageMax = 1000

  /// A failure.
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
  /// What happened, what the server said of it, and what to do about it, or what is done.
  public var description: String {
    let said = [status.map { "status \($0)" }, message].compactMap(\.self).joined(separator: ": ")
    let (what, remedy) = reason.text
    return said.isEmpty ? "\(what). \(remedy)." : "\(what) (\(said)). \(remedy)."
  }

  /// The same.
  public var errorDescription: String? { description }
}

extension ServerFailure.Reason {
  /// What happened, and what to do about it, or what is done.
  fileprivate var text: (what: String, remedy: String) {
    let later = "It is tried again by itself"
    return switch self {
    case .notSent: ("The server was not reached", later)
    case .unreadable: ("A file can't be read at present", later)
    case .lostAnswer: ("The server's answer was lost", later)
    case .throttled: ("The server wants to be left alone", later)
    case .server: ("The server failed", later)
    case .unauthorized: ("The server does not take the token", "Log in again")
    case .forbidden: ("The server does not allow it at present", later)
    case .notFound: ("The server has no such object", "Refresh")
    case .conflict: ("The server has another version of it", "Refresh, and decide anew")
    case .cursorUnknown: ("The server forgot up to where it was read", "All is listed again")
    case .invalid: ("The server can't make sense of it", "See what it says of it")
    case .unsupported: ("The server can't do it", "Do without")
    case .tooLarge: ("It is too large for the server", "Make it smaller")
    case .refused: ("The server will never do it", "See what it says of it")
    }
  }
}
