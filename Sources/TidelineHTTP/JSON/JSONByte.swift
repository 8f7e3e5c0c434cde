/// The bytes with a meaning in JSON.
enum JSONByte {
  static let quote: UInt8 = 0x22
  static let backslash: UInt8 = 0x5C
  static let comma: UInt8 = 0x2C
  static let colon: UInt8 = 0x3A
  static let object: UInt8 = 0x7B
  static let objectEnd: UInt8 = 0x7D
  static let array: UInt8 = 0x5B
  static let arrayEnd: UInt8 = 0x5D
  static let minus: UInt8 = 0x2D
  static let plus: UInt8 = 0x2B
  static let dot: UInt8 = 0x2E
  static let zero: UInt8 = 0x30
  static let e: UInt8 = 0x65
  static let capitalE: UInt8 = 0x45
  static let t: UInt8 = 0x74
  static let f: UInt8 = 0x66
  static let n: UInt8 = 0x6E
  static let u: UInt8 = 0x75

  /// Whether a byte is whitespace between values.
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }

  /// Returns the value of a hexadecimal digit.
  static func hexadecimal(_ byte: UInt8) -> UInt16? {
    switch byte {
    case 0x30...0x39: UInt16(byte - 0x30)
    case 0x41...0x46: UInt16(byte - 0x41 + 10)
    case 0x61...0x66: UInt16(byte - 0x61 + 10)
    default: nil
    }
  }
}
