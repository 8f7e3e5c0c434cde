import LMDB

/// Conversions of simple values.
extension RawSpan {
  /// Returns the integer that a number's digits form, or `nil` if it has other parts or too many
  /// digits.
  package func plainInteger(of number: JSONToken) -> Int64? {
    let isNegative = byte(at: number.start) == JSONByte.minus
    let start = number.start + (isNegative ? 1 : 0)
    guard number.end - start <= 18 else { return nil }
    var value: Int64 = 0
    for place in start..<number.end {
      let byte = byte(at: place)
      guard JSONByte.isDigit(byte) else { return nil }
      value = value &* 10 &+ Int64(byte &- JSONByte.zero)
    }
    return isNegative ? -value : value
  }

  /// Returns the text of a string, or a number's digits; invalid UTF-8 is replaced.
  package func text(of token: JSONToken) -> String {
    var text: [UInt8] = []
    switch token.kind {
    case .string: appendText(of: token, to: &text)
    default: text.append(copying: extracting(token.range))
    }
    return String(decoding: text, as: UTF8.self)
  }
}
