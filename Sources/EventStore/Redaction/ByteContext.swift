/// What came before a byte of a text, as far as it tells which bytes are likely to follow.
///
/// In UTF-8, a character beyond ASCII is a leading byte and one to three others. After such a
/// letter, another one of its script is likely.
struct ByteContext {
  /// The kinds of contexts.
  enum Kind: Int, CaseIterable {
    /// At the beginning, or after an ASCII letter.
    case plain
    /// After a letter beyond ASCII.
    case foreign
    /// Within a character.
    case inside
  }

  /// Whether the last letter was beyond ASCII.
  private var isForeign = false
  /// The number of bytes that the character still lacks.
  private var missing = 0

  /// The kind of the context.
  var kind: Kind { missing > 0 ? .inside : isForeign ? .foreign : .plain }

  /// Continues after a byte.
  mutating func advance(over byte: UInt8) {
    switch byte {
    case 0x80...0xBF: missing = max(missing - 1, 0)
    case 0xC0...: (isForeign, missing) = (true, byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3)
    case 0x41...0x5A, 0x61...0x7A: (isForeign, missing) = (false, 0)
    default: missing = 0
    }
  }

  /// Returns the likelihood of a byte in a context, relative to others, at least 1.
  ///
  /// - Parameter plain: The likelihood of the byte in plain text.
  static func weight(of byte: UInt8, in kind: Kind, _ plain: Int) -> Int {
    if kind == .inside { return 0x80...0xBF ~= byte ? 1000 : 1 }
    guard !beginsLetter(byte) else { return kind == .plain ? 8 : 80 }
    return kind == .plain ? plain : max(plain / 6, 1)
  }

  /// Whether a byte begins letters of a common script, or an emoji: Latin with accents, Greek,
  /// Cyrillic, Hebrew, Arabic, Indic, Thai, Chinese, Japanese, or Korean.
  private static func beginsLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0xC3, 0xCE...0xD1, 0xD7...0xDB, 0xE0, 0xE3...0xED, 0xF0: true
    default: false
    }
  }
}
