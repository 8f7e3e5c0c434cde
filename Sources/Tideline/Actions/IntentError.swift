/// Why an intent can't be, and what to do about it.
public enum IntentError: Error, Hashable, Sendable {
  /// Nobody is logged in to the account.
  case loggedOut
  /// There is no such object, or it is not shown; of several, none is.
  case unknown(id: String)
  /// The server can't do it.
  case unsupported(String)
  /// It can't be wanted of such objects: what they can't be, and what to do instead.
  case unfit(ObjectClass, wanted: String, remedy: String)
  /// A tag is to be added and removed.
  case contradictory(tag: String)
  /// It was begun, so that it can't be withdrawn any more; or the draft that is to go is being
  /// sent.
  case tooLate
  /// The server doesn't do it.
  case rejected(id: String?, OpenOperation.Reason)
  /// It was withdrawn before it was begun.
  case withdrawn
  /// It was given up, such as when the person logged out or the object was no more.
  case abandoned
}

extension IntentError: CustomStringConvertible {
  /// What happened, and what to do about it.
  public var description: String {
    switch self {
    case .loggedOut: "Nobody is logged in to the account. Log in first."
    case .unknown(let id): "There is no \(id). Take the id of an object that is shown."
    case .unsupported(let what): "The server can't \(what). Leave it, or set the policy's switch."
    case .unfit(let objectClass, let wanted, let remedy):
      "\(objectClass.title) can't be \(wanted). \(remedy)."
    case .contradictory(let tag): "\(tag) is to be added and removed. Name it once."
    case .tooLate:
      "It was begun already. Wait for what becomes of it; what it did can be changed then."
    case .rejected(let id, let reason):
      "The server rejected it\(id.map { " for \($0)" } ?? ""): \(reason). Show it as it was."
    case .withdrawn: "It was withdrawn. Nothing of it was sent."
    case .abandoned: "It was given up. Want it anew, if it still makes sense."
    }
  }
}
