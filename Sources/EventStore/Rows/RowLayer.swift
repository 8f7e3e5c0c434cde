import LMDB

/// Rows that were changed within a frame, in memory: an arena of bytes, and where each row lies.
///
/// A row's place is where its head begins, in words of eight bytes; its bytes follow the head.
package struct RowLayer: Sendable {
  /// The heads and rows.
  var arena: [UInt8] = []
  /// The rows that there were before.
  package private(set) var old = RowPlaces()
  /// The rows that were created here, whose numbers are dense.
  package private(set) var new: [UInt32] = []
  /// The number of the first row that was created here.
  private(set) var firstNew: UInt32

  /// The most bytes of an emptied layer that are kept for the next.
  static let keptBytesMax = 64 << 20

  /// An empty layer above rows up to a number.
  package init(after lastID: UInt32) { firstNew = lastID + 1 }

  /// What stands before a row's bytes.
  package struct Head {
    /// How many bytes the row has.
    package var count: UInt32
    /// How many it may have at its place.
    package var room: UInt32
    /// The last note of it in ``batch``.
    var touch: UInt32
    /// The last batch that touched it, or 0.
    package var batch: UInt32
  }

  /// How many rows it holds.
  package var count: Int { old.count + new.count }

  /// The place of a row, if it is here.
  @inline(__always)
  package func place(of id: UInt32) -> UInt32? {
    if id < firstNew { return old.place(of: id) }
    let index = Int(id - firstNew)
    return index < new.count ? new[index] : nil
  }

  /// The row at a place.
  @_lifetime(borrow self)
  @inline(__always)
  package func row(at place: UInt32) -> RowView {
    let start = Self.start(place)
    let count = Int(arena.raw.integer(UInt32.self, at: start - MutableRow.headCount))
    return RowView(arena.raw.extracting(start..<(start + count)))
  }

  /// The head at a place.
  @inline(__always)
  package func head(at place: UInt32) -> Head {
    let (bytes, start) = (arena.raw, Int(place) * 8)
    return Head(
      count: bytes.integer(UInt32.self, at: start), room: bytes.integer(UInt32.self, at: start + 4),
      touch: bytes.integer(UInt32.self, at: start + 8),
      batch: bytes.integer(UInt32.self, at: start + 12))
  }

  /// Replaces the head at a place.
  @inline(__always)
  mutating func setHead(_ head: Head, at place: UInt32) {
    let start = Int(place) * 8
    arena.store(integer: UInt64(head.count) | UInt64(head.room) << 32, at: start)
    arena.store(integer: UInt64(head.touch) | UInt64(head.batch) << 32, at: start + 8)
  }

  /// Where the bytes of the row at a place begin.
  @inline(__always)
  package static func start(_ place: UInt32) -> Int { Int(place) * 8 + MutableRow.headCount }

  /// Begins a row at the end of the arena, and returns its place.
  mutating func beginRow() -> UInt32 {
    arena.extend(by: -arena.count & 7 + MutableRow.headCount)
    return UInt32((arena.count - MutableRow.headCount) / 8)
  }

  /// Notes how many bytes the row has that ends the arena, and that nothing touched it.
  mutating func endRow(at place: UInt32) {
    let count = UInt32(arena.count - Self.start(place))
    setHead(Head(count: count, room: count, touch: 0, batch: 0), at: place)
  }

  /// Notes where a row lies.
  mutating func setPlace(_ place: UInt32, of id: UInt32) {
    if id < firstNew { return old.set(id, place) }
    let index = Int(id - firstNew)
    if index == new.count { new.append(place) } else { new[index] = place }
  }

  /// Calls `body` with all rows and places, in ascending order of the rows' numbers.
  package func forEach<E: Error>(
    _ body: (_ id: UInt32, _ place: UInt32) throws(E) -> Void
  ) throws(E) {
    try forEachOld(body)
    for (index, place) in new.enumerated() { try body(firstNew + UInt32(index), place) }
  }

  /// Calls `body` with all rows that were not created here, and their places, in ascending order
  /// of the rows' numbers.
  func forEachOld<E: Error>(
    _ body: (_ id: UInt32, _ place: UInt32) throws(E) -> Void
  ) throws(E) { try old.forEach(body) }

  /// Forgets a row; of those created here, the last.
  package mutating func forget(_ id: UInt32) {
    if id < firstNew { return old.remove(id) }
    precondition(Int(id - firstNew) == new.count - 1, "not the last row that was created")
    new.removeLast()
  }

  /// Gives back what the arena holds beyond so many bytes.
  package mutating func truncate(to count: Int) { arena.removeLast(arena.count - count) }

  /// Forgets all rows, but keeps the memory up to a limit.
  package mutating func empty() {
    guard arena.capacity <= Self.keptBytesMax else { return self = RowLayer(after: 0) }
    arena.removeAll(keepingCapacity: true)
    old.removeAll()
    new.removeAll(keepingCapacity: true)
    firstNew = 1
  }

  /// Is for rows up to a number from now on, and those that are created behind it.
  package mutating func restart(after lastID: UInt32) {
    precondition(count == 0, "the layer holds rows")
    firstNew = lastID + 1
  }
}
