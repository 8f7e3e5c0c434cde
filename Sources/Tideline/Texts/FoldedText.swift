import Foundation

/// A text in the form used to order and search lists: without case and accents.
///
///     FoldedText("Crème Brûlée") == FoldedText("CREME BRULEE")
///
/// Folding depends on no locale, so lists have the same order on every device:
///
/// 1. Compatibility forms are replaced by their equivalents (NFKD): "ﬁ" is "fi", "Ａ" is "A".
/// 2. The combining diacritical marks of Latin, Greek and Cyrillic are removed. Marks that are
///    parts of letters in other scripts, such as kana and Devanagari, stay.
/// 3. Case is removed by Unicode's default mappings, to uppercase and back: "ß" is "ss", "ς" is
///    "σ".
/// 4. The result is composed (NFC), so two folded texts compare by their bytes.
///
/// The tables are those of the system's Unicode version. Newer characters are left unchanged.
///
/// As this type is not `String`, a `SortDescriptor` for it has no comparator.
public struct FoldedText: Hashable, Comparable, Sendable {
  /// The folded text.
  public let text: String

  /// Creates the folded form of a text; folding is idempotent.
  ///
  /// - Complexity: O(n)
  public init(_ text: String) { self.text = Self.folded(text) }

  /// Creates a value from a row's text, which was folded when it was written.
  init(folded text: String) { self.text = text }

  /// Returns whether one text sorts before the other, by the scalars of the folded texts.
  public static func < (a: FoldedText, b: FoldedText) -> Bool { a.text < b.text }

  private static func folded(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    var folded = step(text)
    // Case mappings may turn other characters into marks.
    for _ in 0..<3 {
      let next = step(folded)
      if next.utf8.elementsEqual(folded.utf8) { break }
      folded = next
    }
    return folded
  }

  private static func step(_ text: String) -> String {
    bare(bare(text).uppercased().lowercased()).precomposedStringWithCanonicalMapping
  }

  /// Returns the text decomposed and without marks.
  private static func bare(_ text: String) -> String {
    let scalars = text.decomposedStringWithCompatibilityMapping.unicodeScalars
    return String(String.UnicodeScalarView(scalars.filter { !isDiacritic($0) }))
  }

  private static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
    default: false
    }
  }
}

extension FoldedText: Codable {
  /// Decodes a text and folds it, whatever its source.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes the folded text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
