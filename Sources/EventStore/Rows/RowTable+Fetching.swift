import LMDB

extension RowTable {
  /// Has rows fetched from memory that are about to be asked for, as far as their ids, and what
  /// says where they lie: in passes, each of which has fetched what the next one reads.
  ///
  /// Rows that are in neither layer are left to LMDB.
  ///
  /// - Complexity: O(rows), without waiting for memory.
  package func fetch(_ rows: [UInt32]) {
    for row in rows { dirty.fetchDirectory(of: row) }
    for row in rows { dirty.fetchPlace(of: row) }
    let count = MutableRow.headCount + RowFormat.Offset.slots + 8 * shape.fieldCount + 32
    for row in rows { dirty.fetchRow(row, count) }
    guard frozen.count > 0 else { return }
    for row in rows { frozen.fetchDirectory(of: row) }
    for row in rows { frozen.fetchPlace(of: row) }
    for row in rows { frozen.fetchRow(row, count) }
  }
}

extension RowLayer {
  /// Has fetched what says where a row lies, or where that is said.
  @inline(__always)
  fileprivate func fetchDirectory(of id: UInt32) {
    if id < firstNew { old.fetchDirectory(of: id) } else { new.prefetch(Int(id - firstNew)) }
  }

  @inline(__always)
  fileprivate func fetchPlace(of id: UInt32) { if id < firstNew { old.fetchPlace(of: id) } }

  /// Has the head and the first bytes of a row fetched, where it is here.
  @inline(__always)
  fileprivate func fetchRow(_ id: UInt32, _ count: Int) {
    if let place = place(of: id) { arena.raw.prefetch(8 * Int(place), count) }
  }
}
