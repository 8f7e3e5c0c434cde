package import EventStore

extension Timestamp: EventValue {
  package static var typeName: String { "time" }

  package func put(_ number: Int, into writer: inout PayloadWriter) {
    writer.put(number, rawValue)
  }

  package func append(to items: inout PayloadWriter.Items) { items.append(rawValue) }

  package init(reading field: borrowing PayloadReader.Field) throws(EventError) {
    self.init(rawValue: try Int64(reading: field))
  }

  package var line: String { description }
}

extension RecordNumber: EventValue {
  package static var typeName: String { "record" }

  package func put(_ number: Int, into writer: inout PayloadWriter) {
    writer.put(number, Int64(bitPattern: rawValue))
  }

  package func append(to items: inout PayloadWriter.Items) {
    items.append(Int64(bitPattern: rawValue))
  }

  package init(reading field: borrowing PayloadReader.Field) throws(EventError) {
    self.init(rawValue: UInt64(bitPattern: try Int64(reading: field)))
  }

  package var line: String { "#\(rawValue)" }
}

extension EventKind: EventValue {
  package static var typeName: String { "kind" }

  package func put(_ number: Int, into writer: inout PayloadWriter) {
    writer.put(number, Int64(rawValue))
  }

  package func append(to items: inout PayloadWriter.Items) { items.append(Int64(rawValue)) }

  package init(reading field: borrowing PayloadReader.Field) throws(EventError) {
    let number = try Int64(reading: field)
    guard let rawValue = UInt16(exactly: number) else { throw EventError(.outOfRange(number)) }
    self.init(rawValue: rawValue)
  }

  package var line: String { digits }
}

/// An enumeration, stored as numbers that never change their meaning.
package protocol EventCode: EventValue, CaseIterable, RawRepresentable where RawValue == Int64 {}

extension EventCode {
  package static var typeName: String { "\(Self.self)" }

  package func put(_ number: Int, into writer: inout PayloadWriter) {
    writer.put(number, rawValue)
  }

  package func append(to items: inout PayloadWriter.Items) { items.append(rawValue) }

  package init(reading field: borrowing PayloadReader.Field) throws(EventError) {
    let code = try Int64(reading: field)
    guard let value = Self(rawValue: code) else { throw EventError(.unknownCode(code)) }
    self = value
  }

  package var line: String { "\(self)" }
}

/// Bytes that events treat as opaque.
package struct EventBytes: EventValue {
  /// The bytes.
  package var bytes: [UInt8]

  /// Wraps some bytes.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package static var typeName: String { "bytes" }

  package func put(_ number: Int, into writer: inout PayloadWriter) { writer.put(number, bytes) }

  package func append(to items: inout PayloadWriter.Items) { items.append(bytes) }

  package init(reading field: borrowing PayloadReader.Field) throws(EventError) {
    do { bytes = try field.byteArray } catch { throw EventError(.malformed(error)) }
  }

  package var line: String { "\(bytes.count) bytes" }
}

/// 128 random bits, by which a server recognizes a repeated request.
///
/// Drawn when an intent is recorded, and the same in each attempt.
package struct OperationKey: EventValue {
  /// The first eight bytes, in little-endian order.
  package let low: UInt64
  /// The last eight bytes, in little-endian order.
  package let high: UInt64

  private static let byteCount = 16

  /// Creates a key from its bits.
  package init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Creates a new key.
  package init(using generator: inout some RandomNumberGenerator) {
    self.init(low: generator.next(), high: generator.next())
  }

  /// Creates an empty key, for an event that has no key yet.
  package init() { self.init(low: 0, high: 0) }

  package static var typeName: String { "key" }

  private var bytes: [UInt8] {
    [low, high].flatMap { word in
      stride(from: 0, to: UInt64(64), by: 8).map { UInt8(truncatingIfNeeded: word >> $0) }
    }
  }

  package func put(_ number: Int, into writer: inout PayloadWriter) { writer.put(number, bytes) }

  package func append(to items: inout PayloadWriter.Items) { items.append(bytes) }

  package init(reading field: borrowing PayloadReader.Field) throws(EventError) {
    let bytes = try EventBytes(reading: field).bytes
    guard bytes.count == Self.byteCount else {
      throw EventError(.length(bytes.count, expected: Self.byteCount))
    }
    low = Self.word(bytes[..<8])
    high = Self.word(bytes[8...])
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The bytes in hexadecimal digits.
  package var line: String { bytes.hexadecimal }
}
