import LMDB

/// A row as it was at a position: a self-contained value.
///
///     let date = row[Item.date]
///
/// A row is a single array: cheap to copy, compare, and send. Two rows are equal if their ids and
/// visible values are; the place of a reference's content doesn't matter.
public struct Row: Hashable, Sendable, Identifiable {
  /// The row's bytes, without links, followed by the kind of each field as one byte, or 0 for an
  /// unused field number.
  package let storage: [UInt8]

  init(unchecked storage: [UInt8]) { self.storage = storage }

  /// Copies the visible values of a row.
  package init(_ row: RowView, _ shape: RowShape) {
    precondition(row.isPresent, "the row is absent")
    var storage: [UInt8] = []
    storage.reserveCapacity(row.bytes.byteCount + shape.fieldCount)
    storage.append(copying: row.bytes)
    storage.store(integer: row.presence & ~shape.links, at: RowFormat.Offset.presence)
    for field in FieldNumbers(shape.links) {
      storage.store(integer: 0 as UInt64, at: RowFormat.Offset.slots + 8 * field)
    }
    shape.appendKinds(to: &storage)
    self.storage = storage
  }

  /// Creates a row with the given values.
  ///
  /// - Throws: ``RowError`` if the id or the whole row is too long.
  public init(
    _ id: String, in collection: RowCollection, _ body: (inout MutableRow) -> Void = { _ in }
  ) throws(RowError) {
    var row = try MutableRow(id, collection.shape)
    body(&row)
    if let refused = row.refused {
      throw .tooLarge(bytes: refused, limit: RowFormat.byteCountMax)
    }
    self.init(row.view, collection.shape)
  }

  /// The external id.
  public var id: String { view.id.text ?? "" }

  /// The value of a field, or `nil` if the row has none or one of another kind.
  ///
  /// - Complexity: O(1), apart from creating a text.
  @inlinable
  public subscript<Value: FieldValue>(field: Field<Value>) -> Value? {
    var value: Value?
    withStored(field.index, Value.fieldKind) { value = Value(stored: $0) }
    return value
  }

  @usableFromInline
  func withStored(_ field: Int, _ kind: FieldKind, _ body: (StoredValue) -> Void) {
    guard self.kind(of: field) == kind else { return }
    view.withStored(ofItsKind: field, kind, shape, body)
  }

  /// Returns a digest of the value of the field with a number, or 0 if the row has none.
  public func digest(of number: Int) -> UInt64 {
    guard let kind = kind(of: number - 1) else { return 0 }
    return view.digest(of: number - 1, kind)
  }

  /// The fields that have values, as bits: bit n for the field numbered n + 1.
  public var presence: UInt64 { view.presence }

  /// A view of the row's bytes.
  package var view: RowView {
    @_lifetime(borrow self) get { RowView(storage.raw.extracting(first: storage.count - slots)) }
  }

  /// The kinds of the row's fields.
  package var shape: RowShape { RowShape(kinds: kinds) ?? RowShape([]) }

  private var slots: Int { Int(storage[RowFormat.Offset.fieldCount]) }

  private var kinds: RawSpan {
    @_lifetime(borrow self) get { storage.raw.extracting(last: slots) }
  }

  /// Returns the kind of a field, counted from 0, or `nil` if no field has the number.
  func kind(of field: Int) -> FieldKind? {
    guard 0..<slots ~= field else { return nil }
    return FieldKind(rawValue: storage[storage.count - slots + field])
  }

  /// The bytes to compare: all except the places of references.
  private var compared: RawSpan {
    @_lifetime(borrow self) get { compared(shape) }
  }

  @_lifetime(borrow self)
  private func compared(_ shape: RowShape) -> RawSpan {
    storage.raw.extracting(first: view.comparedCount(shape))
  }

  /// Returns whether the ids and visible values are equal.
  public static func == (a: Row, b: Row) -> Bool {
    if a.storage == b.storage { return true }
    guard a.kinds.equals(b.kinds) else { return false }
    let shape = a.shape
    return a.compared(shape).equals(b.compared(shape))
  }

  /// Hashes the id and the visible values.
  public func hash(into hasher: inout Hasher) { hasher.combine(Mixer.hash(compared)) }
}

extension MutableRow {
  /// Creates a new row alone in its arena.
  package init(_ id: String, _ shape: RowShape) throws(RowError) {
    let count = id.utf8.count
    guard 1...RowFormat.idBytesMax ~= count else {
      throw .idLength(bytes: count, limit: RowFormat.idBytesMax)
    }
    var arena: [UInt8] = []
    id.withBytes { RowFormat.append($0, shape.fieldCount, to: &arena) }
    let bytes = arena.count
    self.init(arena, start: 0, count: bytes, room: bytes, shape)
  }
}

extension RowFormat {
  /// Appends a row that has only an id.
  package static func append(
    _ id: RawSpan, _ fieldCount: Int, flags: UInt8 = 0, to bytes: inout [UInt8]
  ) {
    let start = bytes.count
    bytes.extend(by: Offset.slots + 8 * fieldCount)
    bytes.store(integer: UInt16(id.byteCount), at: start + Offset.idCount)
    bytes[start + Offset.fieldCount] = UInt8(fieldCount)
    bytes[start + Offset.flags] = flags
    bytes.append(copying: id)
  }
}
