/// Parses JSON text (RFC 8259), as far as it goes.
///
/// It replaces Foundation's parser for four reasons: numbers keep all their digits, nesting is
/// limited, an object that is cut off keeps the members that arrived whole, and a process with
/// little memory need not load more code.
///
/// Any bytes yield a value or an error. Bytes within strings that are not UTF-8, and lone
/// surrogates, become U+FFFD: a sender that cuts a text in the middle of an emoji must not lose the
/// message.
///
/// - Complexity: O(*n*) in the bytes, but for the sorting of members.
package struct JSONParser {
  private let bytes: [UInt8]
  private var place = 0
  private var depth = 0

  /// Whether the bytes ended too early; the value then has everything that arrived whole.
  package private(set) var isCutOff = false

  /// Creates a parser of some bytes.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Parses all bytes as one value; may be called once.
  package mutating func parse() throws(JSONError) -> JSONValue {
    skipSpaces()
    let value = try value()
    skipSpaces()
    guard isCutOff || place == bytes.count else { throw .malformed(at: place) }
    return value
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    switch try peek() {
    case UInt8(ascii: "{"): return try nested { (parser) throws(JSONError) in try parser.object() }
    case UInt8(ascii: "["): return try nested { (parser) throws(JSONError) in try parser.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func nested(
    _ body: (inout JSONParser) throws(JSONError) -> JSONValue
  ) throws(JSONError) -> JSONValue {
    guard depth < JSONValue.nestingLimit else { throw .nestedTooDeep }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }

  private mutating func object() throws(JSONError) -> JSONValue {
    var members: [(name: String, value: JSONValue)] = []
    try items(upTo: UInt8(ascii: "}")) { (parser) throws(JSONError) in
      let name = try parser.string()
      parser.skipSpaces()
      try parser.expect(UInt8(ascii: ":"))
      parser.skipSpaces()
      members.append((name, try parser.value()))
    }
    return .object(JSONObject(members))
  }

  private mutating func array() throws(JSONError) -> JSONValue {
    var values: [JSONValue] = []
    try items(upTo: UInt8(ascii: "]")) { (parser) throws(JSONError) in
      values.append(try parser.value())
    }
    return .array(values)
  }

  /// Parses the items between brackets; if the bytes end early, the item there is the last.
  private mutating func items(
    upTo close: UInt8, _ item: (inout JSONParser) throws(JSONError) -> Void
  ) throws(JSONError) {
    do throws(JSONError) {
      place += 1
      skipSpaces()
      if try take(close) { return }
      repeat {
        skipSpaces()
        try item(&self)
        guard !isCutOff else { return }
        skipSpaces()
      } while try take(UInt8(ascii: ","))
      try expect(close)
    } catch {
      guard error == .cutOff else { throw error }
      isCutOff = true
    }
  }
}

extension JSONParser {
  private func peek() throws(JSONError) -> UInt8 {
    guard place < bytes.count else { throw .cutOff }
    return bytes[place]
  }

  /// Skips a byte; returns whether it was next.
  private mutating func take(_ byte: UInt8) throws(JSONError) -> Bool {
    guard try peek() == byte else { return false }
    place += 1
    return true
  }

  private mutating func expect(_ byte: UInt8) throws(JSONError) {
    guard try take(byte) else { throw .malformed(at: place) }
  }

  private mutating func skipSpaces() {
    while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
  }

  private mutating func word(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONError) -> JSONValue {
    for byte in word.description.utf8 { try expect(byte) }
    return value
  }

  /// Parses a number's digits; one at the very end of the bytes is cut off, as it may lack some.
  private mutating func number() throws(JSONError) -> String {
    let start = place
    _ = try take(UInt8(ascii: "-"))
    let isZero = try take(UInt8(ascii: "0"))
    if !isZero { try digits() }
    if try take(UInt8(ascii: ".")) { try digits() }
    if [UInt8(ascii: "e"), UInt8(ascii: "E")].contains(try peek()) {
      place += 1
      if [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(try peek()) { place += 1 }
      try digits()
    }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func digits() throws(JSONError) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard digits.contains(try peek()) else { throw .malformed(at: place) }
    while digits.contains(try peek()) { place += 1 }
  }
}

extension JSONParser {
  private mutating func string() throws(JSONError) -> String {
    try expect(UInt8(ascii: "\""))
    var utf8: [UInt8] = []
    while true {
      let byte = try peek()
      guard byte >= 0x20 else { throw .malformed(at: place) }
      place += 1
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\") {
        utf8 += String(try escaped()).utf8
      } else {
        utf8.append(byte)
      }
    }
    return String(decoding: utf8, as: UTF8.self)
  }

  /// Parses what follows a backslash.
  private mutating func escaped() throws(JSONError) -> Unicode.Scalar {
    let byte = try peek()
    place += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try scalar()
    default: throw .malformed(at: place - 1)
    }
  }

  /// Parses four hexadecimal digits, or twice four for a surrogate pair.
  private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
    let first = try unit()
    guard UTF16.isLeadSurrogate(first), let second = try trailingSurrogate() else {
      return Unicode.Scalar(first) ?? "\u{FFFD}"
    }
    let value = (UInt32(first) & 0x3FF) << 10 + (UInt32(second) & 0x3FF) + 0x10000
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  /// Parses the second half of a surrogate pair, if that is next.
  private mutating func trailingSurrogate() throws(JSONError) -> UInt16? {
    let start = place
    guard try take(UInt8(ascii: "\\")), try take(UInt8(ascii: "u")),
      case let unit = try unit(), UTF16.isTrailSurrogate(unit)
    else {
      place = start
      return nil
    }
    return unit
  }

  private mutating func unit() throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      let byte = try peek()
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw .malformed(at: place)
      }
      unit = unit << 4 | UInt16(digit)
      place += 1
    }
    return unit
  }
}
