import LMDB

/// The rows of a layer that stand in the arenas of other layers.
///
/// This holds each such arena whole, as long as it has a row there. An arena is a value: whoever
/// changes its own afterwards changes a copy.
struct SharedRows: Sendable {
  private struct Entry {
    /// The arena's index, and the offset of the row in it.
    let arena: UInt32
    let start: UInt32
    var head: RowLayer.Head
  }

  private var arenas = ByteArrays()
  private var entries: [Entry] = []
  /// The size of the arenas in bytes, with what they hold besides these rows.
  private(set) var byteCount = 0

  /// The number of rows, which are counted from 0.
  var count: Int { entries.count }

  /// Returns a row.
  @_lifetime(borrow self)
  @inline(__always)
  func row(_ index: Int) -> RowView {
    let entry = entries[index]
    let start = Int(entry.start)
    let bytes = arenas.bytes(at: Int(entry.arena))
    return RowView(bytes.extracting(start..<(start + Int(entry.head.count))))
  }

  /// The head of a row in this layer; the one before it in the arena is another layer's.
  @inline(__always)
  subscript(head index: Int) -> RowLayer.Head {
    get { entries[index].head }
    set { entries[index].head = newValue }
  }

  /// Adds the row in a range of an arena, untouched.
  mutating func add(_ range: Range<Int>, of arena: [UInt8]) {
    let count = UInt32(range.count)
    entries.append(
      Entry(
        arena: hold(arena), start: UInt32(range.lowerBound),
        head: RowLayer.Head(count: count, room: count, touch: 0, batch: 0)))
  }

  /// Prefetches a row's first bytes.
  func prefetch(_ index: Int, _ count: Int) {
    let entry = entries[index]
    arenas.bytes(at: Int(entry.arena)).prefetch(Int(entry.start), count)
  }

  /// Appends a row's bytes to another arena.
  func append(_ index: Int, to arena: inout [UInt8]) { arena.append(copying: row(index).bytes) }

  /// Holds an arena, which is likely to be that of the row before; returns its index.
  private mutating func hold(_ arena: [UInt8]) -> UInt32 {
    let last = arenas.count - 1
    if last >= 0, arenas.bytes(at: last).isIdentical(to: arena.raw) { return UInt32(last) }
    arenas.append(arena)
    byteCount += arena.count
    return UInt32(arenas.count - 1)
  }

  /// Removes the last rows until there are `count`, and lets go of the arenas without others.
  mutating func truncate(to count: Int) {
    entries.removeLast(entries.count - count)
    while arenas.count > usedCount { byteCount -= arenas.removeLast().count }
  }

  /// The number of arenas up to that of the last row; later rows never stand in earlier ones.
  private var usedCount: Int { entries.last.map { Int($0.arena) + 1 } ?? 0 }

  /// Removes all rows, and lets go of their arenas.
  mutating func removeAll() {
    arenas = ByteArrays()
    entries.removeAll(keepingCapacity: true)
    byteCount = 0
  }

  /// Checks that each arena is held once, for some row, and counted.
  func checkInvariants() {
    precondition(usedCount == arenas.count, "an arena is held for no row")
    var sum = 0
    for index in 0..<arenas.count {
      let bytes = arenas.bytes(at: index)
      sum += bytes.byteCount
      precondition(
        index == 0 || !bytes.isIdentical(to: arenas.bytes(at: index - 1)), "an arena is held twice")
    }
    precondition(sum == byteCount, "the arenas are not what was counted")
  }
}
