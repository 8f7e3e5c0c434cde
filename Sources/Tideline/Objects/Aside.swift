/// A note that travels with a value but is not part of it: equality, hashing and descriptions
/// ignore it.
struct Aside<Note: Sendable>: Hashable, Sendable {
  var note: Note

  init(_ note: Note) { self.note = note }

  static func == (_: Aside, _: Aside) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}

extension Aside: CustomStringConvertible {
  var description: String { "…" }
}

extension Aside: Codable where Note: Codable {}

// Synthesized `Codable` conformances call these; a `false` note is not encoded.
extension KeyedDecodingContainer {
  func decode(_ type: Aside<Bool>.Type, forKey key: Key) throws -> Aside<Bool> {
    Aside(try decodeIfPresent(Bool.self, forKey: key) ?? false)
  }
}

extension KeyedEncodingContainer {
  mutating func encode(_ aside: Aside<Bool>, forKey key: Key) throws {
    if aside.note { try encode(true, forKey: key) }
  }
}
