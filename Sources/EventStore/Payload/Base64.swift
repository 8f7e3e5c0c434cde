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
