import LMDB

/// A change to all rows of a collection that meet a condition, which sets or clears one field.
///
/// It is not applied to the rows one by one. Each row is updated when it is read or changed, or
/// when the frame is written; see ``RowTable/sweep(_:)``.
package struct Sweep: Sendable {
  /// The maximum number of pending sweeps of a collection, since each is tried on every row read.
  package static let countMax = 64

  /// The condition of the rows to change.
  let condition: ConditionProgram
  /// The field, counted from 0, which has a fixed size.
  let field: Int
  /// The field's kind.
  let kind: FieldKind
  /// The field's new value; `nil` to clear it.
  let word: UInt64?

  /// Creates a change to rows that meet a condition.
  ///
  /// - Precondition: Conditions can test the code of a field of that kind.
  package init(_ condition: ConditionProgram, field: Int, _ kind: FieldKind, to word: UInt64?) {
    precondition(kind.isCoded, "a field of no fixed size, or whose content lies elsewhere")
    (self.condition, self.field, self.kind, self.word) = (condition, field, kind, word)
  }

  /// Returns whether the sweep changes a row.
  func changes(_ row: RowView) -> Bool {
    guard condition.matches(row) else { return false }
    return row.has(field) != (word != nil) || row.slot(field) != word ?? 0
  }

  /// Changes a row that its owner lends.
  func change(_ row: inout MutableRow) {
    guard let word else { return row.clear(field, kind) }
    row.set(field, kind, StoredValue(word: word))
  }

  /// Changes a row that begins at a place in an array of bytes; returns whether it differs.
  func change(_ bytes: inout [UInt8], at start: Int) -> Bool {
    guard let presence = presence(after: bytes, at: start) else { return false }
    bytes.store(integer: presence, at: start + RowFormat.Offset.presence)
    bytes.store(integer: word ?? 0, at: start + RowFormat.Offset.slots + 8 * field)
    return true
  }

  /// Returns the fields present in such a row after the sweep; `nil` if it doesn't change.
  private func presence(after bytes: [UInt8], at start: Int) -> UInt64? {
    let row = RowView(bytes.raw.extracting(droppingFirst: start))
    guard changes(row) else { return nil }
    let bit = 1 << UInt64(field) as UInt64
    return word == nil ? row.presence & ~bit : row.presence | bit
  }
}

extension [Sweep] {
  /// Returns whether any of some sweeps changes a row.
  func changes(_ row: RowView, by range: Range<Int>) -> Bool {
    self[range].contains { $0.changes(row) }
  }

  /// Returns the bytes of a row after some sweeps in order; `nil` if they change nothing.
  package func swept(_ row: RowView, by range: Range<Int>) -> [UInt8]? {
    guard changes(row, by: range) else { return nil }
    var bytes = row.bytes.array
    return change(range, of: &bytes, at: 0) ? bytes : nil
  }

  /// Applies some sweeps in order to a row that begins at a place in an array of bytes and ends
  /// with it; returns whether the row differs.
  func change(_ range: Range<Int>, of bytes: inout [UInt8], at start: Int) -> Bool {
    var isOther = false
    for index in range where self[index].change(&bytes, at: start) { isOther = true }
    return isOther
  }
}
