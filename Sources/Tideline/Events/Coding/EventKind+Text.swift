import EventStore

extension EventKind {
  /// The kind's number, in hexadecimal digits.
  var digits: String { "0x" + rawValue.hexadecimal.uppercased() }
}
