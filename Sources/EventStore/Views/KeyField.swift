import LMDB

/// A field that a view is ordered or grouped by, as its keys are made.
package struct KeyField: Sendable {
  /// The field, counted from 0.
  let index: Int
  /// What the field holds.
  let kind: FieldKind
  /// All ones where the order is descending, which turns a word's order round.
  let flip: UInt64

  /// A field of an order.
  init(_ sort: SortField) {
    index = sort.field.index
    kind = sort.field.kind
    flip = sort.direction == .descending ? .max : 0
  }

  /// A field of groups.
  init(_ field: FieldDeclaration) { self.init(SortField(field, .ascending)) }

  /// The value as a word, ascending: weakly monotone, and 0 where there is no value.
  @inline(__always)
  func word(of row: RowView) -> UInt64 {
    guard row.has(index) else { return 0 }
    return switch kind {
    case .boolean: row.slot(index) &+ 1
    case .text: TextWord.word(of: row.variable(index))
    default: max(code(of: row), 1)
    }
  }

  /// Whether all values with this ascending word are the same in order.
  @inline(__always)
  func isConclusive(_ word: UInt64) -> Bool {
    switch kind {
    case .boolean: true
    case .text: TextWord.isConclusive(word)
    // The smallest value and the next have the same word, since 0 is taken.
    default: word != 1
    }
  }

  @inline(__always)
  private func code(of row: RowView) -> UInt64 { FixedOrder.code(of: row.slot(index), kind) }

  /// Whether two rows have the same value, to the byte.
  @inline(__always)
  func hasSame(_ row: RowView, _ other: RowView) -> Bool {
    let isSame = row.has(index) == other.has(index)
    guard row.has(index), isSame else { return isSame }
    if kind.isFixed { return row.slot(index) == other.slot(index) }
    return row.variable(index).equals(other.variable(index))
  }

  /// The code of a value of fixed size, if there is one.
  func fixed(of row: RowView) -> UInt64? { row.has(index) ? code(of: row) : nil }

  /// The text, if there is one.
  @_lifetime(copy row)
  func text(of row: RowView) -> RawSpan? { row.has(index) ? row.variable(index) : nil }

  /// Appends the exact value, as a key's tail has it.
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

  /// Where a value stands, seen from another, in the direction of the order.
  func compare(_ left: UInt64?, _ right: UInt64?) -> Int {
    switch (left, right) {
    case (nil, nil): 0
    case (nil, _): directed(-1)
    case (_, nil): directed(1)
    case (let left?, let right?): left == right ? 0 : directed(left < right ? -1 : 1)
    }
  }

  /// Where a text stands, seen from another, in the direction of the order.
  func compare(_ left: RawSpan?, _ right: RawSpan?) -> Int {
    guard let left else { return right == nil ? 0 : directed(-1) }
    guard let right else { return directed(1) }
    return directed(TextOrder.compare(left, right))
  }

  private func directed(_ order: Int) -> Int { flip == 0 ? order : -order }
}
