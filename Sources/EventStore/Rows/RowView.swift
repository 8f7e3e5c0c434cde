import LMDB

/// A row's bytes, borrowed and read in place.
package struct RowView: ~Escapable {
  /// All bytes of the row.
  package let bytes: RawSpan

  /// Creates a view of a row's bytes.
  @_lifetime(copy bytes)
  @inline(__always)
  package init(_ bytes: RawSpan) { self.bytes = bytes }

  /// The number of fields the row has space for.
  @inline(__always)
  package var fieldCount: Int { Int(bytes.byte(at: RowFormat.Offset.fieldCount)) }

  /// The row's flags.
  @inline(__always)
  package var flags: UInt8 { bytes.byte(at: RowFormat.Offset.flags) }

  /// Whether the row has more than its id.
  @inline(__always)
  package var isPresent: Bool { flags == 0 }

  /// The present fields.
  @inline(__always)
  package var presence: UInt64 { bytes.integer(UInt64.self, at: RowFormat.Offset.presence) }

  /// The range of the external id's bytes.
  @inline(__always)
  package var idRange: Range<Int> {
    let start = RowFormat.Offset.slots + 8 * fieldCount
    return start..<(start + Int(bytes.integer(UInt16.self, at: RowFormat.Offset.idCount)))
  }

  /// The bytes of the external id.
  package var id: RawSpan {
    @_lifetime(copy self) get { bytes.extracting(idRange) }
  }

  /// Returns whether a field, counted from 0, has a value.
  @inline(__always)
  package func has(_ field: Int) -> Bool { presence & 1 << UInt64(field) != 0 }

  /// Returns the eight bytes of a field's slot.
  @inline(__always)
  package func slot(_ field: Int) -> UInt64 {
    bytes.integer(UInt64.self, at: RowFormat.Offset.slots + 8 * field)
  }

  /// Returns the range of a text field's bytes; empty if it is absent.
  @inline(__always)
  package func variableRange(_ field: Int) -> Range<Int> {
    let slot = slot(field)
    let start = Int(slot & 0xFFFF_FFFF)
    return start..<(start + Int(slot >> 32))
  }

  /// Returns the bytes of a text field; empty if it is absent.
  @_lifetime(copy self)
  package func variable(_ field: Int) -> RawSpan { bytes.extracting(variableRange(field)) }

  /// Returns the offset of a reference's place, or where it would be.
  func placeOffset(_ field: Int, _ shape: RowShape) -> Int {
    let behind = shape.references & presence & (UInt64.max << UInt64(field))
    return bytes.byteCount - 8 * behind.nonzeroBitCount
  }

  /// Returns the number of bytes to compare: all except the places of references.
  @inline(__always)
  func comparedCount(_ shape: RowShape) -> Int {
    bytes.byteCount - 8 * (shape.references & presence).nonzeroBitCount
  }

  /// Returns a digest that is equal for equal values of a field, and for others with a chance of
  /// 2⁻⁶⁴; 0 if the field is absent.
  ///
  /// For a reference, only the content counts, not its place.
  package func digest(of field: Int, _ kind: FieldKind) -> UInt64 {
    guard field < fieldCount, has(field) else { return 0 }
    var mixer = Mixer(seed: UInt64(kind.rawValue))
    if kind.isFixed { mixer.add(slot(field)) } else { mixer.add(variable(field)) }
    return max(mixer.value, 1)
  }
}

extension RowView {
  /// Returns the value of a field, or `nil` if it is absent, of another kind, or invalid.
  package func value<Value: FieldValue>(_ field: Int, _ shape: RowShape, as: Value.Type) -> Value? {
    var value: Value?
    withStored(field, Value.fieldKind, shape) { value = Value(stored: $0) }
    return value
  }

  /// Calls `body` with the stored value of a field, unless it is absent or of another kind.
  @inline(__always)
  package func withStored(
    _ field: Int, _ kind: FieldKind, _ shape: RowShape, _ body: (StoredValue) -> Void
  ) {
    guard shape.has(field, of: kind) else { return }
    withStored(ofItsKind: field, kind, shape, body)
  }

  /// Calls `body` with a field known to be of the kind; only a reference needs the shape.
  @inline(__always)
  func withStored(
    ofItsKind field: Int, _ kind: FieldKind, _ shape: @autoclosure () -> RowShape,
    _ body: (StoredValue) -> Void
  ) {
    guard field < fieldCount, has(field) else { return }
    switch kind {
    case .text, .texts: body(StoredValue(bytes: variable(field)))
    case .reference:
      let place = bytes.integer(UInt64.self, at: placeOffset(field, shape()))
      body(StoredValue(word: slot(field), place: place))
    default: body(StoredValue(word: slot(field)))
    }
  }

  /// Returns whether a row exists and has more than its id.
  package static func isPresent(_ row: RowView?) -> Bool {
    guard let row else { return false }
    return row.isPresent
  }

  /// Returns the visible fields whose values differ from `other`, a row of the same collection or
  /// none; if one of the rows is absent, all fields that the other has.
  package func changes(from other: RowView?, _ shape: RowShape) -> UInt64 {
    let visible = shape.visible
    let mine = isPresent ? presence : 0
    guard let other, other.isPresent else { return mine & visible }
    let theirs = other.presence
    var changed = (mine ^ theirs) & visible
    for field in FieldNumbers(mine & theirs & visible) where !hasSame(field, as: other, shape) {
      changed |= 1 << UInt64(field)
    }
    return changed
  }

  @inline(__always)
  private func hasSame(_ field: Int, as other: RowView, _ shape: RowShape) -> Bool {
    if shape.variables & 1 << UInt64(field) == 0 { return slot(field) == other.slot(field) }
    return variable(field).equals(other.variable(field))
  }

  /// Returns a hash of the external id and the visible values, independent of the row's number,
  /// links, and places of references.
  package func hash(_ shape: RowShape) -> UInt64 {
    var mixer = Mixer(seed: presence & ~shape.links)
    let (count, links) = (fieldCount, shape.links)
    for field in stride(from: 0, to: count - 1, by: 2) {
      mixer.add(slot(field, unlessIn: links), slot(field + 1, unlessIn: links))
    }
    if count & 1 == 1 { mixer.add(slot(count - 1, unlessIn: links)) }
    let start = RowFormat.Offset.slots + 8 * count
    mixer.add(bytes.extracting(start..<comparedCount(shape)))
    return mixer.value
  }

  /// Returns the slot of a field, or 0 if it is in the set.
  @inline(__always)
  private func slot(_ field: Int, unlessIn fields: UInt64) -> UInt64 {
    slot(field) & (fields >> UInt64(field) & 1 &- 1)
  }
}
