import LMDB

extension RowTable {
  /// Prefetches rows about to be read, up to their ids, and their places, in passes that each fetch
  /// what the next pass reads.
  ///
  /// Rows in neither layer are left to LMDB.
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
  /// Prefetches a row's place or the directory entry that leads to it.
  @inline(__always)
  fileprivate func fetchDirectory(of id: UInt32) {
    if id < firstNew { old.fetchDirectory(of: id) } else { new.prefetch(Int(id - firstNew)) }
  }

  @inline(__always)
  fileprivate func fetchPlace(of id: UInt32) { if id < firstNew { old.fetchPlace(of: id) } }

  /// Prefetches the head and the first bytes of a row if it is here.
  @inline(__always)
  fileprivate func fetchRow(_ id: UInt32, _ count: Int) {
    guard let place = place(of: id) else { return }
    if let index = sharedIndex(place) { return shared.prefetch(index, count) }
    arena.raw.prefetch(8 * Int(place), count)
  }
}
