import LMDB

/// Rows of a layer that stand in the arenas of other layers, which both hold and nobody changes.
struct SharedRows: Sendable {
  private struct Entry {
    /// The arena's index, and the offset of the row in it.
    let arena: UInt32
    let start: UInt32
    var head: RowLayer.Head
  }

  private var arenas = ByteArrays()
  private var entries: [Entry] = []
  /// The size of the rows in bytes.
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

  /// The head of a row, which its arena doesn't have.
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
    byteCount += range.count
  }

  /// Appends a row's bytes to another arena.
  func append(_ index: Int, to arena: inout [UInt8]) { arena.append(copying: row(index).bytes) }

  /// Holds an arena, which is likely to be that of the row before; returns its index.
  private mutating func hold(_ arena: [UInt8]) -> UInt32 {
    let last = arenas.count - 1
    if last >= 0, arenas.bytes(at: last).isIdentical(to: arena.raw) { return UInt32(last) }
    arenas.append(arena)
    return UInt32(arenas.count - 1)
  }

  /// Removes rows until there are `count`.
  mutating func truncate(to count: Int) {
    byteCount -= entries[count...].reduce(0) { $0 + Int($1.head.count) }
    entries.removeLast(entries.count - count)
  }

  /// Removes all rows, and lets go of their arenas.
  mutating func removeAll() {
    arenas = ByteArrays()
    entries.removeAll(keepingCapacity: true)
    byteCount = 0
  }
}
