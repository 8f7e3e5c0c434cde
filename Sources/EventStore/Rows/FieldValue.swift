/// A type whose values can stand in a field of a row.
///
/// Integers, booleans, timestamps, doubles, texts and sets of texts are; so is an enum over one of
/// them that says it is, by its raw value:
///
///     enum Priority: Int, FieldValue { case low, normal, high }
public protocol FieldValue: Hashable, Sendable {
  /// The kind of field that holds such values.
  static var fieldKind: FieldKind { get }

  /// The value that a row holds, or `nil` where this type has none such.
  init?(stored: StoredValue)

  /// Calls `body` with what a row holds for the value: the same for equal values.
  func withStored<R>(_ body: (StoredValue) -> R) -> R
}

/// What a row holds of one value, borrowed.
public struct StoredValue: ~Escapable {
  /// The value, where it has a fixed size; of a reference, the digest.
  public let word: UInt64
  /// Of a reference, where the content is.
  public let place: UInt64
  /// The bytes, where it has no fixed size.
  public let bytes: RawSpan

  /// A value of fixed size.
  @inlinable @inline(__always)
  @_lifetime(immortal)
  public init(word: UInt64, place: UInt64 = 0) {
    self.word = word
    self.place = place
    bytes = RawSpan()
  }

  /// A value of any size.
  @inlinable @inline(__always)
  @_lifetime(copy bytes)
  public init(bytes: RawSpan) {
    word = 0
    place = 0
    self.bytes = bytes
  }
}

extension FieldValue where Self: RawRepresentable, RawValue: FieldValue {
  /// The kind of the raw value.
  @inlinable public static var fieldKind: FieldKind { RawValue.fieldKind }

  /// The value with the raw value that a row holds, or `nil` where there is none.
  @inlinable public init?(stored: StoredValue) {
    guard let raw = RawValue(stored: stored) else { return nil }
    self.init(rawValue: raw)
  }

  /// Calls `body` with what a row holds for the raw value.
  @inlinable public func withStored<R>(_ body: (StoredValue) -> R) -> R {
    rawValue.withStored(body)
  }
}
