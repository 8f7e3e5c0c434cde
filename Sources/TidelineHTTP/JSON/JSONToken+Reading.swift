import LMDB

/// What values stand for, as far as that is simple; for the rest one makes a text of them.
extension RawSpan {
  /// The integer that a number's digits are, or `nil` where it has other parts or many digits.
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

  /// The text of a string, or of a number its digits, as far as it is UTF-8.
  package func text(of token: JSONToken) -> String {
    var text: [UInt8] = []
    switch token.kind {
    case .string: appendText(of: token, to: &text)
    default: text.append(copying: extracting(token.range))
    }
    return String(decoding: text, as: UTF8.self)
  }
}
