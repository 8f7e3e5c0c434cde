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
/// The bytes may be anything: what is malformed is thrown, never trapped on. Only what is walked
/// over is checked, so fields within fields and texts are checked when they are asked for.
public struct PayloadReader: ~Escapable {
  private var cursor: PayloadCursor
  private var last = 0

  /// A reader of a whole payload.
  @_lifetime(copy bytes)
  public init(_ bytes: RawSpan) {
    cursor = PayloadCursor(bytes, origin: 0, depth: 0)
  }

  @_lifetime(copy cursor)
  init(_ cursor: consuming PayloadCursor) {
    self.cursor = cursor
  }

  /// Where the next field begins, in bytes of the outermost payload.
  package var offset: Int { cursor.offset }

  /// The bytes between where a field began and where the next one begins.
  @_lifetime(copy self)
  package func passed(since offset: Int) -> RawSpan { cursor.passed(since: offset) }

  /// The next field, or `nil` after the last one.
  ///
  /// After an error there is no telling where the next field begins: stop.
  /// - Complexity: O(1)
  @_lifetime(copy self)
  public mutating func next() throws(PayloadError) -> Field? {
    guard !cursor.isAtEnd else { return nil }
    let start = cursor.offset
    let (number, code) = try cursor.tag()
    guard 1...UInt64(PayloadFormat.fieldNumberLimit) ~= number else {
      throw PayloadError(.numberOutOfRange(number), at: start)
    }
    guard number > last else {
      throw PayloadError(.numberNotAscending(Int(number), after: last), at: start)
    }
    last = Int(number)
    return try cursor.field(last, code)
  }
}

extension PayloadReader {
  /// Reads the items of a list in place, as fields whose number is zero.
  public struct Items: ~Escapable {
    private var cursor: PayloadCursor

    @_lifetime(copy cursor)
    init(_ cursor: consuming PayloadCursor) {
      self.cursor = cursor
    }

    /// The next item, or `nil` after the last one.
    ///
    /// After an error there is no telling where the next item begins: stop.
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
