/// How to recognize a sender's pushes, and the names of their parts.
///
///     var keys = PushKeys.marketingCloud
///     keys.names[.subject] = ["subject"]
///     keys.inbox["is_inbox"] = []
///
/// A name is the path of a member of the payload, with slashes between levels, as in
/// `aps/alert/title`. A condition is a name with the values that meet it; without values, any value
/// that doesn't mean no meets it, and any text or id of a part that is one. Meeting one of several
/// conditions is enough. See <doc:Pushes>.
public struct PushKeys: Sendable, Hashable {
  /// Conditions for a push of this sender.
  public var ours: [String: [String]]
  /// Conditions for a push that carries a message of the inbox.
  public var inbox: [String: [String]]
  /// Conditions for a push that contains the whole message.
  public var whole: [String: [String]]
  /// Conditions for a push that shows nothing, even if it has a text.
  public var silent: [String: [String]]
  /// Conditions for a push with nothing to show that requests a refresh.
  public var refresh: [String: [String]]
  /// Conditions for a push with nothing to show that changes what may be done with data.
  public var privacy: [String: [String]]
  /// The possible names of each part; the first one with a suitable value counts.
  public var names: [PushField: [String]]
  /// The member that holds the app's own data; if `nil`, that data is beside the other members.
  public var custom: String?
  /// Names that are not the app's own; a trailing `*` matches any name with that prefix.
  public var hidden: [String]

  /// Creates keys for a custom sender.
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
  /// The most bytes in a message's id.
  static let idBytesMax = Delivery.idBytesMax

  /// Returns whether any of the conditions is met.
  func isMet(_ conditions: [String: [String]], by members: JSONObject) -> Bool {
    conditions.contains { name, values in
      guard let value = members[path: name.path] else { return false }
      guard !values.isEmpty else {
        return isOfText(name) ? value.asText?.isEmpty == false : value.saysYes
      }
      return value.asText.map(values.contains) ?? false
    }
  }

  /// Whether a name is that of a part that is a text or an id, which may be such as "no" or 0.
  private func isOfText(_ name: String) -> Bool {
    names.contains { field, names in
      field.objectField?.content == .text && names.contains(name)
    }
  }

  /// Returns whether a top-level member is not the app's own.
  func hides(_ name: String) -> Bool {
    name == "aps"
      || hidden.contains { hidden in
        hidden.hasSuffix("*") ? name.utf8.starts(with: hidden.utf8.dropLast()) : name == hidden
      }
  }
}

extension String {
  /// The components of a path.
  var path: [Substring] { split(separator: "/", omittingEmptySubsequences: false) }
}
