extension OpenOperation {
  /// Why something was not done.
  public enum Reason: String, Sendable {
    /// The server could not be reached.
    case unreachable
    /// The answer took too long.
    case timeout
    /// The server wants to be left alone.
    case throttled
    /// The server failed.
    case server
    /// The person has to log in anew.
    case authorization
    /// The object is another than it was thought to be.
    case conflict
    /// Something else has to be done first, or was rejected.
    case dependency
    /// It is certain that nothing was sent.
    case notSent
    /// The server can't make sense of it.
    case invalid
    /// The person may not do it.
    case forbidden
    /// The server will never do it.
    case refused
    /// The server can't do it.
    case unsupported
    /// Something else was done in between.
    case tooLate
    /// It is too large.
    case tooLarge
  }
}

extension OpenOperation.Reason {
  /// Why something is tried again later.
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

  /// Why something is not tried again.
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
