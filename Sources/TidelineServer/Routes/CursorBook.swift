/// How cursors are written on the wire.
///
/// Two servers that began with the same mail know each other's cursors as far as that goes. What
/// happens to one since does not happen to the other; so cursors from there on have the name of
/// the server.
struct CursorBook {
  private let seeded: Int
  private let name: String

  /// Cursors of a server whose transactions up to one are those of others too.
  init(seeded: Int, incarnation: Int) {
    self.seeded = seeded
    name = "i" + String(incarnation, radix: 36)
  }

  /// The cursor before all that is known.
  static let beginning = "0"

  /// A cursor of the mail server as clients get it.
  func written(_ cursor: String) -> String {
    guard cursor != Self.beginning else { return cursor }
    return (Int(cursor.dropFirst()) ?? 0) <= seeded ? cursor : cursor + name
  }

  /// A cursor that a client has, as the mail server knows it; `nil` where this server never gave
  /// it.
  func read(_ text: String) -> String? {
    if text == Self.beginning { return text }
    let number = text.dropFirst().prefix { $0.isNumber }
    guard text.hasPrefix("c"), let value = Int(number) else { return nil }
    let cursor = "c\(number)"
    return text == (value <= seeded ? cursor : cursor + name) ? cursor : nil
  }
}
