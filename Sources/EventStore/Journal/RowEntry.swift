import LMDB

/// A journal entry for the change of a row by an event: the visible fields that changed, and the
/// digests of their old values.
///
/// The flags are followed by the changed fields as a set of bits; those of them that had a value,
/// if these are some but not all; and an eight-byte digest for each of those.
package struct RowEntry: ~Escapable {
  /// The row's number.
  package let row: UInt32
  /// Whether the row was created or deleted.
  package let flags: UInt8
  /// The visible fields whose value changed: all present fields if the row was created, all former
  /// ones if it was deleted.
  package let changed: UInt64
  /// The changed fields that had a value.
  package let had: UInt64
  private let digests: RawSpan

  /// The flags of an entry.
  package enum Flag {
    /// The row did not exist before the event.
    package static let created: UInt8 = 1
    /// The row no longer exists.
    package static let deleted: UInt8 = 2
    /// All changed fields had values.
    static let hadAll: UInt8 = 4
    /// No changed field had a value.
    static let hadNone: UInt8 = 8
  }

  /// Returns the digest of the old value of a field, counted from 0; 0 if it had no value.
  ///
  /// - Precondition: The field changed.
  package func digest(of field: Int) -> UInt64 {
    precondition(changed >> UInt64(field) & 1 == 1, "field \(field + 1) did not change")
    guard had >> UInt64(field) & 1 == 1 else { return 0 }
    let index = (had & ((1 << UInt64(field)) - 1)).nonzeroBitCount
    return digests.integer(UInt64.self, at: 8 * index)
  }

  /// Reads the next entry, after its event's number; `nil` if the bytes are malformed.
  @_lifetime(copy bytes)
  init?(_ bytes: inout JournalBytes) {
    guard let row = bytes.varint().flatMap(UInt32.init(exactly:)), let flags = bytes.byte(),
      let changed = bytes.varint()
    else { return nil }
    let isSome = flags & (Flag.hadAll | Flag.hadNone) == 0
    let some = isSome ? bytes.varint() : flags & Flag.hadAll != 0 ? changed : 0
    guard let had = some, had & ~changed == 0,
      let digests = bytes.span(UInt64(8 * had.nonzeroBitCount))
    else { return nil }
    self.row = row
    self.flags = flags & (Flag.created | Flag.deleted)
    self.changed = changed
    self.had = had
    self.digests = digests
  }

  /// Appends the entry of a row, after its event's number.
  package static func append(
    _ row: UInt32, _ changed: UInt64, from before: RowView?, to now: RowView, _ shape: RowShape,
    to bytes: inout [UInt8]
  ) {
    let had = changed & presence(of: before)
    var flags: UInt8 = had == changed ? Flag.hadAll : had == 0 ? Flag.hadNone : 0
    if !RowView.isPresent(before) { flags |= Flag.created }
    if !now.isPresent { flags |= Flag.deleted }
    bytes.append(varint: UInt64(row))
    bytes.append(flags)
    bytes.append(varint: changed)
    if had != changed, had != 0 { bytes.append(varint: had) }
    guard let before else { return }
    for field in FieldNumbers(had) {
      bytes.append(word: before.digest(of: field, shape.kind(of: field) ?? .integer))
    }
  }

  private static func presence(of row: RowView?) -> UInt64 {
    guard let row, row.isPresent else { return 0 }
    return row.presence
  }
}
