/// A person named in a message.
public struct Participant: Codable, Hashable, Sendable {
  /// The name, if given.
  public var name: String?
  /// The address as written.
  public var email: String

  /// Creates a person with an address.
  public init(name: String? = nil, email: String) {
    self.name = name
    self.email = email
  }

  /// The address for comparison: lowercased by Unicode's default mapping.
  public var address: String { email.lowercased() }
}

/// Several people in one text of a row.
///
/// Each person is a name and an address. Each of these is its byte count, a colon and the text; a
/// hyphen stands for a missing name.
///
///     3:Ann7:a@x.com-7:b@x.com
extension [Participant] {
  /// Parses the people in a row's text.
  package init?(kept text: String) {
    self = []
    var rest = text.utf8[...]
    while !rest.isEmpty {
      guard let name = rest.takeText(), let email = rest.takeText(), let email else { return nil }
      append(Participant(name: name, email: email))
    }
  }

  /// The people as a row's text.
  package var kept: String { map(\.text).joined() }

  /// The first people as a row's text, as many as fit in a number of bytes.
  func kept(atMost bytesMax: Int) -> String {
    var bytes = 0
    return map(\.text).prefix { person in
      bytes += person.utf8.count
      return bytes <= bytesMax
    }.joined()
  }
}

extension Participant {
  /// The person in a row's text.
  fileprivate var text: String { Self.text(name) + Self.text(email) }

  private static func text(_ text: String?) -> String {
    text.map { "\($0.utf8.count):\($0)" } ?? "-"
  }
}

extension Substring.UTF8View {
  /// Removes the next text: `.some(nil)` if it is missing, `nil` if the bytes are malformed.
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
