import LMDB

/// The kinds of a collection's fields, as sets of bits that are asked in one step.
///
/// Bit n stands for the field numbered n + 1, as in a row's presence.
package struct RowShape: Hashable, Sendable {
  /// How many slots a row has: the greatest number of a field.
  package private(set) var fieldCount = 0
  /// The kind of field n is spelled by bit n of these, from the lowest bit of its raw value up.
  private var ones: UInt64 = 0
  private var twos: UInt64 = 0
  private var fours: UInt64 = 0
  private var eights: UInt64 = 0

  /// The shape of rows with these fields.
  package init(_ fields: [FieldDeclaration]) {
    for field in fields { add(field.kind, at: field.index) }
  }

  /// The shape of rows whose kinds are written one in a byte, 0 for a number that no field has; or
  /// `nil` where they are none.
  package init?(kinds: RawSpan) {
    guard kinds.byteCount <= RowFormat.fieldCountMax else { return nil }
    for index in 0..<kinds.byteCount where kinds.byte(at: index) != 0 {
      guard let kind = FieldKind(rawValue: kinds.byte(at: index)) else { return nil }
      add(kind, at: index)
    }
    guard fieldCount == kinds.byteCount else { return nil }
  }

  private mutating func add(_ kind: FieldKind, at index: Int) {
    fieldCount = max(fieldCount, index + 1)
    let raw = UInt64(kind.rawValue)
    ones |= (raw & 1) << UInt64(index)
    twos |= (raw >> 1 & 1) << UInt64(index)
    fours |= (raw >> 2 & 1) << UInt64(index)
    eights |= (raw >> 3) << UInt64(index)
  }

  /// The kind of a field, counted from 0, or `nil` where no field has the number.
  package func kind(of field: Int) -> FieldKind? { FieldKind(rawValue: rawKind(of: field)) }

  /// Whether a field, counted from 0, is of a kind.
  @inline(__always)
  package func has(_ field: Int, of kind: FieldKind) -> Bool {
    rawKind(of: field) == kind.rawValue
  }

  /// Appends the kinds, one in a byte, 0 for a number that no field has.
  func appendKinds(to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.extend(by: fieldCount)
    bytes.withMutableBytes { room in
      for field in 0..<fieldCount { room.store(integer: rawKind(of: field), at: start + field) }
    }
  }

  @inline(__always)
  private func rawKind(of field: Int) -> UInt8 {
    let (place, bit) = (UInt64(field), 1 as UInt64)
    let low = ones >> place & bit | (twos >> place & bit) << 1
    let high = (fours >> place & bit) << 2 | (eights >> place & bit) << 3
    return UInt8(truncatingIfNeeded: low | high)
  }

  /// All fields.
  @inline(__always)
  package var all: UInt64 { ones | twos | fours | eights }
  /// The fields that are shown.
  @inline(__always)
  package var visible: UInt64 { all & ~links }
  /// The fields that only reducers see.
  @inline(__always)
  package var links: UInt64 { eights }
  /// The fields whose bytes lie behind the slots.
  @inline(__always)
  package var variables: UInt64 { fours & (ones ^ twos) }
  /// The fields whose content stays in the log.
  @inline(__always)
  package var references: UInt64 { fours & ones & twos }
}
