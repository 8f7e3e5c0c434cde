import LMDB

extension [UInt8] {
  /// Appends an eight-byte integer.
  @inline(__always)
  mutating func append(word: UInt64) {
    extend(by: 8)
    store(integer: word, at: count - 8)
  }
}

/// A reader of values from the bytes of the journal, or of a mark, which never reads past the end,
/// whatever lengths the bytes claim.
struct JournalBytes: ~Escapable {
  private let bytes: RawSpan
  private var offset = 0

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan) { self.bytes = bytes }

  var isAtEnd: Bool { offset == bytes.byteCount }

  /// Reads the next byte.
  @_lifetime(self: copy self)
  mutating func byte() -> UInt8? {
    guard offset < bytes.byteCount else { return nil }
    offset += 1
    return bytes.byte(at: offset - 1)
  }

  /// Reads the next variable-length integer, with seven bits in each byte.
  @_lifetime(self: copy self)
  mutating func varint() -> UInt64? {
    var (value, shift) = (0 as UInt64, 0 as UInt64)
    while shift < 64, let byte = byte() {
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  /// Reads the next eight-byte integer.
  @_lifetime(self: copy self)
  mutating func word() -> UInt64? {
    guard bytes.byteCount - offset >= 8 else { return nil }
    offset += 8
    return bytes.integer(UInt64.self, at: offset - 8)
  }

  /// Reads the next `count` bytes.
  @_lifetime(copy self)
  mutating func span(_ count: UInt64) -> RawSpan? {
    guard count <= UInt64(bytes.byteCount - offset) else { return nil }
    let start = offset
    offset += Int(count)
    return bytes.extracting(start..<offset)
  }
}
