import LMDB

extension PayloadReader {
  /// A field, or an item of a list, in borrowed bytes.
  ///
  /// Reading a value as another type throws ``PayloadError/Reason/typeMismatch(_:expected:)``.
  ///
  /// It fits into four registers, in which it is returned.
  public struct Field: ~Escapable {
    /// The encoded content: of an integer its varint, of a double its eight bytes, else what
    /// follows a length.
    let content: RawSpan

    /// The number, and the offset of the content in the outermost payload.
    private let place: UInt64

    let code: PayloadCode

    /// The number of fields and lists around this one.
    private let level: UInt8

    @_lifetime(copy content)
    init(number: Int, code: PayloadCode, content: RawSpan, offset: Int, depth: Int) {
      place = UInt64(number) << 32 | UInt64(UInt32(truncatingIfNeeded: offset))
      self.code = code
      self.content = content
      level = UInt8(truncatingIfNeeded: depth)
    }
  }
}

extension PayloadReader.Field {
  /// The field's number; zero for an item of a list.
  public var number: Int { Int(place >> 32) }

  /// The offset of the content in the outermost payload, if that is no larger than 4 GiB.
  var offset: Int { Int(UInt32(truncatingIfNeeded: place)) }

  var depth: Int { Int(level) }

  /// The encoded value of an integer or a double.
  var bits: UInt64 {
    if code == .double { return content.integer(UInt64.self, at: 0) }
    var bits: UInt64 = 0
    for place in 0..<content.byteCount {
      bits |= UInt64(content.byte(at: place) & 0x7F) &<< UInt64(7 &* place)
    }
    return bits
  }

  /// The type of the value.
  public var type: PayloadType { code.type }

  /// Whether the field is present but holds nothing.
  public var isNull: Bool { code == .null }

  /// The value of a boolean.
  public var boolean: Bool {
    get throws(PayloadError) {
      if code != .yes { try expect(.no) }
      return code == .yes
    }
  }

  /// The value of an integer.
  public var integer: Int64 {
    get throws(PayloadError) {
      try expect(.integer)
      return Int64(zigzag: bits)
    }
  }

  /// The value of a double, preserved to the bit.
  public var double: Double {
    get throws(PayloadError) {
      try expect(.double)
      return Double(bitPattern: bits)
    }
  }

  /// A copy of a text.
  ///
  /// Throws ``PayloadError/Reason/invalidUTF8`` if it is not UTF-8.
  public var text: String {
    get throws(PayloadError) {
      guard let text = try utf8.text else { throw PayloadError(.invalidUTF8, at: offset) }
      return text
    }
  }

  /// The unvalidated bytes of a text, which may not be UTF-8.
  public var utf8: RawSpan {
    @_lifetime(copy self)
    get throws(PayloadError) {
      try expect(.text)
      return content
    }
  }

  /// The bytes of a bytes value.
  public var bytes: RawSpan {
    @_lifetime(copy self)
    get throws(PayloadError) {
      try expect(.bytes)
      return content
    }
  }

  /// A copy of the bytes of a bytes value.
  public var byteArray: [UInt8] {
    get throws(PayloadError) { try bytes.array }
  }

  /// A reader of the nested fields.
  public var fields: PayloadReader {
    @_lifetime(copy self)
    get throws(PayloadError) {
      try expect(.fields)
      return PayloadReader(try inner)
    }
  }

  /// A reader of the items of a list.
  public var items: PayloadReader.Items {
    @_lifetime(copy self)
    get throws(PayloadError) {
      try expect(.list)
      return PayloadReader.Items(try inner)
    }
  }

  private var inner: PayloadCursor {
    @_lifetime(copy self)
    get throws(PayloadError) {
      guard depth < PayloadFormat.nestingLimit else {
        throw PayloadError(.nestedTooDeep, at: offset)
      }
      return PayloadCursor(content, origin: offset, depth: depth + 1)
    }
  }

  @inline(__always)
  private func expect(_ expected: PayloadCode) throws(PayloadError) {
    guard code == expected else {
      throw PayloadError(.typeMismatch(type, expected: expected.type), at: offset)
    }
  }
}
