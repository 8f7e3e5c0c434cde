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
  /// How long the server wants to be left alone.
  public var retryAfter: Duration?
  /// What the server or the network said, or the beginning of it.
  public var message: String? { didSet { message = message.map(Self.beginning) } }

  /// The characters that are kept of what was said.
  public static let messageMax = 1000

  /// A failure.
  public init(
    _ reason: Reason, status: Int64? = nil, retryAfter: Duration? = nil, message: String? = nil
  ) {
    self.reason = reason
    self.status = status
    self.retryAfter = retryAfter
    self.message = message.map(Self.beginning)
  }

  private static func beginning(of message: String) -> String { String(message.prefix(messageMax)) }
}
