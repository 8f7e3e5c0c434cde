import EventStore

extension EventKind {
  /// The kind for people: its number in hexadecimal digits.
  var digits: String {
    let digits = String(rawValue, radix: 16, uppercase: true)
    return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
