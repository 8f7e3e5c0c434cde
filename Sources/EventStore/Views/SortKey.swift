import LMDB

/// The bytes that decide a row's place in a view; they outlive the row.
///
///     0   8  each of the view's words, little-endian: the group's if it has groups, then those of
///            the first sort fields
///            for each sort field from the first that its word doesn't decide, or that has none,
///            the exact value: of fixed size 0, or 1 and eight bytes, its code; of text 0, or its
///            count plus 1, two bytes each, and its UTF-8
///            the external id
///
/// After the first word that doesn't decide, all sort field words are 0. Words that differ thus
/// decide, whatever follows them. If no words differ, the exact values follow in the same layout.
/// ``ViewPlan/compare(_:_:)`` knows which fields these are.
package struct SortKey: Hashable, Sendable {
  /// The bytes.
  package let bytes: [UInt8]

  /// A key made by a ``ViewPlan``.
  package init(bytes: [UInt8]) { self.bytes = bytes }
}

/// A reader of the exact values in a key, one after another.
struct KeyTail: ~Escapable {
  private let bytes: RawSpan
  private var offset: Int

  /// Begins after the given number of words of a key.
  @_lifetime(copy key)
  init(of key: RawSpan, after wordCount: Int) {
    bytes = key
    offset = 8 * wordCount
  }

  /// Returns the code of the next value, of fixed size, if there is one.
  mutating func nextFixed() -> UInt64? {
    defer { offset += 1 }
    guard bytes.byte(at: offset) != 0 else { return nil }
    defer { offset += 8 }
    return bytes.integer(UInt64.self, at: offset + 1)
  }

  /// Returns the next value, a text, if there is one.
  @_lifetime(copy self)
  mutating func nextText() -> RawSpan? {
    let count = Int(bytes.integer(UInt16.self, at: offset))
    let start = offset + 2
    guard count > 0 else {
      offset = start
      return nil
    }
    offset = start + count - 1
    return bytes.extracting(start..<offset)
  }

  /// The external id, after all values were read.
  var id: RawSpan {
    @_lifetime(copy self) get { bytes.extracting(offset..<bytes.byteCount) }
  }
}
