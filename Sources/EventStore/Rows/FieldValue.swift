import LMDB

/// A type whose values a field of a row can hold.
///
/// Integers, Booleans, timestamps, doubles, texts, and sets of texts conform. An enum over one of
/// them can conform by its raw value:
///
///     enum Priority: Int, FieldValue { case low, normal, high }
public protocol FieldValue: Hashable, Sendable {
  /// The kind of field that holds such values.
  static var fieldKind: FieldKind { get }

  /// Reads a stored value, or returns `nil` if this type has no such value.
  init?(stored: StoredValue)

  /// Calls `body` with the stored form of the value, which is the same for equal values.
  func withStored(_ body: (StoredValue) -> Void)
}

/// The borrowed stored form of one value.
public struct StoredValue: ~Escapable {
  /// The value if it has a fixed size; for a reference, the digest.
  public let word: UInt64
  /// For a reference, the place of the content.
  public let place: UInt64
  /// The bytes if the value has no fixed size.
  public let bytes: RawSpan

  /// Creates a value of fixed size.
  @inlinable @inline(__always)
  @_lifetime(immortal)
  public init(word: UInt64, place: UInt64 = 0) {
    self.word = word
    self.place = place
    bytes = RawSpan()
  }

  /// Creates a value of any size.
  @inlinable @inline(__always)
  @_lifetime(copy bytes)
  public init(bytes: RawSpan) {
    word = 0
    place = 0
    self.bytes = bytes
  }
}

extension FieldValue {
  /// The stored form of a value of fixed size.
  var word: UInt64 {
    var word: UInt64 = 0
    withStored { word = $0.word }
    return word
  }

  /// The stored form of a text; empty for a value of another kind.
  var text: String {
    var text: String?
    withStored { text = $0.bytes.text }
    return text ?? ""
  }
}

extension FieldValue where Self: RawRepresentable, RawValue: FieldValue {
  /// The kind of the raw value.
  @inlinable public static var fieldKind: FieldKind { RawValue.fieldKind }

  /// Reads the value by its stored raw value, or returns `nil` if there is none.
  @inlinable public init?(stored: StoredValue) {
    guard let raw = RawValue(stored: stored) else { return nil }
    self.init(rawValue: raw)
  }

  /// Calls `body` with the stored form of the raw value.
  @inlinable public func withStored(_ body: (StoredValue) -> Void) {
    rawValue.withStored(body)
  }
}
