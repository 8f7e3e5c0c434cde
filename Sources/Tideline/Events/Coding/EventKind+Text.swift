import EventStore

extension EventKind {
  /// The kind for people: its number in hexadecimal digits.
  var digits: String { "0x" + rawValue.hexadecimal.uppercased() }
}
