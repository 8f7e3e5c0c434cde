import LMDB

/// Reads a JSON text (RFC 8259) in place and on demand, without allocating.
///
///     var scanner = JSONScanner(bytes)
///     try scanner.open(.object)
///     while let name = try scanner.nextName() { … try scanner.value() … }
///     try scanner.finish()
///
/// The scanner checks all that it steps over. Invalid JSON throws with the offset of the wrong
/// byte, and the scanner must not be used afterwards. Two faults are valid JSON and yet unfit to be
/// kept: a text that is not UTF-8, and deeply nested values. The scanner notes them, so that the
/// reader of a list can refuse the one element and go on; see ``firstBadText`` and ``deepest``.
///
/// - Complexity: O(*n*) in the bytes, sixteen at a time in plain text.
package struct JSONScanner: ~Escapable {
  /// The text.
  package let bytes: RawSpan

  /// The offset of the next byte to read.
  package internal(set) var place: Int

  /// The offset of the first invalid UTF-8 in a text since ``beginItem()``.
  package internal(set) var firstBadText: Int?

  /// The maximum nesting depth of a skipped value since ``beginItem()``.
  package internal(set) var deepest = 0

  /// Whether an object or an array was opened and nothing in it has been read.
  private var isFirst = false

  /// The kinds of a value's outer containers, 64 per word; almost always empty.
  private var outer: [UInt64] = []

  /// Creates a scanner of a text, or of a value within a text.
  @_lifetime(copy bytes)
  package init(_ bytes: RawSpan, at place: Int = 0) {
    self.bytes = bytes
    self.place = place
  }

  /// Resets ``firstBadText`` and ``deepest`` for the next item.
  package mutating func beginItem() {
    firstBadText = nil
    deepest = 0
  }

  /// Returns the kind of the next value.
  ///
  /// A value reported as a number may still be invalid.
  @inline(__always)
  package mutating func nextKind() throws(JSONFault) -> JSONToken.Kind {
    skipSpaces()
    return try kindHere()
  }

  /// Returns the kind of the value that begins here, after a name or spaces.
  @inline(__always)
  func kindHere() throws(JSONFault) -> JSONToken.Kind {
    switch try peek() {
    case JSONByte.object: .object
    case JSONByte.array: .array
    case JSONByte.quote: .string
    case JSONByte.t: .yes
    case JSONByte.f: .no
    case JSONByte.n: .null
    default: .number
    }
  }

  /// Steps over a whole value.
  package mutating func value() throws(JSONFault) -> JSONToken {
    try value(try nextKind())
  }

  /// Steps over a whole value of the kind that begins here.
  mutating func value(_ kind: JSONToken.Kind) throws(JSONFault) -> JSONToken {
    let start = place
    isFirst = false
    switch kind {
    case .object, .array: try skipContainer()
    case .string: return try string()
    case .number: try skipNumber()
    case .yes, .no, .null: try skipWord(kind)
    }
    return JSONToken(kind, start, place)
  }

  /// Goes back to the beginning of a value, to read it differently.
  package mutating func goBack(to place: Int) { self.place = place }

  /// Steps into an object or an array; its members or items are then read one by one.
  package mutating func open(_ kind: JSONToken.Kind) throws(JSONFault) {
    skipSpaces()
    guard case let byte = try peek(), byte == kind.opening else { throw unexpected }
    place += 1
    isFirst = true
  }

  /// Returns the name of an object's next member, whose value must be read next; `nil` after the
  /// last member, which closes the object.
  @inline(__always)
  package mutating func nextName() throws(JSONFault) -> JSONToken? {
    guard try goOn(until: JSONByte.objectEnd) else { return nil }
    return try name()
  }

  /// Whether an array has another item, which must be read next; `false` closes the array.
  @inline(__always)
  package mutating func nextItem() throws(JSONFault) -> Bool {
    try goOn(until: JSONByte.arrayEnd)
  }

  /// Throws unless only spaces follow.
  package mutating func finish() throws(JSONFault) {
    skipSpaces()
    guard place == bytes.byteCount else { throw JSONFault(.trailing, at: place) }
  }

  @inline(__always)
  mutating func goOn(until end: UInt8) throws(JSONFault) -> Bool {
    skipSpaces()
    let byte = try peek()
    let wasFirst = isFirst
    isFirst = false
    if byte == end {
      place += 1
      return false
    }
    guard !wasFirst else { return true }
    guard byte == JSONByte.comma else { throw unexpected }
    place += 1
    skipSpaces()
    return true
  }
}

