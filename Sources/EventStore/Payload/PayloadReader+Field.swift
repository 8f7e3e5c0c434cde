import LMDB

extension PayloadReader {
  /// A field, or an item of a list, lying in borrowed bytes.
  ///
  /// Asking for a value as what it is not throws ``PayloadError/Reason/typeMismatch(_:expected:)``.
  public struct Field: ~Escapable {
    /// The field's number; zero for an item of a list.
    public let number: Int

    let code: PayloadCode

    /// The content of an integer or a double, as it is written.
    let bits: UInt64

    /// What a length stands before; else empty.
    let content: RawSpan

    /// Where the content begins in the outermost payload.
    let offset: Int

    /// How many fields and lists this lies within.
    let depth: Int

    @_lifetime(copy content)
    init(
      number: Int, code: PayloadCode, bits: UInt64, content: RawSpan, offset: Int, depth: Int
    ) {
      self.number = number
      self.code = code
      self.bits = bits
      self.content = content
      self.offset = offset
      self.depth = depth
    }
  }
}

extension PayloadReader.Field {
  /// What kind of value it holds.
  public var type: PayloadType { code.type }

  /// Whether it is there but holds nothing.
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

  /// The value of a double, to the bit.
  public var double: Double {
    get throws(PayloadError) {
      try expect(.double)
      return Double(bitPattern: bits)
    }
  }

  /// A copy of a text.
  ///
  /// Throws ``PayloadError/Reason/invalidUTF8`` where it is not UTF-8.
  public var text: String {
    get throws(PayloadError) {
      guard let text = try utf8.text else { throw PayloadError(.invalidUTF8, at: offset) }
      return text
    }
  }

  /// The bytes of a text, as they are: they may be other than UTF-8.
  public var utf8: RawSpan {
    @_lifetime(copy self)
    get throws(PayloadError) {
      try expect(.text)
      return content
    }
  }

  /// The value of bytes.
  public var bytes: RawSpan {
    @_lifetime(copy self)
    get throws(PayloadError) {
      try expect(.bytes)
      return content
    }
  }

  /// A copy of the value of bytes.
  public var byteArray: [UInt8] {
    get throws(PayloadError) { try bytes.array }
  }

  /// A reader of the fields within.
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
