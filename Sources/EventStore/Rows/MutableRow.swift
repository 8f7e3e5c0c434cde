import LMDB

/// A row that is changed in place.
///
/// Setting a fixed value stores it in its slot; setting a text moves the bytes after it. The bytes
/// always match the row's values, except while a new row is filled.
public struct MutableRow: ~Copyable {
  /// The bytes that contain the row.
  package var arena: [UInt8]
  /// The buffers in which values are composed.
  package var spares = SpareBuffers()
  /// The offset at which the row begins.
  package private(set) var start: Int
  /// The row's size in bytes.
  package internal(set) var count: Int
  /// The size up to which the row can grow in place.
  package internal(set) var room: Int
  /// Whether texts stand in the order in which they were set, as the row is being filled.
  package internal(set) var isLoose = false
  /// The size in bytes that a refused change would have led to.
  package private(set) var refused: Int?
  package let shape: RowShape

  /// The number of bytes before a row that move with it.
  package static let headCount = 16

  /// Creates a row in an arena, which the row owns as long as it lives.
  package init(_ arena: consuming [UInt8], start: Int, count: Int, room: Int, _ shape: RowShape) {
    self.arena = arena
    self.start = start
    self.count = count
    self.room = room
    self.shape = shape
  }

  /// The row's current bytes; of a loose row, only the id, fixed values and texts can be read.
  @inline(__always)
  package var view: RowView {
    @_lifetime(borrow self) get { RowView(arena.raw.extracting(start..<(start + count))) }
  }

  /// The value of a field, or `nil` if it has none; changes take effect at once.
  ///
  /// If a text would make the row larger than ``RowFormat/byteCountMax``, nothing changes, and the
  /// function that lent the row throws ``RowError/tooLarge(bytes:limit:)``.
  ///
  /// - Precondition: A field being set is one of the row's collection.
  @inlinable
  public subscript<Value: FieldValue>(field: Field<Value>) -> Value? {
    get {
      var value: Value?
      withStored(field.index, Value.fieldKind) { value = Value(stored: $0) }
      return value
    }
    set {
      guard let newValue else { return clear(field.index, Value.fieldKind) }
      newValue.withStored { set(field.index, Value.fieldKind, $0) }
    }
  }

  /// The external id.
  public var id: String { view.id.text ?? "" }

  @usableFromInline
  func withStored(_ field: Int, _ kind: FieldKind, _ body: (StoredValue) -> Void) {
    guard isLoose, kind == .reference else { return view.withStored(field, kind, shape, body) }
    guard shape.has(field, of: kind), view.has(field) else { return }
    let place = arena.raw.integer(UInt64.self, at: start + loosePlaceOffset(field))
    body(StoredValue(word: view.slot(field), place: place))
  }

  /// Sets a field, counted from 0.
  @usableFromInline
  package mutating func set(_ field: Int, _ kind: FieldKind, _ value: StoredValue) {
    require(field, kind)
    switch kind {
    case .text, .texts: setBytes(field, value.bytes)
    case .reference: setReference(field, value.word, value.place)
    default: setWord(field, value.word)
    }
  }

  /// Removes the value of a field, counted from 0.
  @usableFromInline
  package mutating func clear(_ field: Int, _ kind: FieldKind) {
    require(field, kind)
    guard view.has(field) else { return }
    switch kind {
    case _ where isLoose: break
    case .text, .texts: setBytes(field, RawSpan())
    case .reference: replace(placeRange(field), with: RawSpan())
    default: break
    }
    setPresence(view.presence & ~(1 << UInt64(field)))
    setSlot(field, 0)
  }

  @inline(__always)
  func require(_ field: Int, _ kind: FieldKind) {
    precondition(shape.has(field, of: kind), "field \(field + 1) is not one of the collection")
  }

  @inline(__always)
  mutating func setWord(_ field: Int, _ word: UInt64) {
    let (presence, slot) = (start + RowFormat.Offset.presence, start + RowFormat.Offset.slots)
    arena.withMutableBytes { bytes in
      let before = bytes.bytes.integer(UInt64.self, at: presence)
      bytes.store(integer: before | 1 << UInt64(field), at: presence)
      bytes.store(integer: word, at: slot + 8 * field)
    }
  }

