import LMDB

/// A position in borrowed bytes, for reading tags and contents.
///
/// After an error the position is unspecified; reading on is safe, and finds something or fails.
/// The parts are inlined into each other, so that reading a field is one call.
struct PayloadCursor: ~Escapable {
  let bytes: RawSpan

  /// The offset of `bytes` in the outermost payload, for locating errors.
  let origin: Int

  /// The number of fields and lists around `bytes`.
  let depth: Int

  private(set) var position = 0

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, origin: Int, depth: Int) {
    self.bytes = bytes
    self.origin = origin
    self.depth = depth
  }

  var isAtEnd: Bool { position == bytes.byteCount }

  /// The position in the outermost payload.
  var offset: Int { origin + position }

  /// Returns the bytes from an offset in the outermost payload up to the position.
  @_lifetime(copy self)
  func passed(since offset: Int) -> RawSpan { bytes.extracting((offset - origin)..<position) }

  private var remaining: Int { bytes.byteCount - position }

  private var truncated: PayloadError {
    PayloadError(.truncated, at: origin + bytes.byteCount)
  }

  /// Reads a tag: an unchecked number, and a type.
  @inline(__always)
  mutating func tag() throws(PayloadError) -> (number: UInt64, code: PayloadCode) {
    let start = offset
    let tag = try varint()
    let type = UInt8(truncatingIfNeeded: tag & 0xF)
    guard let code = PayloadCode(rawValue: type) else {
      throw PayloadError(.reservedType(type), at: start)
    }
    return (tag >> PayloadCode.width, code)
  }

  /// Reads the content that a tag announced.
  @inline(__always)
  @_lifetime(copy self)
  mutating func field(_ number: Int, _ code: PayloadCode) throws(PayloadError)
    -> PayloadReader.Field
  {
    let start = try pass(code)
    return PayloadReader.Field(
      number: number, code: code, content: bytes.extracting(start..<position),
      offset: origin + start, depth: depth)
  }

  /// Passes over the content that a tag announced, and returns its start, after its length if it
  /// has one.
  @inline(__always)
  @discardableResult
  mutating func pass(_ code: PayloadCode) throws(PayloadError) -> Int {
    let start = position
    switch code {
    case .null, .no, .yes: break
    case .integer: _ = try varint()
    case .double:
      guard remaining >= 8 else { throw truncated }
      position += 8
    case .text, .bytes, .fields, .list:
      let count = try length()
      position += count
      return position - count
    }
    return start
  }

  @inline(__always)
  private mutating func length() throws(PayloadError) -> Int {
    let start = offset
    let length = try varint()
    guard length <= UInt64(remaining) else {
      throw PayloadError(.lengthBeyondEnd(length), at: start)
    }
    return Int(length)
  }

  @inline(__always)
  private mutating func varint() throws(PayloadError) -> UInt64 {
    guard !isAtEnd else { throw truncated }
    let byte = bytes.byte(at: position)
    guard byte >= 0x80 else {
      position += 1
      return UInt64(byte)
    }
    // The tags of most fields have two bytes.
    if remaining > 1, case let second = bytes.byte(at: position + 1), 1..<0x80 ~= second {
      position += 2
      return UInt64(byte & 0x7F) | UInt64(second) << 7
    }
    return try longVarint()
  }

  private mutating func longVarint() throws(PayloadError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    var end = position
    while end < bytes.byteCount {
      let byte = bytes.byte(at: end)
      end &+= 1
      // Nine bytes hold 63 bits, so the tenth has room for only one.
      guard shift < 63 || byte <= 1 else { throw PayloadError(.varintTooLong, at: offset) }
      value |= UInt64(byte & 0x7F) &<< shift
      shift &+= 7
      guard byte < 0x80 else { continue }
      guard byte > 0 else { throw PayloadError(.varintNotMinimal, at: offset) }
      position = end
      return value
    }
    throw truncated
  }
}
