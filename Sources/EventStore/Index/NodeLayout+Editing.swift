import LMDB

/// Editing a node's bytes in place.
extension NodeLayout {
  @inline(__always)
  func set(count: Int, _ bytes: inout MutableRawSpan) {
    bytes.store(integer: UInt32(count), at: 8)
  }

  /// Inserts an entry into a leaf of `count` entries.
  @inline(__always)
  func insert(_ entry: IndexEntry, at index: Int, of count: Int, _ bytes: inout MutableRawSpan) {
    for word in 0..<width {
      let start = self.word(word, of: index, leafCapacity)
      bytes.move(from: start, to: start + 8, count: 8 * (count - index))
      bytes.store(integer: entry.words[word], at: start)
    }
    let start = rows(leafCapacity) + 4 * index
    bytes.move(from: start, to: start + 4, count: 4 * (count - index))
    bytes.store(integer: entry.row.rawValue, at: start)
    set(count: count + 1, &bytes)
  }

  /// Removes an entry from a leaf of `count` entries.
  @inline(__always)
  func remove(at index: Int, of count: Int, _ bytes: inout MutableRawSpan) {
    let rest = count - index - 1
    for word in 0..<width {
      let start = self.word(word, of: index, leafCapacity)
      bytes.move(from: start + 8, to: start, count: 8 * rest)
    }
    let start = rows(leafCapacity) + 4 * index
    bytes.move(from: start + 4, to: start, count: 4 * rest)
    set(count: count - 1, &bytes)
  }

  /// Writes an entry of a node with a capacity.
  @inline(__always)
  func put(_ entry: IndexEntry, at index: Int, _ capacity: Int, _ bytes: inout MutableRawSpan) {
    for word in 0..<width {
      bytes.store(integer: entry.words[word], at: self.word(word, of: index, capacity))
    }
    bytes.store(integer: entry.row.rawValue, at: rows(capacity) + 4 * index)
  }

  /// Writes an inner node's description of a child.
  @inline(__always)
  func put(_ branch: Branch, at index: Int, _ bytes: inout MutableRawSpan) {
    put(branch.entry, at: index, branchCapacity, &bytes)
    bytes.store(integer: branch.node, at: child(index))
    bytes.store(integer: branch.count, at: below(index))
  }
}
