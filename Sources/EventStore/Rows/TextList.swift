import LMDB

/// The bytes of a field of several texts, read in place: a count of two bytes and the text for each
/// of them, in ascending order of their bytes.
package struct TextList: ~Escapable {
  private let bytes: RawSpan
  private var offset = 0

  /// The texts in a field's bytes.
  @_lifetime(copy bytes)
  package init(_ bytes: RawSpan) { self.bytes = bytes }

  /// Whether all was read, with nothing left over.
  package var isAtEnd: Bool { offset == bytes.byteCount }

  /// The bytes of the next text, or `nil` behind the last whole one.
  ///
  /// - Complexity: O(1)
  @_lifetime(copy self)
  package mutating func next() -> RawSpan? {
    guard bytes.byteCount - offset >= 2 else { return nil }
    let start = offset + 2
    let count = Int(bytes.integer(UInt16.self, at: offset))
    guard bytes.byteCount - start >= count else { return nil }
    offset = start + count
    return bytes.extracting(start..<offset)
  }

  /// The bytes of a field that holds these texts: sorted and each once.
  ///
  /// A text beyond the bytes that a row may have makes the field one that no row takes.
  package static func bytes(of texts: [[UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = []
    var last: [UInt8]?
    for text in texts.sorted(by: { $0.lexicographicallyPrecedes($1) }) where text != last {
      bytes.append(littleEndian: UInt16(truncatingIfNeeded: text.count))
      bytes.append(contentsOf: text)
      last = text
    }
    return bytes
  }

  /// Whether bytes are those of a field of several texts: whole, ascending, UTF-8.
  static func isCanonical(_ bytes: RawSpan) -> Bool {
    guard let texts = [String](stored: StoredValue(bytes: bytes)) else { return false }
    return Self.bytes(of: texts.map { Array($0.utf8) }).raw.equals(bytes)
  }
}
