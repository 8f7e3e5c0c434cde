import LMDB

/// The rows changed within a frame, in memory: an arena of bytes and the place of each row.
///
/// A row's place is the offset of its head in words of eight bytes; the row's bytes follow the
/// head. A row that another layer made stays in that layer's arena until it is changed; its place
/// is its index among such rows, marked by the highest bit.
package struct RowLayer: Sendable {
  /// The heads and rows.
  var arena: [UInt8] = []
  /// The rows that stand in other layers' arenas.
  var shared = SharedRows()
  /// The buffers in which values of rows are composed.
  var spares = SpareBuffers()
  /// The places of rows that existed before.
  package private(set) var old = RowPlaces()
  /// The places of rows created here, whose numbers are dense.
  package private(set) var new: [UInt32] = []
  /// The number of the first row created here.
  private(set) var firstNew: UInt32

  /// The bytes of rows from which on memory for a whole frame is reserved, and how much: what a
  /// frame holds, and what may be added to it before it ends.
  private static let (manyBytes, roomForFrame) = (1 << 16, 56 << 20)
  /// The most bytes of an emptied layer to keep for the next one.
  static let keptBytesMax = 64 << 20

  /// Creates an empty layer above rows up to a number.
  package init(after lastID: UInt32) { firstNew = lastID + 1 }

  /// The head that precedes a row's bytes.
  package struct Head {
    /// The row's size in bytes.
    package var count: UInt32
    /// The size up to which the row can grow in place.
    package var room: UInt32
    /// The row's last touch in ``batch``.
    var touch: UInt32
    /// The last batch that touched the row, or 0.
    package var batch: UInt32
  }

  /// The end of a layer, behind which everything can be dropped.
  package struct End: Sendable {
    var arenaCount = 0
    var sharedCount = 0
  }

  /// The number of rows in the layer.
  package var count: Int { old.count + new.count }

  /// The size in bytes of the memory that the rows take.
  var byteCount: Int { arena.count + shared.byteCount }

  /// The end of the layer.
  package var end: End { End(arenaCount: arena.count, sharedCount: shared.count) }

  /// The bit that marks the place of a row in another layer's arena.
  private static let sharedBit: UInt32 = 1 << 31

  /// Returns the index among ``shared`` of the row at a place; `nil` if it stands in the arena.
  @inline(__always)
  func sharedIndex(_ place: UInt32) -> Int? {
    place & Self.sharedBit == 0 ? nil : Int(place & ~Self.sharedBit)
  }

  /// Returns the place of a row, if it is here.
  @inline(__always)
  package func place(of id: UInt32) -> UInt32? {
    if id < firstNew { return old.place(of: id) }
    let index = Int(id - firstNew)
    return index < new.count ? new[index] : nil
  }

  /// Returns the row at a place.
  @_lifetime(borrow self)
  @inline(__always)
  package func row(at place: UInt32) -> RowView {
    if let index = sharedIndex(place) { return shared.row(index) }
    let start = Self.start(place)
    let count = Int(arena.raw.integer(UInt32.self, at: start - MutableRow.headCount))
    return RowView(arena.raw.extracting(start..<(start + count)))
  }

  /// Returns the head at a place.
  @inline(__always)
  package func head(at place: UInt32) -> Head {
    if let index = sharedIndex(place) { return shared[head: index] }
    let (bytes, start) = (arena.raw, Int(place) * 8)
    return Head(
      count: bytes.integer(UInt32.self, at: start), room: bytes.integer(UInt32.self, at: start + 4),
      touch: bytes.integer(UInt32.self, at: start + 8),
      batch: bytes.integer(UInt32.self, at: start + 12))
  }

  /// Replaces the head at a place.
  @inline(__always)
  mutating func setHead(_ head: Head, at place: UInt32) {
    if let index = sharedIndex(place) { return shared[head: index] = head }
    let start = Int(place) * 8
    arena.store(integer: UInt64(head.count) | UInt64(head.room) << 32, at: start)
    arena.store(integer: UInt64(head.touch) | UInt64(head.batch) << 32, at: start + 8)
  }

  /// Returns the offset of the bytes of the row at a place in the arena.
  @inline(__always)
  package static func start(_ place: UInt32) -> Int { Int(place) * 8 + MutableRow.headCount }

  /// Reserves memory for a whole frame once there are many rows: address space costs nothing, while
  /// growing in steps copies all rows several times, with readers waiting.
  mutating func makeRoomForMany() {
    guard arena.count >= Self.manyBytes, arena.capacity < Self.roomForFrame else { return }
    arena.reserveCapacity(Self.roomForFrame)
  }

  /// Begins a row at the end of the arena and returns its place.
  package mutating func beginRow() -> UInt32 {
    arena.extend(by: -arena.count & 7 + MutableRow.headCount)
    return UInt32((arena.count - MutableRow.headCount) / 8)
  }

  /// Sets the size of the row at the end of the arena and marks it untouched.
  package mutating func endRow(at place: UInt32) {
    let count = UInt32(arena.count - Self.start(place))
    setHead(Head(count: count, room: count, touch: 0, batch: 0), at: place)
  }

  /// Adds the row at a place in the arena of another layer, which stays there; returns its place
  /// here.
  mutating func share(_ place: UInt32, of layer: RowLayer) -> UInt32 {
    precondition(layer.sharedIndex(place) == nil, "the row is not in the layer's own arena")
    let start = Self.start(place)
    shared.add(start..<(start + Int(layer.head(at: place).count)), of: layer.arena)
    return UInt32(shared.count - 1) | Self.sharedBit
  }

  /// Moves a row to the arena, where it can be changed, unless it is there; returns its place from
  /// now on.
  mutating func moveToArena(_ id: UInt32, at place: UInt32) -> UInt32 {
    guard let index = sharedIndex(place) else { return place }
    let (moved, head) = (beginRow(), shared[head: index])
    shared.append(index, to: &arena)
    endRow(at: moved)
    setTouch((head.touch, head.batch), at: moved)
    setPlace(moved, of: id)
    return moved
  }

  /// Sets the place of a row.
  mutating func setPlace(_ place: UInt32, of id: UInt32) {
    if id < firstNew { return old.set(id, place) }
    let index = Int(id - firstNew)
    if index == new.count { new.append(place) } else { new[index] = place }
  }

  /// Calls `body` with all rows and their places, in ascending order of the rows' numbers.
  package func forEach<E: Error>(
    _ body: (_ id: UInt32, _ place: UInt32) throws(E) -> Void
  ) throws(E) {
    try forEachOld(body)
    for (index, place) in new.enumerated() { try body(firstNew + UInt32(index), place) }
  }

  /// Calls `body` with all rows not created here and their places, in ascending order of the rows'
  /// numbers.
  func forEachOld<E: Error>(
    _ body: (_ id: UInt32, _ place: UInt32) throws(E) -> Void
  ) throws(E) { try old.forEach(body) }

  /// Removes a row; of those created here, only the last.
  package mutating func forget(_ id: UInt32) {
    if id < firstNew { return old.remove(id) }
    precondition(Int(id - firstNew) == new.count - 1, "not the last row that was created")
    new.removeLast()
  }

  /// Truncates the arena to a number of bytes.
  package mutating func truncate(to count: Int) { arena.removeLast(arena.count - count) }

  /// Drops everything behind an earlier end.
  mutating func truncate(to end: End) {
    truncate(to: end.arenaCount)
    shared.truncate(to: end.sharedCount)
  }

  /// Removes all rows but keeps the memory up to a limit.
  package mutating func empty() {
    guard arena.capacity <= Self.keptBytesMax else { return self = RowLayer(after: 0) }
    arena.removeAll(keepingCapacity: true)
    shared.removeAll()
    old.removeAll()
    new.removeAll(keepingCapacity: true)
    firstNew = 1
  }

  /// Restarts the empty layer above rows up to a number.
  package mutating func restart(after lastID: UInt32) {
    precondition(count == 0, "the layer holds rows")
    firstNew = lastID + 1
  }
}
