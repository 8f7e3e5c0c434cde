// What can't be wanted of objects of a type, as nothing would come of it.
extension Action {
  /// The action, refused where its objects are of none of these classes.
  ///
  /// - Parameters:
  ///   - wanted: What they can't be, such as `deleted`.
  ///   - remedy: What to do instead; unless that is to name objects of those classes.
  func only(
    _ classes: [ObjectClass], wanted: String, _ remedy: String? = nil
  ) -> Action {
    guard failure == nil, !classes.contains(objectClass) else { return self }
    var action = self
    let names = classes.map(\.plural)
    let others = "Name \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
    action.failure = IntentError.unfit(objectClass, wanted: wanted, remedy: remedy ?? others)
    return action
  }

  /// What to do with several drafts that are to go.
  static let oneByOne = "Delete them one by one"
}

extension [ObjectClass] {
  /// What can be read and unread.
  static let readable: [ObjectClass] = [.thread, .message, .rich]
  /// What has tags.
  static let tagged: [ObjectClass] = [.thread, .message]
}

extension ObjectClass {
  /// What several are called at the beginning of a text for people.
  var title: String { plural.prefix(1).uppercased() + plural.dropFirst() }

  /// What several are called in texts for people.
  var plural: String {
    switch self {
    case .account: "accounts"
    case .thread: "threads"
    case .message: "messages"
    case .draft: "drafts"
    case .tag: "tags"
    case .contact: "contacts"
    case .file: "files"
    case .rich: "rich messages"
    case .other: "things"
    }
  }
}
