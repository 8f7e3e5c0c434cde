package import EventStore

/// An event that synchronization reacts to.
package enum SyncEvent: Sendable {
  /// Synchronization begins.
  case began
  /// The app entered or left the foreground.
  case foreground(Bool)
  /// The network became available or unavailable.
  case online(Bool)
  /// A push announced news, or the app requested a refresh that does not count as manual.
  case pushed
  /// The person or the app requested a refresh.
  case wanted
  /// Somebody views a list that the device may not have completely, or the current state of an
  /// object.
  case looked(Question)
  /// Records became visible, including all that this machine had recorded.
  case recorded
  /// The requested wake-up time has come.
  case due
  /// There is a token to try.
  case authorized
  /// There is currently no token other than the refused one.
  case unauthorized
  /// No token could be fetched now, as without a network.
  case tokenDelayed
  /// A question was answered.
  case answered(QuestionID, Result<Answer, ServerFailure>)
  /// A request was answered.
  case performed(Int, Result<Settlement, ServerFailure>)
  /// A request was not sent, since some of its operations may no longer be sent.
  case keptBack(Int)
  /// A followed stream reported news or a failure.
  case followed(Int, Result<Answer, ServerFailure>)
  /// The server ended the following of a stream.
  case unfollowed(Int)
  /// The log rejected what this machine recorded or, if `nil`, accepts records again.
  case stored(StoreError?)
  /// Somebody waits until everything that the server had after a record is here.
  case awaited(RecordNumber)
}

extension SyncEvent {
  /// Whether the event is a request for a manual refresh, or `nil` if it requests none.
  package var isRequestByHand: Bool? {
    switch self {
    case .wanted: true
    case .pushed: false
    default: nil
    }
  }

  /// Whether a server refused the token.
  var isRefusal: Bool {
    switch self {
    case .answered(_, .failure(let failure)), .performed(_, .failure(let failure)),
      .followed(_, .failure(let failure)):
      failure.reason == .unauthorized
    default: false
    }
  }

  /// Whether what is recorded because of the event does not depend on seeing earlier records.
  ///
  /// A page followed by another depends only on the pages before it, and an answer without facts
  /// only on the request.
  var isByItself: Bool {
    switch self {
    case .performed(_, .success(let settlement)): settlement.facts.isEmpty
    case .performed(_, .failure), .keptBack: true
    default: isMiddlePage
    }
  }

  /// Whether the event is a page of a stream with another page to follow.
  var isMiddlePage: Bool {
    guard case .answered(let id, .success(let answer)) = self, case .stream = id.purpose else {
      return false
    }
    return !answer.isLast
  }
}
