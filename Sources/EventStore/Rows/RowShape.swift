import LMDB

/// The kinds of a collection's fields, as bit sets that are tested in one step.
///
/// Bit n stands for the field numbered n + 1, as in a row's presence.
package struct RowShape: Hashable, Sendable {
  /// The number of slots in a row, which is the greatest field number.
  package private(set) var fieldCount = 0
  /// Bit n of each of these words, from the lowest bit up, spells the raw value of field n's kind.
  private var ones: UInt64 = 0
  private var twos: UInt64 = 0
  private var fours: UInt64 = 0
  private var eights: UInt64 = 0

  /// Creates the shape of rows with these fields.
  package init(_ fields: [FieldDeclaration]) {
    for field in fields { add(field.kind, at: field.index) }
  }

  /// Creates a shape from kinds stored as one byte each, with 0 for an unused field number; returns
  /// `nil` if they are invalid.
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

  /// Returns the kind of a field, counted from 0, or `nil` if no field has the number.
  package func kind(of field: Int) -> FieldKind? { FieldKind(rawValue: rawKind(of: field)) }

  /// Returns whether a field, counted from 0, is of a kind.
  @inline(__always)
  package func has(_ field: Int, of kind: FieldKind) -> Bool {
    rawKind(of: field) == kind.rawValue
  }

  /// Appends the kinds as one byte each, with 0 for an unused field number.
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
  /// The fields that are visible.
  @inline(__always)
  package var visible: UInt64 { all & ~links }
  /// The fields that only reducers see.
  @inline(__always)
  package var links: UInt64 { eights }
  /// The fields whose bytes come after the slots.
  @inline(__always)
  package var variables: UInt64 { fours & (ones ^ twos) }
  /// The fields whose content stays in the log.
  @inline(__always)
  package var references: UInt64 { fours & ones & twos }
}
