extension PayloadWriter {
  /// Writes the items of a list in order; they may be of different types.
  public struct Items: ~Copyable {
    var writer: PayloadWriter

    init(_ writer: consuming PayloadWriter) { self.writer = writer }

    /// Appends an integer.
    public mutating func append(_ value: Int64) { writer.bytes.append(value, as: 0) }

    /// Appends an integer.
    public mutating func append(_ value: Int) { append(Int64(value)) }

    /// Appends a double, preserved to the bit.
    public mutating func append(_ value: Double) { writer.bytes.append(value, as: 0) }

    /// Appends a boolean.
    public mutating func append(_ value: Bool) { writer.bytes.append(value, as: 0) }

    /// Appends a text.
    public mutating func append(_ value: String) { writer.bytes.append(value, as: 0) }

    /// Appends a text from borrowed UTF-8; if the bytes are not UTF-8, reading the text throws.
    package mutating func append(utf8: RawSpan) { writer.bytes.append(utf8, as: 0, .text) }

    /// Appends bytes.
    public mutating func append(_ value: [UInt8]) { writer.bytes.append(value, as: 0) }

    /// Appends borrowed bytes.
    public mutating func append(_ value: RawSpan) { writer.bytes.append(value, as: 0, .bytes) }

    /// Appends an item that holds nothing.
    public mutating func appendNull() { writer.bytes.append(tag: 0, .null) }

    /// Appends the value of a field or an item as it was read, whatever it holds.
    public mutating func append(_ field: borrowing PayloadReader.Field) {
      writer.bytes.append(field, as: 0)
    }

    /// Appends the fields that `body` puts, as one item.
    ///
    /// If `body` throws, nothing is written.
    public mutating func appendFields<E>(
      _ body: (inout PayloadWriter) throws(E) -> Void
    ) throws(E) {
      try writer.nest(.fields, as: 0, body)
    }

    /// Appends the items that `body` appends, as one item.
    ///
    /// If `body` throws, nothing is written.
    public mutating func appendList<E>(_ body: (inout Items) throws(E) -> Void) throws(E) {
      try writer.nest(.list, as: 0) { (writer) throws(E) in try writer.lend(body) }
    }
  }
}
