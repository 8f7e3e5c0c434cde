import LMDB

/// Base64 with the alphabet of RFC 4648, section 4, and padding.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  /// Encodes `bytes`: four characters for every three bytes, with the last group padded.
  static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    append(bytes.raw, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the encoding of `bytes`.
  static func append(_ bytes: RawSpan, to text: inout [UInt8]) {
    text.reserveCapacity(text.count + (bytes.byteCount + 2) / 3 * 4)
    var offset = 0
    while offset < bytes.byteCount {
      append(bytes, at: offset, to: &text)
      offset += 3
    }
  }

  @inline(__always)
  private static func append(_ bytes: RawSpan, at offset: Int, to text: inout [UInt8]) {
    let count = min(3, bytes.byteCount - offset)
    var bits = 0
    for place in 0..<3 {
      bits = bits << 8 | (place < count ? Int(bytes.byte(at: offset + place)) : 0)
    }
    for place in 0..<4 {
      text.append(place <= count ? alphabet[bits >> (18 - 6 * place) & 0x3F] : padding)
    }
  }
}

extension Base64 {
  /// Decodes a padded text, or returns `nil` if it is not the encoding of any bytes.
  static func bytes(of text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    return append(decoding: Array(text.utf8).raw, to: &bytes) ? bytes : nil
  }

  /// Appends the decoded bytes of a padded text; returns whether it is valid, and appends some
  /// bytes even if it isn't.
  static func append(decoding text: RawSpan, to bytes: inout [UInt8]) -> Bool {
    guard text.byteCount.isMultiple(of: 4) else { return false }
    let end = text.byteCount
    let padded = (1...2).prefix { end >= $0 && text.byte(at: end - $0) == padding }.count
    var (bits, count) = (0 as UInt32, 0 as UInt32)
    for offset in 0..<(end - padded) {
      guard let value = value(of: text.byte(at: offset)) else { return false }
      (bits, count) = (bits << 6 | value, count + 6)
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> count))
    }
    // The leftover bits of the last character must be zero.
    return bits & (1 << count - 1) == 0 && count == UInt32(2 * padded)
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
