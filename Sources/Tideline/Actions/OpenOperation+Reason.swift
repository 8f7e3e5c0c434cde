extension OpenOperation {
  /// Why an operation was not done.
  public enum Reason: String, Sendable {
    /// The server could not be reached.
    case unreachable
    /// The answer took too long.
    case timeout
    /// The server asked for a pause.
    case throttled
    /// The server failed.
    case server
    /// The person has to log in again.
    case authorization
    /// The object is not in the expected state.
    case conflict
    /// Another operation must be done first, or was rejected.
    case dependency
    /// Nothing was sent, for certain.
    case notSent
    /// The server doesn't understand the request.
    case invalid
    /// The person lacks permission.
    case forbidden
    /// The server will never do it.
    case refused
    /// The server can't do it.
    case unsupported
    /// Another change came first.
    case tooLate
    /// The request is too large.
    case tooLarge
  }
}

extension OpenOperation.Reason {
  /// The reason why an operation is retried later.
  init(_ reason: DeferralReason) {
    switch reason {
    case .unreachable: self = .unreachable
    case .timeout: self = .timeout
    case .throttled: self = .throttled
    case .server: self = .server
    case .authorization: self = .authorization
    case .conflict: self = .conflict
    case .dependency: self = .dependency
    case .notSent: self = .notSent
    }
  }

  /// The reason why an operation is not retried.
  init(_ reason: RejectionReason) {
    switch reason {
    case .invalid: self = .invalid
    case .forbidden: self = .forbidden
    case .conflict: self = .conflict
    case .refused: self = .refused
    case .unsupported: self = .unsupported
    case .dependency: self = .dependency
    case .tooLate: self = .tooLate
    case .tooLarge: self = .tooLarge
    }
  }
}
