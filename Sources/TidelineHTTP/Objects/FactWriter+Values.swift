import EventStore
import Tideline

/// Single values.
extension FactWriter {
  mutating func putText(
    _ field: ObjectField, _ value: JSONToken, _ name: StaticString, _ bytes: RawSpan
  ) throws(JSONFault) {
    switch value.kind {
    case .string where !value.isEscaped:
      writer.put(field, utf8: bytes.extracting(value.content))
    case .string:
      let text = unescaped(value, bytes)
      writer.put(field, utf8: text.payloadBytes)
    case .number: writer.put(field, utf8: bytes.extracting(value.range))
    default: throw value.isNot("a text", name)
    }
  }

  mutating func putID(
    _ field: ObjectField, _ value: JSONToken, _ name: StaticString, _ bytes: RawSpan
  ) throws(JSONFault) {
    guard value.end - value.start <= WireLimits.idBytes + 2 else {
      throw JSONFault(.tooLong("\(name)", limit: WireLimits.idBytes), at: value.start)
    }
    if case .id = field, value.isEmptyText {
      throw JSONFault(.missing("\(name)"), at: value.start)
    }
    try putText(field, value, name, bytes)
  }

  mutating func putInteger(
    _ field: ObjectField, _ value: JSONToken, _ name: StaticString, _ bytes: RawSpan
  ) throws(JSONFault) {
    guard value.kind != .null else { return writer.putNull(field) }
    guard value.isPlainValue else { throw value.isNot("a number", name) }
    if value.kind == .number, let integer = bytes.plainInteger(of: value) {
      return writer.put(field, integer)
    }
    guard let integer = bytes.value(of: value).asInteger else {
      throw JSONFault(.absurd("\(name)"), at: value.start)
    }
    writer.put(field, integer)
  }

  mutating func putFlag(
    _ field: ObjectField, _ value: JSONToken, _ name: StaticString, _ bytes: RawSpan
  ) throws(JSONFault) {
    switch value.kind {
    case .yes: writer.put(field, true)
    case .no: writer.put(field, false)
    default:
      guard value.isPlainValue, let flag = bytes.value(of: value).asFlag else {
        throw value.isNot("yes or no", name)
      }
      writer.put(field, flag)
    }
  }

  /// Puts a time.
  ///
  /// A time given as text keeps that text too; text that is no time is kept as text only.
  mutating func putTime(
    _ field: ObjectField, _ value: JSONToken, _ name: StaticString, _ bytes: RawSpan
  ) throws(JSONFault) {
    switch value.kind {
    case .number:
      guard let time = bytes.time(of: value) else {
        throw JSONFault(.absurd("\(name)"), at: value.start)
      }
      writer.put(field, time.rawValue)
    case .string:
      if let time = Timestamp(text: bytes.text(of: value)) { writer.put(field, time.rawValue) }
      if let original = field.original { try putText(original, value, name, bytes) }
    default: throw value.isNot("a time", name)
    }
  }

  mutating func putMedia(
    _ value: JSONToken, _ name: StaticString, _ bytes: RawSpan
  ) throws(JSONFault) {
    guard value.kind == .object else { return try putText(.mediaURL, value, name, bytes) }
    var scanner = JSONScanner(bytes, at: value.start)
    let parts = try media.take(&scanner)
    if let url = parts.first, url.kind != .null { try putText(.mediaURL, url, name, bytes) }
    if let text = parts.second, text.kind != .null { try putText(.mediaText, text, name, bytes) }
  }

  /// Returns a text with its escapes resolved, in a buffer that the next call reuses.
  mutating func unescaped(_ value: JSONToken, _ bytes: RawSpan) -> [UInt8] {
    text.removeAll(keepingCapacity: true)
    bytes.appendText(of: value, to: &text)
    return text
  }
}

extension JSONToken {
  /// Returns the fault that the value is not of the expected type.
  func isNot(_ expected: StaticString, _ name: StaticString) -> JSONFault {
    JSONFault(.wrongType("\(name)", expected: "\(expected)"), at: start)
  }

  /// Whether the value is a text or a number.
  var isPlainValue: Bool { kind == .string || kind == .number }

  /// Whether the value is a text without characters.
  var isEmptyText: Bool { kind == .string && content.isEmpty }
}

extension RawSpan {
  /// Returns a text or a number as a standalone value.
  fileprivate func value(of token: JSONToken) -> JSONValue {
    token.kind == .number ? .number(text(of: token)) : .string(text(of: token))
  }

  /// Returns the time given by a number of seconds or milliseconds.
  fileprivate func time(of number: JSONToken) -> Timestamp? {
    guard let count = plainInteger(of: number), (0..<100_000_000_000).contains(count) else {
      return Timestamp(text: text(of: number))
    }
    return Timestamp(rawValue: count * 1000)
  }
}
