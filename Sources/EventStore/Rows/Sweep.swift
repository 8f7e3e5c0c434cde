import LMDB

/// A change of all rows of a collection that meet a condition: one field has the same value in all
/// of them, or none.
///
/// It is not done to them one by one. A row learns of it when it is read or changed, or when the
/// frame is written; see ``RowTable/sweep(_:)``.
package struct Sweep: Sendable {
  /// How many there may be of a collection that rows have not learned of: each is tried on each row
  /// that is read.
  package static let countMax = 64

  /// What a row is like that it concerns.
  let condition: ConditionProgram
  /// The field, counted from 0, which is of fixed size.
  let field: Int
  /// What the field's kind is.
  let kind: FieldKind
  /// What the field holds then; `nil` where it has no value.
  let word: UInt64?

  /// A change of rows that meet a condition.
  ///
  /// - Precondition: Conditions ask for the code of a field of that kind.
  package init(_ condition: ConditionProgram, field: Int, _ kind: FieldKind, to word: UInt64?) {
    precondition(kind.isCoded, "a field of no fixed size, or whose content lies elsewhere")
    (self.condition, self.field, self.kind, self.word) = (condition, field, kind, word)
  }

  /// Whether a row is another one behind it.
  func changes(_ row: RowView) -> Bool {
    guard condition.matches(row) else { return false }
    return row.has(field) != (word != nil) || row.slot(field) != word ?? 0
  }

  /// Changes a row, as it is lent by whoever has it.
  func change(_ row: inout MutableRow) {
    guard let word else { return row.clear(field, kind) }
    row.set(field, kind, StoredValue(word: word))
  }

  /// Changes the bytes of a row that begins at a place among others; says whether it is another one
  /// then.
  func change(_ bytes: inout [UInt8], at start: Int) -> Bool {
    guard let presence = presence(behind: bytes, at: start) else { return false }
    bytes.store(integer: presence, at: start + RowFormat.Offset.presence)
    bytes.store(integer: word ?? 0, at: start + RowFormat.Offset.slots + 8 * field)
    return true
  }

  /// Which fields are present in such a row behind it; `nil` where it stays as it is.
  private func presence(behind bytes: [UInt8], at start: Int) -> UInt64? {
    let row = RowView(bytes.raw.extracting(droppingFirst: start))
    guard changes(row) else { return nil }
    let bit = 1 << UInt64(field) as UInt64
    return word == nil ? row.presence & ~bit : row.presence | bit
  }
}

extension [Sweep] {
  /// Whether a row is another one behind some of them.
  func changes(_ row: RowView, by range: Range<Int>) -> Bool {
    self[range].contains { $0.changes(row) }
  }

  /// The bytes that some of them make of a row, one after the other; `nil` where they change
  /// nothing.
  package func swept(_ row: RowView, by range: Range<Int>) -> [UInt8]? {
    guard changes(row, by: range) else { return nil }
    var bytes = row.bytes.array
    return change(range, of: &bytes, at: 0) ? bytes : nil
  }

  /// Does some of them, one after the other, to a row that begins at a place among other bytes and
  /// ends with them; says whether it is another one then.
  func change(_ range: Range<Int>, of bytes: inout [UInt8], at start: Int) -> Bool {
    var isOther = false
    for index in range where self[index].change(&bytes, at: start) { isOther = true }
    return isOther
  }
}
