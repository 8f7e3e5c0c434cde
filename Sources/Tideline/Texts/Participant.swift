/// A person as a message names them.
public struct Participant: Codable, Hashable, Sendable {
  /// The name, where one is given.
  public var name: String?
  /// The address, as it is written.
  public var email: String

  /// A person with that address.
  public init(name: String? = nil, email: String) {
    self.name = name
    self.email = email
  }

  /// The address as it is compared: by Unicode's default mapping to small letters.
  public var address: String { email.lowercased() }
}

/// Several people in one text of a row: for each the name and the address, and of each the count of
/// its bytes, a colon and the text, or a hyphen where there is no name.
///
///     3:Ann7:a@x.com-7:b@x.com
extension [Participant] {
  /// The people that a text of a row names.
  package init?(kept text: String) {
    self = []
    var rest = text.utf8[...]
    while !rest.isEmpty {
      guard let name = rest.takeText(), let email = rest.takeText(), let email else { return nil }
      append(Participant(name: name, email: email))
    }
  }

  /// The text of a row that names them.
  package var kept: String { map { Self.kept($0.name) + Self.kept($0.email) }.joined() }

  private static func kept(_ text: String?) -> String {
    text.map { "\($0.utf8.count):\($0)" } ?? "-"
  }
}

extension Substring.UTF8View {
  /// The next text, or none in its place, or `nil` where the bytes are not as they should be.
  fileprivate mutating func takeText() -> String?? {
    if first == UInt8(ascii: "-") {
      self = dropFirst()
      return .some(nil)
    }
    guard let colon = firstIndex(of: UInt8(ascii: ":")), let digits = String(self[..<colon]),
      let count = Int(digits), count >= 0, String(count) == digits
    else { return nil }
    let start = index(after: colon)
    guard let end = index(start, offsetBy: count, limitedBy: endIndex),
      let text = String(self[start..<end])
    else { return nil }
    self = self[end...]
    return .some(text)
  }
}
