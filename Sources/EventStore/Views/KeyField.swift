import LMDB

/// A field that a view is ordered or grouped by, for making keys.
package struct KeyField: Sendable {
  /// The index of the field.
  let index: Int
  /// The kind of the field.
  let kind: FieldKind
  /// All ones if the order is descending, which inverts the order of words.
  let flip: UInt64

  /// A sort field.
  init(_ sort: SortField) {
    index = sort.field.index
    kind = sort.field.kind
    flip = sort.direction == .descending ? .max : 0
  }

  /// A grouping field.
  init(_ field: FieldDeclaration) { self.init(SortField(field, .ascending)) }

  /// Returns the value as an ascending word: weakly monotone, and 0 if there is no value.
  @inline(__always)
  func word(of row: RowView) -> UInt64 {
    guard row.has(index) else { return 0 }
    return switch kind {
    case .boolean: row.slot(index) &+ 1
    case .text: TextWord.word(of: row.variable(index))
    default: max(code(of: row), 1)
    }
  }

  /// Whether all values with this ascending word have the same place in the order.
  @inline(__always)
  func isConclusive(_ word: UInt64) -> Bool {
    switch kind {
    case .boolean: true
    case .text: TextWord.isConclusive(word)
    // The smallest value shares its word with the next, since 0 is taken.
    default: word != 1
    }
  }

  @inline(__always)
  private func code(of row: RowView) -> UInt64 { FixedOrder.code(of: row.slot(index), kind) }

  /// Whether two rows have the same value, byte for byte.
  @inline(__always)
  func hasSame(_ row: RowView, _ other: RowView) -> Bool {
    let isSame = row.has(index) == other.has(index)
    guard row.has(index), isSame else { return isSame }
    if kind.isFixed { return row.slot(index) == other.slot(index) }
    return row.variable(index).equals(other.variable(index))
  }

  /// Returns the code of a fixed-size value, if there is one.
  func fixed(of row: RowView) -> UInt64? { row.has(index) ? code(of: row) : nil }

  /// Returns the text, if there is one.
  @_lifetime(copy row)
  func text(of row: RowView) -> RawSpan? { row.has(index) ? row.variable(index) : nil }

  /// Appends the exact value in the form of a key's tail.
  func append(of row: RowView, to keys: inout KeyBuffer) {
    if kind == .text {
      guard let text = text(of: row) else { return keys.append(integer: 0 as UInt16) }
      keys.append(integer: UInt16(text.byteCount + 1))
      keys.append(text)
    } else {
      guard let code = fixed(of: row) else { return keys.append(integer: 0 as UInt8) }
      keys.append(integer: 1 as UInt8)
      keys.append(integer: code)
    }
  }

  /// Compares two values in the direction of the order.
  func compare(_ left: UInt64?, _ right: UInt64?) -> Int {
    switch (left, right) {
    case (nil, nil): 0
    case (nil, _): directed(-1)
    case (_, nil): directed(1)
    case (let left?, let right?): left == right ? 0 : directed(left < right ? -1 : 1)
    }
  }

  /// Compares two texts in the direction of the order.
  func compare(_ left: RawSpan?, _ right: RawSpan?) -> Int {
    guard let left else { return right == nil ? 0 : directed(-1) }
    guard let right else { return directed(1) }
    return directed(TextOrder.compare(left, right))
  }

  private func directed(_ order: Int) -> Int { flip == 0 ? order : -order }
}
