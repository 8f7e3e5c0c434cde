/// A type whose values can be stored in a table as keys or values.
///
/// Keys sort by their bytes, unless they are `UInt64`, and are 1 to 511 bytes long.
public protocol TableElement: Sendable {
  /// Calls `body` with the encoded bytes: always the same for the same value.
  func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R

  /// Decodes a value; `nil` if the bytes are invalid.
  init?(bytes: RawSpan)
}

/// Eight bytes in native byte order; as a key, compared as an integer, which is fastest.
extension UInt64: TableElement {
  /// Calls `body` with the eight bytes.
  @inlinable public func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    var value = self
    return try unsafe Swift.withUnsafeBytes(of: &value) { bytes throws(E) in
      unsafe try body(bytes.bytes)
    }
  }

  /// Decodes an integer from exactly eight bytes.
  @inlinable public init?(bytes: RawSpan) {
    guard bytes.byteCount == 8 else { return nil }
    self = unsafe bytes.unsafeLoadUnaligned(as: UInt64.self)
  }
}

/// An integer whose bytes sort like the integer, for keys that are compared by their bytes.
public struct BigEndian<Integer: FixedWidthInteger & BitwiseCopyable & Sendable>: Hashable, Sendable
{
  /// The integer.
  public let value: Integer

  /// Wraps an integer.
  public init(_ value: Integer) { self.value = value }
}

extension BigEndian: TableElement where Integer: UnsignedInteger {
  /// Calls `body` with the bytes, most significant first.
  @inlinable public func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    var stored = value.bigEndian
    return try unsafe Swift.withUnsafeBytes(of: &stored) { bytes throws(E) in
      unsafe try body(bytes.bytes)
    }
  }

  /// Decodes an integer from exactly as many bytes as it has.
  @inlinable public init?(bytes: RawSpan) {
    guard bytes.byteCount == MemoryLayout<Integer>.size else { return nil }
    value = Integer(bigEndian: unsafe bytes.unsafeLoadUnaligned(as: Integer.self))
  }
}

/// Text as its UTF-8 bytes, which sort like the text.
extension String: TableElement {
  /// Calls `body` with the UTF-8 bytes.
  @inlinable public func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    // The optimizer may end the lifetime of a small text's `utf8Span` before the body returns.
    var text = self
    let result = text.withUTF8 { utf8 in
      Result { () throws(E) in unsafe try body(RawSpan(_unsafeElements: utf8)) }
    }
    return try result.get()
  }

  /// Decodes text from valid UTF-8.
  public init?(bytes: RawSpan) {
    guard let text = bytes.text else { return nil }
    self = text
  }
}

/// Bytes, stored unchanged.
extension Array: TableElement where Element == UInt8 {
  /// Calls `body` with the bytes.
  @inlinable public func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    unsafe try body(span.bytes)
  }

  /// A copy of the bytes.
  @inlinable public init?(bytes: RawSpan) { self = bytes.array }
}
