package import EventStore

/// A word that only reducers see.
package struct Mark: FieldValue, RawRepresentable {
  /// The word.
  package var rawValue: UInt64

  /// That word.
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Hidden, as links are.
  package static var fieldKind: FieldKind { .link }
  package init?(stored: StoredValue) { rawValue = stored.word }
  package func withStored<R>(_ body: (StoredValue) -> R) -> R { body(StoredValue(word: rawValue)) }
}

/// A value that rows hold in a word that only reducers see.
protocol HiddenValue: FieldValue {
  var word: UInt64 { get }
  init(word: UInt64)
}

extension HiddenValue {
  package static var fieldKind: FieldKind { .link }
  package init?(stored: StoredValue) { self.init(word: stored.word) }
  package func withStored<R>(_ body: (StoredValue) -> R) -> R { body(StoredValue(word: word)) }
}

/// The record that made an object, and what the device owns of it whatever a server says.
struct Making: HiddenValue {
  var record: RecordNumber
  var owned: Owned

  /// What is the device's own.
  struct Owned: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    static let isRead = Owned(rawValue: 1)
    static let isDeleted = Owned(rawValue: 2)
    /// The whole object: no server has told of it.
    static let object = Owned(rawValue: 4)
    /// That it was received, which a server is told once.
    static let isReceived = Owned(rawValue: 8)
    /// That it was there whatever a server had deleted: it may have a tombstone.
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

/// What is open on an object: the first of its operations, and the row that holds its base.
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

/// A row of one of several collections.
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
}

extension RowID {
  /// The row of a number, of which 0 is none's.
  fileprivate init?(orNil rawValue: UInt32) {
    guard rawValue != 0 else { return nil }
    self.init(rawValue: rawValue)
  }
}

/// Why an object is not shown.
package struct Hiding: OptionSet, FieldValue {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Its account is logged out.
  static let loggedOut = Hiding(rawValue: 1)
  /// There is no inbox at present.
  static let inboxOff = Hiding(rawValue: 2)
  /// Nothing may be done with data.
  static let restricted = Hiding(rawValue: 4)
  /// It is to be deleted.
  static let deleting = Hiding(rawValue: 8)
  /// Nothing is known of it but that it was opened.
  static let untold = Hiding(rawValue: 16)
  /// It was a draft that was sent, and is not a message yet.
  static let sent = Hiding(rawValue: 32)
  /// What a thread does not list.
  static let unlisted: Hiding = [.deleting, .sent]
  /// What a message that is made while there is no inbox begins with.
  static let account: Hiding = [.loggedOut, .inboxOff, .restricted]
}
