/// How a sender's pushes are recognized, and by which names their parts are found.
///
///     var keys = PushKeys.marketingCloud
///     keys.names[.subject] = ["subject"]
///     keys.inbox["is_inbox"] = []
///
/// A name leads to a member of the payload, or with slashes to one within others, as in
/// `aps/alert/title`. A condition is a name with the values that meet it; without values, whatever
/// is there and doesn't say no. One condition of several is enough. See <doc:Pushes>.
public struct PushKeys: Sendable, Hashable {
  /// What shows that a push is this sender's.
  public var ours: [String: [String]]
  /// What shows that a message of the inbox goes with it.
  public var inbox: [String: [String]]
  /// What shows that all of the message is there.
  public var whole: [String: [String]]
  /// What shows that nothing is to be shown, though there may be a text.
  public var silent: [String: [String]]
  /// What shows that a push without anything to show wants the inbox to be refreshed.
  public var refresh: [String: [String]]
  /// What shows that a push without anything to show changes what may be done with data.
  public var privacy: [String: [String]]
  /// The names that a part may have, of which the first one counts that holds something fit.
  public var names: [PushField: [String]]
  /// The member that holds the application's own; where there is none, they are beside the others.
  public var custom: String?
  /// Names that are not the application's own; one that ends with `*` stands for all that begin so.
  public var hidden: [String]

  /// Keys for a sender of one's own.
  public init(
    ours: [String: [String]], inbox: [String: [String]], whole: [String: [String]] = [:],
    silent: [String: [String]] = [:], refresh: [String: [String]] = [:],
    privacy: [String: [String]] = [:], names: [PushField: [String]], custom: String? = nil,
    hidden: [String] = []
  ) {
    self.ours = ours
    self.inbox = inbox
    self.whole = whole
    self.silent = silent
    self.refresh = refresh
    self.privacy = privacy
    self.names = names
    self.custom = custom
    self.hidden = hidden
  }
}

extension PushKeys {
  /// The bytes that a message's id may have.
  static let idBytesMax = Delivery.idBytesMax

  /// Whether a condition of several is met.
  static func isMet(_ conditions: [String: [String]], by members: JSONObject) -> Bool {
    conditions.contains { name, values in
      guard let value = members[path: name.path] else { return false }
      guard !values.isEmpty else { return value.saysYes }
      return value.asText.map(values.contains) ?? false
    }
  }

  /// Whether a member beside the others is no application's own.
  func hides(_ name: String) -> Bool {
    name == "aps"
      || hidden.contains { hidden in
        hidden.hasSuffix("*") ? name.utf8.starts(with: hidden.utf8.dropLast()) : name == hidden
      }
  }
}

extension String {
  /// The names of a path.
  var path: [Substring] { split(separator: "/", omittingEmptySubsequences: false) }
}
