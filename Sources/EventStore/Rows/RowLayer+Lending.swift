import LMDB

extension RowLayer {
  /// Lends the row at a place in the arena, along with the arena and the buffers.
  mutating func lendRow(at place: UInt32, _ shape: RowShape) -> MutableRow {
    let head = head(at: place)
    var lent: [UInt8] = []
    swap(&lent, &arena)
    var row = MutableRow(
      lent, start: Self.start(place), count: Int(head.count), room: Int(head.room), shape)
    swap(&row.spares, &spares)
    return row
  }

  /// Takes back a row, which may have moved, and what was lent with it.
  mutating func takeBack(_ row: consuming MutableRow, _ id: UInt32, from place: UInt32) {
    let (start, count, room) = (row.start, UInt32(row.count), UInt32(row.room))
    swap(&arena, &row.arena)
    swap(&spares, &row.spares)
    let moved = UInt32((start - MutableRow.headCount) / 8)
    arena.store(integer: UInt64(count) | UInt64(room) << 32, at: Int(moved) * 8)
    if moved != place { setPlace(moved, of: id) }
  }

  /// Replaces the row at a place in the arena; returns whether it fit.
  mutating func overwrite(_ place: UInt32, _ bytes: RawSpan) -> Bool {
    var head = head(at: place)
    guard bytes.byteCount <= Int(head.room) else { return false }
    arena.store(copying: bytes, at: Self.start(place))
    head.count = UInt32(bytes.byteCount)
    setHead(head, at: place)
    return true
  }

  /// Stores the last touch of the row at a place.
  mutating func setTouch(_ touch: (touch: UInt32, batch: UInt32), at place: UInt32) {
    if let index = sharedIndex(place) {
      (shared[head: index].touch, shared[head: index].batch) = touch
      return
    }
    arena.store(integer: UInt64(touch.touch) | UInt64(touch.batch) << 32, at: Int(place) * 8 + 8)
  }

  /// Appends a row from elsewhere.
  package mutating func appendRow(_ row: RowView) { arena.append(copying: row.bytes) }

  /// Appends a row from another layer.
  mutating func appendRow(at place: UInt32, of layer: RowLayer) {
    appendRow(layer.row(at: place))
  }

  /// Restores the row of a touch to its earlier state.
  mutating func restore(_ touch: Int, of notes: RowNotes) {
    let id = notes.touches[touch].id
    guard let (place, head) = notes.touches[touch].place, let before = notes.image(touch) else {
      return forget(id)
    }
    if sharedIndex(place) == nil { arena.store(copying: before.bytes, at: Self.start(place)) }
    setHead(head, at: place)
    setPlace(place, of: id)
  }
}
