/// Bytes as text in the alphabet of RFC 4648, section 4, padded.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text that stands for `bytes`: four characters for each three, the last three padded.
  static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      append(bytes[start..<min(start + 3, bytes.count)], to: &text)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func append(_ group: ArraySlice<UInt8>, to text: inout [UInt8]) {
    let joined = group.reduce(0) { $0 << 8 | Int($1) }
    let bits = joined << (8 * (3 - group.count))
    for place in 0..<4 {
      let digit = alphabet[bits >> (18 - 6 * place) & 0x3F]
      text.append(place <= group.count ? digit : UInt8(ascii: "="))
    }
  }
}

extension Base64 {
  /// The bytes that a padded text stands for, or `nil` where it is not the text of any bytes.
  static func bytes(of text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 4) else { return nil }
    let padding = digits.suffix(2).filter { $0 == UInt8(ascii: "=") }.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3)
    var (bits, count) = (0 as UInt32, 0)
    for digit in digits.dropLast(padding) {
      guard let value = value(of: digit) else { return nil }
      bits = bits << 6 | value
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return Base64.text(of: bytes) == text ? bytes : nil
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
