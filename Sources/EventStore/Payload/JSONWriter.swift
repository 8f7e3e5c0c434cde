import LMDB

/// Writes a JSON text (RFC 8259), without spaces, in the order of the calls.
///
///     let text = JSONWriter.object { json in
///       json.member("id", 7)
///       json.member("labels", ["inbox"])
///     }
///
/// Output that would not be JSON is a programming error, and traps: a value without a name in an
/// object, a name elsewhere, anything after the outermost value, nesting beyond the limit.
package struct JSONWriter: ~Copyable {
  /// The maximum nesting of objects and arrays, which exceeds that of payloads.
  package static let nestingLimit = 2 * PayloadFormat.nestingLimit

  private enum Container { case text, array, object }

  private var utf8: [UInt8] = []
  private var container = Container.text
  private var depth = 0

  /// Whether the container is still empty.
  private var isEmpty = true

  /// Whether a name waits for its value.
  private var isNamed = false

  private init() {}

  /// Returns the text that `body` writes, which must be one value.
  package static func text<E>(
    _ body: (inout JSONWriter) throws(E) -> Void
  ) throws(E) -> String {
    var writer = JSONWriter()
    try body(&writer)
    precondition(!writer.isEmpty, "a JSON text holds one value")
    return String(decoding: writer.utf8, as: UTF8.self)
  }

  /// Returns the text of an object whose members `body` writes.
  package static func object<E>(
    _ body: (inout JSONWriter) throws(E) -> Void
  ) throws(E) -> String {
    try text { (json: inout JSONWriter) throws(E) in try json.object(body) }
  }

  /// Writes an object whose members `body` writes, each a name and then a value.
  package mutating func object<E>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
    try nest(.object, "{", "}", body)
  }

  /// Writes an array whose elements `body` writes.
  package mutating func array<E>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
    try nest(.array, "[", "]", body)
  }

  /// Writes the name of an object's next member.
  package mutating func name(_ name: String) {
    precondition(container == .object && !isNamed, "a JSON name stands in an object only")
    separate()
    quote(name)
    utf8.append(UInt8(ascii: ":"))
    isNamed = true
  }

  /// Writes a string.
  package mutating func string(_ value: String) {
    beginValue()
    quote(value)
  }

  /// Writes an integer with all its digits.
  package mutating func number(_ value: some BinaryInteger) {
    literal(value.description)
  }

  /// Writes a double in the shortest form that reads back as the same value.
  ///
  /// JSON has no infinities or NaN, which become the strings `inf`, `-inf` and `nan`.
  package mutating func number(_ value: Double) {
    value.isFinite ? literal(value.description) : string(value.isNaN ? "nan" : "\(value)")
  }

  /// Writes a number from its digits, which must be a valid JSON number.
  package mutating func number(verbatim digits: String) {
    literal(digits)
  }

  /// Writes a value that is already JSON.
  package mutating func value(verbatim json: some Sequence<UInt8>) {
    beginValue()
    utf8.append(contentsOf: json)
  }

  /// Writes `true` or `false`.
  package mutating func boolean(_ value: Bool) {
    literal(value ? "true" : "false")
  }

  /// Writes `null`.
  package mutating func null() {
    literal("null")
  }

  private mutating func literal(_ text: String) {
    beginValue()
    utf8.append(contentsOf: text.utf8)
  }
}

extension JSONWriter {
  private mutating func nest<E>(
    _ inner: Container, _ open: Unicode.Scalar, _ close: Unicode.Scalar,
    _ body: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    precondition(depth < Self.nestingLimit, "JSON is nested deeper than \(Self.nestingLimit)")
    beginValue()
    utf8.append(UInt8(ascii: open))
    let outer = container
    (container, isEmpty, depth) = (inner, true, depth + 1)
    try body(&self)
    precondition(!isNamed, "the last JSON name has no value")
    (container, isEmpty, depth) = (outer, false, depth - 1)
    utf8.append(UInt8(ascii: close))
  }

  private mutating func beginValue() {
    switch container {
    case .object:
      precondition(isNamed, "a value in a JSON object has no name")
      isNamed = false
    case .array:
      separate()
    case .text:
      precondition(isEmpty, "a JSON text holds one value")
      isEmpty = false
    }
  }

  private mutating func separate() {
    if !isEmpty { utf8.append(UInt8(ascii: ",")) }
    isEmpty = false
  }

  /// Appends a text in quotes; what could move a terminal's cursor is escaped.
  private mutating func quote(_ text: String) {
    let start = utf8.count
    text.withBytes { (bytes: RawSpan) in _ = utf8.append(quoted: bytes) }
    guard text.utf8.contains(where: { $0 == 0x7F || $0 == 0xC2 }) else { return }
    let quoted = String(decoding: utf8[start...], as: UTF8.self)
    utf8.removeSubrange(start...)
    for scalar in quoted.unicodeScalars {
      if (0x7F...0x9F).contains(scalar.value) {
        utf8 += "\\u00".utf8
        utf8.append(hex: UInt64(scalar.value), digits: 2)
      } else {
        utf8 += String(scalar).utf8
      }
    }
  }
}
