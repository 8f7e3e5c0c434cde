/// Why an action fails, and what to do about it.
public enum IntentError: Error, Hashable, Sendable {
  /// Nobody is logged in to the account.
  case loggedOut
  /// No such object exists or is shown; of several objects, none is.
  case unknown(id: String)
  /// The server doesn't support the action.
  case unsupported(String)
  /// The action doesn't apply to such objects: what they can't be, and what to do instead.
  case unfit(ObjectClass, wanted: String, remedy: String)
  /// The same tag is to be added and removed.
  case contradictory(tag: String)
  /// The operation has begun, so it can't be withdrawn or held any more; or the draft is being
  /// sent, or may have been sent.
  case tooLate
  /// The server refused the operation.
  ///
  /// - Parameters:
  ///   - id: The object's id; `nil` if this is true of everything that the intent covered.
  ///   - answer: What the server said.
  case rejected(id: String?, OpenOperation.Reason, answer: String?)
  /// The action was withdrawn before it began.
  case withdrawn
  /// The operation was abandoned, such as on logout or because the object no longer exists; or its
  /// record was lost, as on a full disk.
  case abandoned
}

extension IntentError: CustomStringConvertible {
  /// A description of the error, and what to do about it.
  public var description: String {
    switch self {
    case .loggedOut: "Nobody is logged in to the account. Log in first."
    case .unknown(let id): "\(id) does not exist. Use the id of an object that is shown."
    case .unsupported(let what):
      "The server can't \(what). Skip it, or turn on the policy's switch."
    case .unfit(let objectClass, let wanted, let remedy):
      "\(objectClass.title) can't be \(wanted). \(remedy)."
    case .contradictory(let tag): "\(tag) is both added and removed. Name it only once."
    case .tooLate:
      "The operation has already begun. Wait for its outcome; then change what it did."
    case .rejected(let id, let reason, let answer):
      "The server rejected the action\(id.map { " for \($0)" } ?? ""): \(reason)"
        + "\(answer.map { " (\($0))" } ?? ""). Show the object as it was."
    case .withdrawn: "The action was withdrawn. None of it was sent."
    case .abandoned: "The action was abandoned. Repeat it if it still makes sense."
    }
  }
}
