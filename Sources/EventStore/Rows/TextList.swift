import LMDB

/// The bytes of a field of several texts, read in place: a two-byte count and the bytes of each
/// text, in ascending order of the bytes.
package struct TextList: ~Escapable {
  private let bytes: RawSpan
  private var offset = 0

  /// Reads the texts in a field's bytes.
  @_lifetime(copy bytes)
  package init(_ bytes: RawSpan) { self.bytes = bytes }

  /// Whether everything was read, with no bytes left over.
  package var isAtEnd: Bool { offset == bytes.byteCount }

  /// Returns the bytes of the next text, or `nil` after the last whole one.
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

  /// Returns the bytes of a field with these texts, sorted and without duplicates.
  ///
  /// If a text exceeds the size limit of a row, no row accepts the result.
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

  /// Returns whether bytes are valid for a field of several texts: whole, ascending, UTF-8.
  static func isCanonical(_ bytes: RawSpan) -> Bool {
    guard let texts = [String](stored: StoredValue(bytes: bytes)) else { return false }
    return Self.bytes(of: texts.map { Array($0.utf8) }).raw.equals(bytes)
  }
}
