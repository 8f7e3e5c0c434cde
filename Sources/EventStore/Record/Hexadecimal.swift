extension UnsignedInteger where Self: FixedWidthInteger {
  /// The integer in hexadecimal, with all the digits that its type can have.
  package var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
  }
}

extension Sequence<UInt8> {
  /// Two hexadecimal digits for each byte.
  package var hexadecimal: String { map(\.hexadecimal).joined() }
}
