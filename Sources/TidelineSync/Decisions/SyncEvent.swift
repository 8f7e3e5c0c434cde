package import EventStore

/// What happens to synchronization.
package enum SyncEvent: Sendable {
  /// It begins.
  case began
  /// The app came to the foreground, or left it.
  case foreground(Bool)
  /// There is a network, or there is none any more.
  case online(Bool)
  /// A push said that there is something.
  case pushed
  /// The person or the app wants a refresh.
  case wanted
  /// Somebody looks at a list of which the device may not have all, or at an object as it is now.
  case looked(Question)
  /// Something was recorded, and can be seen: also after all that this machine had recorded.
  case recorded
  /// A moment has come for which a wake-up was asked.
  case due
  /// There is a token to try.
  case authorized
  /// There is no token at present, other than the one that was refused.
  case unauthorized
  /// A question was answered.
  case answered(QuestionID, Result<Answer, ServerFailure>)
  /// A request was answered.
  case performed(Int, Result<Settlement, ServerFailure>)
  /// A request did not go, as not all that it is of is to go any more.
  case keptBack(Int)
  /// A stream that is followed told something, or why it does not.
  case followed(Int, Result<Answer, ServerFailure>)
  /// A stream is not followed any more, as the server ended it.
  case unfollowed(Int)
  /// The log did not take what this machine had recorded, or, without an error, takes it again.
  case stored(StoreError?)
  /// Somebody waits until all is there that the server had after a record.
  case behind(RecordNumber)
}

extension SyncEvent {
  /// Whether a server has not taken the token.
  var isRefusal: Bool {
    switch self {
    case .answered(_, .failure(let failure)), .performed(_, .failure(let failure)),
      .followed(_, .failure(let failure)):
      failure.reason == .unauthorized
    default: false
    }
  }

  /// Whether what comes of it is the same whether or not what was recorded before can be seen, and
  /// nothing is sent upon it.
  ///
  /// A page that another follows depends on the pages before it alone; and an answer without facts
  /// on the request.
  var isByItself: Bool {
    switch self {
    case .performed(_, .success(let settlement)): settlement.facts.isEmpty
    case .performed(_, .failure), .keptBack: true
    default: isMiddlePage
    }
  }

  /// Whether it is a page of a stream behind which there is another.
  var isMiddlePage: Bool {
    guard case .answered(let id, .success(let answer)) = self, case .stream = id.purpose else {
      return false
    }
    return !answer.isLast
  }
}