extension JSONScanner {
  /// Steps over an object or an array without recursion, so that no depth can exhaust the stack; it
  /// takes one bit of memory per level.
  private mutating func skipContainer() throws(JSONFault) {
    // The innermost container is the lowest bit, which is set for an object.
    var kinds: UInt64 = 0
    var depth = 0
    repeat {
      let byte = try peek()
      if byte == JSONByte.object || byte == JSONByte.array {
        if depth & 63 == 0, depth > 0 { outer.append(kinds) }
        kinds = kinds << 1 | (byte == JSONByte.object ? 1 : 0)
        depth += 1
        deepest = max(deepest, depth)
        place += 1
        skipSpaces()
        if try peek() != Self.end(of: kinds) {
          try beginMember(of: kinds)
          continue
        }
      } else {
        try skipPlain(byte)
      }
      try skipEnds(&kinds, &depth)
    } while depth > 0
  }

  /// Steps over the closing brackets after a value, and the comma before the next value.
  @inline(__always)
  private mutating func skipEnds(_ kinds: inout UInt64, _ depth: inout Int) throws(JSONFault) {
    while depth > 0 {
      skipSpaces()
      let byte = try peek()
      if byte == JSONByte.comma {
        place += 1
        skipSpaces()
        return try beginMember(of: kinds)
      }
      guard byte == Self.end(of: kinds) else { throw unexpected }
      place += 1
      depth -= 1
      kinds >>= 1
      if depth & 63 == 0, depth > 0 { kinds = outer.removeLast() }
    }
  }

  @inline(__always)
  private static func end(of kinds: UInt64) -> UInt8 {
    kinds & 1 == 1 ? JSONByte.objectEnd : JSONByte.arrayEnd
  }

  /// Steps over the name before a value in an object.
  @inline(__always)
  private mutating func beginMember(of kinds: UInt64) throws(JSONFault) {
    guard kinds & 1 == 1 else { return }
    _ = try name()
  }

  /// Steps over a value that is not a container.
  @inline(__always)
  private mutating func skipPlain(_ byte: UInt8) throws(JSONFault) {
    switch byte {
    case JSONByte.quote: _ = try string()
    case JSONByte.t: try skipWord(.yes)
    case JSONByte.f: try skipWord(.no)
    case JSONByte.n: try skipWord(.null)
    default: try skipNumber()
    }
  }

  /// Steps over a name and its colon, to the start of the value.
  @inline(__always)
  mutating func name() throws(JSONFault) -> JSONToken {
    guard try peek() == JSONByte.quote else { throw unexpected }
    let name = try string()
    try skipColon(after: name)
    return name
  }

  /// Steps from a name over its colon, to the start of the value.
  @inline(__always)
  mutating func skipColon(after name: JSONToken) throws(JSONFault) {
    place = name.end
    skipSpaces()
    guard try peek() == JSONByte.colon else { throw unexpected }
    place += 1
    skipSpaces()
  }
}

extension JSONScanner {
  /// Returns the next byte without stepping over it.
  @inline(__always)
  func peek() throws(JSONFault) -> UInt8 {
    guard place < bytes.byteCount else { throw JSONFault(.cutOff, at: bytes.byteCount) }
    return bytes.byte(at: place)
  }

  /// The fault that the next byte is unexpected.
  var unexpected: JSONFault { JSONFault(.unexpected, at: place) }

  @inline(__always)
  mutating func skipSpaces() {
    while place < bytes.byteCount {
      let byte = bytes.byte(at: place)
      guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else {
        return
      }
      place += 1
    }
  }

  private mutating func skipWord(_ kind: JSONToken.Kind) throws(JSONFault) {
    // The letters, the first in the lowest byte.
    let letters: UInt64 =
      switch kind {
      case .yes: 0x65_7572_74
      case .no: 0x65_736C_6166
      default: 0x6C6C_756E
      }
    let count = 8 - letters.leadingZeroBitCount / 8
    if place + 8 <= bytes.byteCount,
      bytes.integer(UInt64.self, at: place) & (1 << UInt64(8 * count) - 1) == letters
    {
      place += count
      return
    }
    var rest = letters
    while rest > 0 {
      guard try peek() == UInt8(truncatingIfNeeded: rest) else { throw unexpected }
      place += 1
      rest >>= 8
    }
  }

  private mutating func skipNumber() throws(JSONFault) {
    if try peek() == JSONByte.minus { place += 1 }
    if try peek() == JSONByte.zero { place += 1 } else { try skipDigits() }
    if next(is: JSONByte.dot) {
      place += 1
      try skipDigits()
    }
    guard next(is: JSONByte.e) || next(is: JSONByte.capitalE) else { return }
    place += 1
    if next(is: JSONByte.plus) || next(is: JSONByte.minus) { place += 1 }
    try skipDigits()
  }

  private mutating func skipDigits() throws(JSONFault) {
    guard JSONByte.isDigit(try peek()) else { throw unexpected }
    repeat {
      place += 1
    } while place < bytes.byteCount
      && JSONByte.isDigit(bytes.byte(at: place))
  }

  @inline(__always)
  private func next(is byte: UInt8) -> Bool {
    place < bytes.byteCount && bytes.byte(at: place) == byte
  }
}
