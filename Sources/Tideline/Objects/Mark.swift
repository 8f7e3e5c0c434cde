package import EventStore

/// A word that only reducers see.
package struct Mark: FieldValue, RawRepresentable {
  /// The word.
  package var rawValue: UInt64

  /// Creates a mark with that word.
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The kind of links, which only reducers see.
  package static var fieldKind: FieldKind { .link }
  package init?(stored: StoredValue) { rawValue = stored.word }
  package func withStored(_ body: (StoredValue) -> Void) { body(StoredValue(word: rawValue)) }
}

/// A value that rows store in a word that only reducers see.
protocol HiddenValue: FieldValue {
  var word: UInt64 { get }
  init(word: UInt64)
}

extension HiddenValue {
  package static var fieldKind: FieldKind { .link }
  package init?(stored: StoredValue) { self.init(word: stored.word) }
  package func withStored(_ body: (StoredValue) -> Void) { body(StoredValue(word: word)) }
}

/// The record that created an object, and what the device owns regardless of what a server says.
struct Making: HiddenValue {
  var record: RecordNumber
  var owned: Owned

  /// The parts that the device owns.
  struct Owned: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    static let isRead = Owned(rawValue: 1)
    static let isDeleted = Owned(rawValue: 2)
    /// The whole object: no server has reported it.
    static let object = Owned(rawValue: 4)
    /// The receipt of the message, reported to the server once.
    static let isReceived = Owned(rawValue: 8)
    /// Existence despite any deletion by a server: the object may have a tombstone.
    static let mayBeBuried = Owned(rawValue: 16)
  }

  init(_ record: RecordNumber, owned: Owned = []) {
    self.record = record
    self.owned = owned
  }

  init(word: UInt64) {
    record = RecordNumber(rawValue: word & (1 << 56 - 1))
    owned = Owned(rawValue: UInt8(word >> 56))
  }

  var word: UInt64 { record.rawValue | UInt64(owned.rawValue) << 56 }
}

/// The first operation that is open on an object, and the row that holds its base.
struct OverlayLink: HiddenValue {
  var operation: RowID?
  var base: RowID?

  init(operation: RowID? = nil, base: RowID? = nil) {
    self.operation = operation
    self.base = base
  }

  init(word: UInt64) {
    operation = RowID(orNil: UInt32(truncatingIfNeeded: word))
    base = RowID(orNil: UInt32(truncatingIfNeeded: word >> 32))
  }

  var word: UInt64 { UInt64(operation?.rawValue ?? 0) | UInt64(base?.rawValue ?? 0) << 32 }
}

/// A reference to a row of one of several collections.
package struct RowLink: HiddenValue {
  var collection: UInt8
  package internal(set) var row: RowID

  init(collection: UInt8, row: RowID) {
    self.collection = collection
    self.row = row
  }

  init(word: UInt64) {
    row = RowID(rawValue: UInt32(truncatingIfNeeded: word))
    collection = UInt8(truncatingIfNeeded: word >> 32)
  }

  package var word: UInt64 { UInt64(row.rawValue) | UInt64(collection) << 32 }

  package func hash(into hasher: inout Hasher) { hasher.combine(word) }
}

extension RowID {
  /// Creates a row id, or returns `nil` for 0, which no row has.
  fileprivate init?(orNil rawValue: UInt32) {
    guard rawValue != 0 else { return nil }
    self.init(rawValue: rawValue)
  }
}

/// Why an object is hidden.
package struct Hiding: OptionSet, FieldValue {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Its account is logged out.
  static let loggedOut = Hiding(rawValue: 1)
  /// The inbox is currently switched off.
  static let inboxOff = Hiding(rawValue: 2)
  /// Processing of the person's data is restricted.
  static let restricted = Hiding(rawValue: 4)
  /// Its deletion is pending.
  static let deleting = Hiding(rawValue: 8)
  /// Nothing is known of it except that it was opened.
  static let untold = Hiding(rawValue: 16)
  /// It was sent as a draft and is not yet a message.
  static let sent = Hiding(rawValue: 32)
  /// The reasons for a thread not to list it.
  static let unlisted: Hiding = [.deleting, .sent]
  /// The reasons that apply to a whole account; a message created meanwhile starts with them.
  static let account: Hiding = [.loggedOut, .inboxOff, .restricted]
}
