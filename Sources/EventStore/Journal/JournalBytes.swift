import LMDB

extension [UInt8] {
  /// Appends an integer of eight bytes.
  @inline(__always)
  mutating func append(word: UInt64) {
    extend(by: 8)
    store(integer: word, at: count - 8)
  }
}

/// Bytes of the journal, or of a mark, that are read one thing after another, and end where they
/// end, whatever they claim.
struct JournalBytes: ~Escapable {
  private let bytes: RawSpan
  private var offset = 0

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan) { self.bytes = bytes }

  var isAtEnd: Bool { offset == bytes.byteCount }

  /// The next byte.
  @_lifetime(self: copy self)
  mutating func byte() -> UInt8? {
    guard offset < bytes.byteCount else { return nil }
    offset += 1
    return bytes.byte(at: offset - 1)
  }

  /// The next integer of seven bits in a byte.
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

  /// The next integer of eight bytes.
  @_lifetime(self: copy self)
  mutating func word() -> UInt64? {
    guard bytes.byteCount - offset >= 8 else { return nil }
    offset += 8
    return bytes.integer(UInt64.self, at: offset - 8)
  }

  /// The next so many bytes.
  @_lifetime(copy self)
  mutating func span(_ count: UInt64) -> RawSpan? {
    guard count <= UInt64(bytes.byteCount - offset) else { return nil }
    let start = offset
    offset += Int(count)
    return bytes.extracting(start..<offset)
  }
}
