import LMDB

/// A scanner for the JSON of one line, which throws on any malformed input and never traps.
struct ExportScanner: ~Escapable {
  private let bytes: RawSpan
  private(set) var position = 0

  /// The reason that a line is malformed.
  struct Fault: Error, Hashable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan) { self.bytes = bytes }

  /// Returns the next byte that is not whitespace, or 0 at the end.
  @inline(__always)
  mutating func peek() -> UInt8 {
    while position < bytes.byteCount {
      let byte = bytes.byte(at: position)
      guard byte == 0x20 || byte == 0x09 || byte == 0x0D else { return byte }
      position += 1
    }
    return 0
  }

  /// Consumes a byte if it is next; returns whether it was.
  @inline(__always)
  mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  /// Consumes a byte that must be next.
  @inline(__always)
  mutating func expect(_ byte: Unicode.Scalar) throws(Fault) {
    guard take(byte) else { throw Fault("\(byte) is missing at byte \(position)") }
  }

  /// Throws unless the end is reached.
  mutating func expectEnd() throws(Fault) {
    _ = peek()
    guard position == bytes.byteCount else { throw Fault("text follows the JSON object") }
  }

  /// Returns whether another member or item follows, consuming the comma before it or the end.
  mutating func hasNext(_ isFirst: inout Bool, before end: Unicode.Scalar) throws(Fault) -> Bool {
    if take(end) { return false }
    if !isFirst { try expect(",") }
    isFirst = false
    return true
  }

  /// Reads the name of a member and its colon.
  mutating func name() throws(Fault) -> String {
    let name = try text()
    try expect(":")
    return name
  }

  /// Reads a text.
  mutating func text() throws(Fault) -> String {
    var text: [UInt8] = []
    try appendText(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the UTF-8 bytes of a text.
  mutating func appendText(to text: inout [UInt8]) throws(Fault) {
    let beginning = text.count
    try expect("\"")
    var (start, bits) = (position, 0 as UInt8)
    while true {
      guard position < bytes.byteCount else { throw Fault("a string is unterminated") }
      let byte = bytes.byte(at: position)
      position += 1
      bits |= byte
      guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 else {
        continue
      }
      guard byte >= 0x20 else { throw Fault("a string contains a control character") }
      text.append(copying: bytes.extracting(start..<(position - 1)))
      if byte == UInt8(ascii: "\"") { break }
      try appendEscaped(to: &text)
      start = position
    }
    guard bits >= 0x80, text.raw.extracting(beginning..<text.count).text == nil else { return }
    throw Fault("a string is not UTF-8")
  }

  private mutating func appendEscaped(to text: inout [UInt8]) throws(Fault) {
    guard position < bytes.byteCount else { throw Fault("a string is unterminated") }
    let byte = bytes.byte(at: position)
    position += 1
    switch byte {
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "u"): text.append(contentsOf: String(try scalar()).utf8)
    default: throw Fault("a string contains an invalid escape")
    }
  }

  /// Reads the character of one `\uXXXX` escape, or of two that form a surrogate pair.
  private mutating func scalar() throws(Fault) -> Unicode.Scalar {
    let first = UInt32(try hex(digits: 4))
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, position + 2 <= bytes.byteCount,
      bytes.byte(at: position) == UInt8(ascii: "\\"),
      bytes.byte(at: position + 1) == UInt8(ascii: "u")
    else { throw Fault("a string contains half a surrogate pair") }
    position += 2
    let second = UInt32(try hex(digits: 4))
    guard 0xDC00..<0xE000 ~= second,
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw Fault("a string contains half a surrogate pair") }
    return scalar
  }

  /// Reads a number of hexadecimal digits.
  mutating func hex(digits: Int) throws(Fault) -> UInt64 {
    guard position + digits <= bytes.byteCount else { throw Fault("digits are missing") }
    var value: UInt64 = 0
    for _ in 0..<digits {
      let byte = bytes.byte(at: position)
      position += 1
      switch byte {
      case 0x30...0x39: value = value << 4 | UInt64(byte - 0x30)
      case 0x61...0x66: value = value << 4 | UInt64(byte - 0x57)
      case 0x41...0x46: value = value << 4 | UInt64(byte - 0x37)
      default: throw Fault("'\(Unicode.Scalar(byte))' is not a hexadecimal digit")
      }
    }
    return value
  }

  /// Reads a number of hexadecimal digits in quotes.
  mutating func quotedHex(digits: Int) throws(Fault) -> UInt64 {
    try expect("\"")
    let value = try hex(digits: digits)
    try expect("\"")
    return value
  }

  /// Reads sixteen bytes as hexadecimal digits in quotes.
  mutating func quotedBytes() throws(Fault) -> [UInt8] {
    try expect("\"")
    var bytes: [UInt8] = []
    for _ in 0..<16 { bytes.append(UInt8(truncatingIfNeeded: try hex(digits: 2))) }
    try expect("\"")
    return bytes
  }

  /// Reads an unsigned integer.
  mutating func number() throws(Fault) -> UInt64 {
    guard 0x30...0x39 ~= peek() else { throw Fault("a number is missing at byte \(position)") }
    var (value, start) = (0 as UInt64, position)
    while position < bytes.byteCount, 0x30...0x39 ~= bytes.byte(at: position) {
      let (tens, isTooMuch) = value.multipliedReportingOverflow(by: 10)
      let (sum, isOver) = tens.addingReportingOverflow(UInt64(bytes.byte(at: position) - 0x30))
      guard !isTooMuch, !isOver else { throw Fault("a number does not fit into 64 bits") }
      (value, position) = (sum, position + 1)
    }
    let hasZero = bytes.byte(at: start) == 0x30 && position - start > 1
    start = position
    guard !hasZero, start == bytes.byteCount || !Self.goesOn(bytes.byte(at: start)) else {
      throw Fault("a number is not an integer")
    }
    return value
  }

  private static func goesOn(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e")
  }

  /// Reads an unsigned integer that fits a type.
  mutating func number<T: FixedWidthInteger>(_ type: T.Type) throws(Fault) -> T {
    guard let number = T(exactly: try number()) else {
      throw Fault("a number does not fit into \(T.bitWidth) bits")
    }
    return number
  }

  /// Reads an integer with an optional minus sign.
  mutating func signed() throws(Fault) -> Int64 {
    let isNegative = take("-")
    let magnitude = try number()
    guard magnitude <= UInt64(Int64.max) + (isNegative ? 1 : 0) else {
      throw Fault("a number does not fit into 64 bits")
    }
    return isNegative ? 0 &- Int64(truncatingIfNeeded: magnitude) : Int64(magnitude)
  }

  /// Consumes a word that must be next.
  mutating func expect(word: StaticString) throws(Fault) {
    _ = peek()
    guard matches(word) else { throw Fault("the value at byte \(position) is invalid") }
    position += word.utf8CodeUnitCount
  }

  private func matches(_ word: StaticString) -> Bool {
    guard position + word.utf8CodeUnitCount <= bytes.byteCount else { return false }
    var offset = position
    for byte in word.description.utf8 {
      guard bytes.byte(at: offset) == byte else { return false }
      offset += 1
    }
    return true
  }

  /// Reads `true` or `false`.
  mutating func boolean() throws(Fault) -> Bool {
    let value = peek() == UInt8(ascii: "t")
    if value { try expect(word: "true") } else { try expect(word: "false") }
    return value
  }

  /// Appends the bytes encoded by a Base64 text.
  mutating func appendBase64(to target: inout [UInt8]) throws(Fault) {
    try expect("\"")
    let start = position
    while position < bytes.byteCount, bytes.byte(at: position) != UInt8(ascii: "\"") {
      position += 1
    }
    let isWhole = Base64.append(decoding: bytes.extracting(start..<position), to: &target)
    guard isWhole, take("\"") else { throw Fault("bytes are not valid Base64") }
  }

  /// Consumes the start of an object, up to the colon, if its first member has a name; returns
  /// whether it did.
  mutating func takeObject(named name: StaticString) -> Bool {
    let start = position
    guard take("{"), take("\"") else {
      position = start
      return false
    }
    guard matches(name) else {
      position = start
      return false
    }
    position += name.utf8CodeUnitCount
    guard take("\""), take(":") else {
      position = start
      return false
    }
    return true
  }
}
