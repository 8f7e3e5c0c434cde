/// The form of cursors on the wire.
///
/// Two servers that start with the same mail accept each other's cursors up to that point. Later
/// events differ between them, so later cursors contain the name of their server.
struct CursorBook {
  private let seeded: Int
  private let name: String

  /// Creates the cursors of a server that shares its transactions up to `seeded` with other
  /// servers.
  init(seeded: Int, incarnation: Int) {
    self.seeded = seeded
    name = "i" + String(incarnation, radix: 36)
  }

  /// The cursor before all changes.
  static let beginning = "0"

  /// Returns a cursor of the mail server in the form for clients.
  func written(_ cursor: String) -> String {
    guard cursor != Self.beginning else { return cursor }
    return (Int(cursor.dropFirst()) ?? 0) <= seeded ? cursor : cursor + name
  }

  /// Returns a client's cursor in the mail server's form; `nil` if this server never issued it.
  func read(_ text: String) -> String? {
    if text == Self.beginning { return text }
    let number = text.dropFirst().prefix { $0.isNumber }
    guard text.hasPrefix("c"), let value = Int(number) else { return nil }
    let cursor = "c\(number)"
    return text == (value <= seeded ? cursor : cursor + name) ? cursor : nil
  }
}
