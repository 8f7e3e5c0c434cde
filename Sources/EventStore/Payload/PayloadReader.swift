/// Reads the fields of a payload in place, one after another, without copying them.
///
///     var reader = PayloadReader(bytes)
///     while let field = try reader.next() {
///       switch field.number {
///       case 1: subject = try field.text
///       case 2: size = try field.integer
///       default: break
///       }
///     }
///
/// The bytes may be anything: malformed input throws, and never traps. Only what is read is
/// checked, so nested fields and texts are checked when they are requested.
public struct PayloadReader: ~Escapable {
  private var cursor: PayloadCursor
  private var last = 0

  /// Creates a reader of a whole payload.
  @_lifetime(copy bytes)
  public init(_ bytes: RawSpan) {
    cursor = PayloadCursor(bytes, origin: 0, depth: 0)
  }

  @_lifetime(copy cursor)
  init(_ cursor: consuming PayloadCursor) {
    self.cursor = cursor
  }

  /// The offset of the next field in the outermost payload.
  package var offset: Int { cursor.offset }

  /// Returns the bytes between the beginning of a field and the beginning of the next one.
  @_lifetime(copy self)
  package func passed(since offset: Int) -> RawSpan { cursor.passed(since: offset) }

  /// Returns the next field, or `nil` after the last one.
  ///
  /// After an error, stop: the beginning of the next field is unknown.
  /// - Complexity: O(1)
  @_lifetime(copy self)
  public mutating func next() throws(PayloadError) -> Field? {
    guard !cursor.isAtEnd else { return nil }
    let (number, code) = try tag(at: &cursor)
    last = number
    return try cursor.field(last, code)
  }

  /// Passes over the fields with lower numbers, which costs less than reading them.
  ///
  /// - Complexity: O(fields)
  package mutating func pass(below number: Int) throws(PayloadError) {
    while !cursor.isAtEnd {
      var ahead = cursor
      let (next, code) = try tag(at: &ahead)
      guard next < number else { return }
      try ahead.pass(code)
      (cursor, last) = (ahead, next)
    }
  }

  /// Reads a tag whose number is to be greater than the last.
  @inline(__always)
  private func tag(
    at cursor: inout PayloadCursor
  ) throws(PayloadError) -> (number: Int, code: PayloadCode) {
    let start = cursor.offset
    let (number, code) = try cursor.tag()
    guard 1...UInt64(PayloadFormat.fieldNumberLimit) ~= number else {
      throw PayloadError(.numberOutOfRange(number), at: start)
    }
    guard number > last else {
      throw PayloadError(.numberNotAscending(Int(number), after: last), at: start)
    }
    return (Int(number), code)
  }
}

extension PayloadReader {
  /// Reads the items of a list in place, as fields with number zero.
  public struct Items: ~Escapable {
    private var cursor: PayloadCursor

    @_lifetime(copy cursor)
    init(_ cursor: consuming PayloadCursor) {
      self.cursor = cursor
    }

    /// Returns the next item, or `nil` after the last one.
    ///
    /// After an error, stop: the beginning of the next item is unknown.
    /// - Complexity: O(1)
    @_lifetime(copy self)
    public mutating func next() throws(PayloadError) -> Field? {
      guard !cursor.isAtEnd else { return nil }
      let start = cursor.offset
      let (number, code) = try cursor.tag()
      guard number == 0 else { throw PayloadError(.numberedItem(number), at: start) }
      return try cursor.field(0, code)
    }
  }
}
