/// Writes the fields of a payload, in ascending order of their numbers.
///
///     PayloadWriter.write(into: &bytes) { writer in
///       writer.put(1, "Lunch?")
///       writer.putList(2) { $0.append("inbox") }
///     }
///
/// Equal values give equal bytes. A number that does not exceed the previous one, or is below 1 or
/// above ``PayloadFormat/fieldNumberLimit``, and nesting beyond ``PayloadFormat/nestingLimit`` are
/// programming errors, and trap.
public struct PayloadWriter: ~Copyable {
  var bytes: [UInt8] = []
  /// The number of the last field written, or zero.
  package private(set) var last = 0
  private(set) var depth = 0

  init() {}

  /// Appends the payload that `body` writes to `bytes`, which is moved, never copied.
  ///
  /// Many payloads written in sequence thus share one array, and allocate only as it grows. If
  /// `body` throws, `bytes` are unchanged.
  public static func write<E>(
    into bytes: inout [UInt8], _ body: (inout PayloadWriter) throws(E) -> Void
  ) throws(E) {
    var writer = PayloadWriter()
    swap(&writer.bytes, &bytes)
    defer { swap(&writer.bytes, &bytes) }
    try writer.undoingIfThrown(body)
  }

  /// Returns the bytes of the payload that `body` writes.
  public static func bytes<E>(
    _ body: (inout PayloadWriter) throws(E) -> Void
  ) throws(E) -> [UInt8] {
    var bytes: [UInt8] = []
    try write(into: &bytes, body)
    return bytes
  }

  /// Writes an integer.
  public mutating func put(_ number: Int, _ value: Int64) {
    bytes.append(value, as: advance(to: number))
  }

  /// Writes an integer.
  public mutating func put(_ number: Int, _ value: Int) {
    put(number, Int64(value))
  }

  /// Writes a double, preserved to the bit.
  public mutating func put(_ number: Int, _ value: Double) {
    bytes.append(value, as: advance(to: number))
  }

  /// Writes a boolean.
  public mutating func put(_ number: Int, _ value: Bool) {
    bytes.append(value, as: advance(to: number))
  }

  /// Writes a text.
  public mutating func put(_ number: Int, _ value: String) {
    bytes.append(value, as: advance(to: number))
  }

  /// Writes a text from borrowed UTF-8; if the bytes are not UTF-8, reading the text throws.
  package mutating func put(_ number: Int, utf8: RawSpan) {
    bytes.append(utf8, as: advance(to: number), .text)
  }

  /// Writes bytes.
  public mutating func put(_ number: Int, _ value: [UInt8]) {
    bytes.append(value, as: advance(to: number))
  }

  /// Writes borrowed bytes.
  public mutating func put(_ number: Int, _ value: RawSpan) {
    bytes.append(value, as: advance(to: number), .bytes)
  }

  /// Writes a field that is present but holds nothing.
  public mutating func putNull(_ number: Int) {
    bytes.append(tag: advance(to: number), .null)
  }

  /// Writes a field as it was read, whatever it holds, so that unknown fields survive.
  public mutating func put(_ field: borrowing PayloadReader.Field) {
    bytes.append(field, as: advance(to: field.number))
  }

  /// Writes consecutive encoded fields of a payload, the last of which has `number`.
  package mutating func put(fields: RawSpan, through number: Int) {
    guard fields.byteCount > 0 else { return }
    var reader = PayloadReader(fields)
    if let first = try? reader.next() { _ = advance(to: first.number) }
    bytes.append(payload: fields)
    last = number
  }

  /// Writes the fields that `body` puts, as one field.
  ///
  /// If `body` throws, nothing is written.
  public mutating func putFields<E>(
    _ number: Int, _ body: (inout PayloadWriter) throws(E) -> Void
  ) throws(E) {
    try nest(.fields, as: advance(to: number), body)
  }

  /// Writes the items that `body` appends, as one field.
  ///
  /// If `body` throws, nothing is written.
  public mutating func putList<E>(
    _ number: Int, _ body: (inout Items) throws(E) -> Void
  ) throws(E) {
    try nest(.list, as: advance(to: number)) { (writer) throws(E) in try writer.lend(body) }
  }

  mutating func advance(to number: Int) -> Int {
    precondition(
      number > last, "field \(number) is put after field \(last): numbers must ascend from 1")
    precondition(
      number <= PayloadFormat.fieldNumberLimit,
      "field \(number) is above the limit of \(PayloadFormat.fieldNumberLimit)")
    last = number
    return number
  }
}

extension PayloadWriter {
  /// Writes the output of `body` as one value, preceded by its length.
  mutating func nest<E>(
    _ code: PayloadCode, as number: Int, _ body: (inout PayloadWriter) throws(E) -> Void
  ) throws(E) {
    enter(number)
    defer { leave(number) }
    try undoingIfThrown { (writer) throws(E) in
      writer.bytes.append(tag: number, code)
      let start = writer.bytes.count
      writer.bytes.append(0)
      try body(&writer)
      writer.bytes.fillLength(at: start)
    }
  }

  /// Enters the value of a number, in which numbers begin anew.
  mutating func enter(_ number: Int) {
    precondition(
      depth < PayloadFormat.nestingLimit,
      "field \(number) is nested deeper than \(PayloadFormat.nestingLimit)")
    (last, depth) = (0, depth + 1)
  }

  /// Leaves the value of a number.
  mutating func leave(_ number: Int) { (last, depth) = (number, depth - 1) }

  /// Begins a separate field, whatever was written before.
  ///
  /// The output is not a payload, but fields to be put into one later. A list that was begun and
  /// not ended is forgotten.
  package mutating func beginPiece() { (last, depth) = (0, 0) }

  /// Discards what was written after the first `count` bytes, but keeps the memory.
  package mutating func restart(at count: Int) {
    bytes.removeLast(bytes.count - count)
    beginPiece()
  }

  /// Lends the array to a writer of items.
  mutating func lend<E>(_ body: (inout Items) throws(E) -> Void) throws(E) {
    var items = Items(PayloadWriter())
    swap(&self, &items.writer)
    defer { swap(&self, &items.writer) }
    try body(&items)
  }

  private mutating func undoingIfThrown<E>(
    _ body: (inout PayloadWriter) throws(E) -> Void
  ) throws(E) {
    let count = bytes.count
    do {
      try body(&self)
    } catch {
      bytes.removeLast(bytes.count - count)
      throw error
    }
  }
}