  private mutating func setReference(_ field: Int, _ digest: UInt64, _ place: UInt64) {
    guard !isLoose else {
      arena.store(integer: place, at: start + loosePlaceOffset(field))
      return setWord(field, digest)
    }
    let isDone = place.withBytes { replace(placeRange(field), with: $0) }
    if isDone { setWord(field, digest) }
  }

  private mutating func setBytes(_ field: Int, _ bytes: RawSpan) {
    if append(bytes, as: field) { return }
    settle()
    let range = view.has(field) ? view.variableRange(field) : absentRange(field)
    guard replace(range, with: bytes) else { return }
    setWord(field, UInt64(range.lowerBound) | UInt64(bytes.byteCount) << 32)
    let change = UInt64(bitPattern: Int64(bytes.byteCount - range.count))
    if change != 0 { moveTexts(in: (UInt64.max - 1) << UInt64(field), by: change) }
  }

  /// Adjusts the slots of the texts in a set of fields, whose bytes have moved.
  private mutating func moveTexts(in fields: UInt64, by change: UInt64) {
    for field in FieldNumbers(shape.variables & view.presence & fields) {
      setSlot(field, view.slot(field) &+ change)
    }
  }

  /// Returns where to put the bytes of a field of texts that has no value yet.
  private func absentRange(_ field: Int) -> Range<Int> {
    let earlier = shape.variables & view.presence & ((1 << UInt64(field)) - 1)
    let start =
      earlier == 0
      ? view.idRange.upperBound : view.variableRange(63 - earlier.leadingZeroBitCount).upperBound
    return start..<start
  }

  /// Returns the range of a reference's place; empty if it has none yet.
  private func placeRange(_ field: Int) -> Range<Int> {
    let start = view.placeOffset(field, shape)
    return start..<(view.has(field) ? start + 8 : start)
  }
}

extension MutableRow {
  /// Replaces the external id.
  package mutating func rename(to id: RawSpan) throws(RowError) {
    guard 1...RowFormat.idBytesMax ~= id.byteCount else {
      throw .idLength(bytes: id.byteCount, limit: RowFormat.idBytesMax)
    }
    settle()
    let range = view.idRange
    let change = id.byteCount - range.count
    guard replace(range, with: id) else { return }
    arena.store(integer: UInt16(id.byteCount), at: start + RowFormat.Offset.idCount)
    moveTexts(in: .max, by: UInt64(bitPattern: Int64(change)))
  }

  @inline(__always)
  mutating func setPresence(_ presence: UInt64) {
    arena.store(integer: presence, at: start + RowFormat.Offset.presence)
  }

  @inline(__always)
  mutating func setSlot(_ field: Int, _ slot: UInt64) {
    arena.store(integer: slot, at: start + RowFormat.Offset.slots + 8 * field)
  }

  /// Replaces bytes of the row and moves those after them; returns whether the result fits.
  @discardableResult
  mutating func replace(_ range: Range<Int>, with bytes: RawSpan) -> Bool {
    let changed = count + bytes.byteCount - range.count
    guard changed <= RowFormat.byteCountMax else {
      refused = changed
      return false
    }
    if changed > room { makeRoom(for: changed) }
    if bytes.byteCount != range.count {
      let tail = (start + range.upperBound)..<(start + count)
      arena.copy(tail, to: start + range.lowerBound + bytes.byteCount)
    }
    arena.store(copying: bytes, at: start + range.lowerBound)
    count = changed
    return true
  }

  /// Moves the row to the end of the arena unless it is there, and extends the arena.
  private mutating func makeRoom(for changed: Int) {
    if start + room != arena.count {
      // Rows begin at whole words, since the layer counts places in words.
      arena.extend(by: -arena.count & 7)
      let end = arena.count
      arena.appendCopy(of: (start - Self.headCount)..<(start + count))
      start = end + Self.headCount
      room = count
    }
    // A row that grows is likely to grow again.
    let wanted = max(changed, room + room / 4)
    arena.extend(by: wanted - room)
    room = wanted
  }
}
