// Refuses actions that would have no effect on objects of their type.
extension Action {
  /// Returns the action, refused unless its objects are of one of these classes.
  ///
  /// - Parameters:
  ///   - wanted: What the objects can't be, such as `deleted`.
  ///   - remedy: What to do instead; by default, to name objects of those classes.
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

  /// The remedy for an attempt to delete several drafts.
  static let oneByOne = "Delete them one by one"
}

extension [ObjectClass] {
  /// Classes that can be read or unread.
  static let readable: [ObjectClass] = [.thread, .message, .rich]
  /// The classes that have tags.
  static let tagged: [ObjectClass] = [.thread, .message]
}

extension ObjectClass {
  /// The plural name, capitalized, for use at the beginning of a user-visible text.
  var title: String { plural.prefix(1).uppercased() + plural.dropFirst() }

  /// The plural name, for use in user-visible texts.
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
