extension Int64: FieldValue {
  /// An integer.
  @inlinable public static var fieldKind: FieldKind { .integer }

  /// Reads the integer.
  @inlinable public init?(stored: StoredValue) { self.init(bitPattern: stored.word) }

  /// Calls `body` with the integer as a word.
  @inlinable public func withStored(_ body: (StoredValue) -> Void) {
    body(StoredValue(word: UInt64(bitPattern: self)))
  }
}

extension Int: FieldValue {
  /// An integer.
  @inlinable public static var fieldKind: FieldKind { .integer }

  /// Reads the integer if it is in this machine's range.
  @inlinable public init?(stored: StoredValue) {
    self.init(exactly: Int64(bitPattern: stored.word))
  }

  /// Calls `body` with the integer as a word.
  @inlinable public func withStored(_ body: (StoredValue) -> Void) {
    body(StoredValue(word: UInt64(bitPattern: Int64(self))))
  }
}

extension Bool: FieldValue {
  /// A boolean.
  @inlinable public static var fieldKind: FieldKind { .boolean }

  /// Reads any nonzero word as `true`.
  @inlinable public init?(stored: StoredValue) { self = stored.word != 0 }

  /// Calls `body` with one or zero.
  @inlinable public func withStored(_ body: (StoredValue) -> Void) {
    body(StoredValue(word: self ? 1 : 0))
  }
}

extension Timestamp: FieldValue {
  /// A moment.
  @inlinable public static var fieldKind: FieldKind { .timestamp }
}

extension Double: FieldValue {
  /// A floating-point number.
  @inlinable public static var fieldKind: FieldKind { .double }

  /// Reads the number.
  @inlinable public init?(stored: StoredValue) { self.init(bitPattern: stored.word) }

  /// Calls `body` with the number's bits; both zeros give the same bits, and so do all NaNs.
  @inlinable public func withStored(_ body: (StoredValue) -> Void) {
    body(StoredValue(word: isNaN ? Double.nan.bitPattern : self == 0 ? 0 : bitPattern))
  }
}

extension RowID: FieldValue {
  /// A link to another row, which is never visible.
  @inlinable public static var fieldKind: FieldKind { .link }

  /// Reads the number.
  @inlinable public init?(stored: StoredValue) {
    self.init(rawValue: UInt32(truncatingIfNeeded: stored.word))
  }

  /// Calls `body` with the row's number.
  @inlinable public func withStored(_ body: (StoredValue) -> Void) {
    body(StoredValue(word: UInt64(rawValue)))
  }
}
