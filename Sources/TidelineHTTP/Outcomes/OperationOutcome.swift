package import EventStore
package import Tideline

/// What became of an operation.
package enum OperationOutcome: Sendable, Hashable {
  /// The server has done it, or there was nothing to do as the object is no more.
  case acknowledged(isGone: Bool)
  /// It was not done, and is to be tried again: after so many milliseconds if the server said so.
  case deferred(DeferralReason, retryAfter: Int64? = nil)
  /// It was not done and will not be.
  case rejected(RejectionReason)
  /// It is not known whether it was done.
  case uncertain(UncertaintyReason)
}

/// What kind of operation it is, as far as the meaning of an answer depends on that.
package enum OperationNature: Sendable, Hashable, CaseIterable {
  /// Says how an object shall be, such as its tags: repeating it does no harm, and where the object
  /// is no more there is nothing to do.
  case state
  /// Deletes an object.
  case deletion
  /// Saves something new, or anew, of which the server keeps versions: a draft, a tag.
  case saving
  /// Saves something new; to repeat it makes another.
  case upload
  /// Sends a message; to repeat it sends another.
  case sending

  /// Whether to send it twice does no harm.
  package var isRepeatable: Bool { self == .state || self == .deletion }
}

extension OperationOutcome {
  /// What an answer means for an operation.
  ///
  /// - Parameter now: When the answer came, by the device's clock.
  package init(of answer: HTTPAnswer, to nature: OperationNature, at now: Timestamp) {
    let wait = RetryAfter.milliseconds(of: answer, at: now)
    switch answer.status {
    case 200...299: self = .acknowledged(isGone: false)
    case 401, 403: self = .deferred(.authorization)
    case 404, 410: self = Self.gone(nature)
    case 409, 412: self = Self.conflict(nature)
    case 408: self = .deferred(.timeout, retryAfter: wait)
    case 425, 429: self = .deferred(.throttled, retryAfter: wait)
    case 402: self = .rejected(.refused)
    case 405, 501, 505: self = .rejected(.unsupported)
    case 413, 414, 431: self = .rejected(.tooLarge)
    case 451: self = .rejected(.forbidden)
    case 407, 511: self = .deferred(.unreachable, retryAfter: wait)
    // What stands between, such as the page to log in to a network, answers in the server's place.
    case 100...199, 300...399: self = .deferred(.unreachable, retryAfter: wait)
    case 400...499: self = .rejected(.invalid)
    // The server says itself that it did nothing.
    case 503: self = .deferred(.server, retryAfter: wait)
    case 500...599 where nature.isRepeatable: self = .deferred(.server, retryAfter: wait)
    default: self = nature.isRepeatable ? .deferred(.server) : .uncertain(.server)
    }
  }

  /// What it means for an operation that there was no answer.
  package init(of failure: HTTPFailure, to nature: OperationNature) {
    switch failure {
    case .notSent: self = .deferred(.notSent)
    case .timeout where nature.isRepeatable: self = .deferred(.timeout)
    case .lost where nature.isRepeatable, .cancelled where nature.isRepeatable,
      .tooLong where nature.isRepeatable:
      self = .deferred(.unreachable)
    case .lost, .cancelled, .timeout, .tooLong: self = .uncertain(.lostAnswer)
    }
  }

  /// What it means that the object is not at the server.
  private static func gone(_ nature: OperationNature) -> OperationOutcome {
    switch nature {
    case .state, .deletion: .acknowledged(isGone: true)
    case .saving, .sending: .rejected(.conflict)
    case .upload: .rejected(.refused)
    }
  }

  /// What it means that the object is newer than it was thought to be, or its name is taken.
  private static func conflict(_ nature: OperationNature) -> OperationOutcome {
    switch nature {
    case .state, .deletion: .deferred(.conflict)
    case .saving, .upload, .sending: .rejected(.conflict)
    }
  }
}
