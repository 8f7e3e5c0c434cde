import LMDB

/// A borrowed view of a node that reads it in place.
struct NodeView: ~Escapable {
  let bytes: RawSpan
  let layout: NodeLayout
  let capacity: Int
  /// The number of entries or children.
  let count: Int

  @_lifetime(copy bytes)
  @inline(__always)
  init(_ bytes: RawSpan, level: Int, _ layout: NodeLayout) {
    self.bytes = bytes
    self.layout = layout
    capacity = layout.capacity(level)
    count = Int(bytes.integer(UInt32.self, at: 8))
  }

  @inline(__always)
  func row(_ index: Int) -> RowID {
    RowID(rawValue: bytes.integer(UInt32.self, at: layout.rows(capacity) + 4 * index))
  }

  @inline(__always)
  func words(_ index: Int) -> SortWords {
    var words = SortWords(bytes.integer(UInt64.self, at: layout.word(0, of: index, capacity)))
    for word in 1..<max(layout.width, 1) {
      words[word] = bytes.integer(UInt64.self, at: layout.word(word, of: index, capacity))
    }
    return words
  }

  @inline(__always)
  func entry(_ index: Int) -> IndexEntry { IndexEntry(words(index), row(index)) }

  /// Returns a child of an inner node.
  @inline(__always)
  func child(_ index: Int) -> UInt32 { bytes.integer(UInt32.self, at: layout.child(index)) }

  /// Returns the number of entries below a child.
  @inline(__always)
  func below(_ index: Int) -> Int {
    Int(bytes.integer(UInt32.self, at: layout.below(index)))
  }

  /// Returns the number of entries below the children before an index.
  @inline(__always)
  func below(before index: Int) -> Int {
    Int(bytes.sum(ofIntegersAt: layout.below(0), count: index))
  }

  /// Returns an inner node's description of a child.
  @inline(__always)
  func branch(_ index: Int) -> Branch {
    Branch(entry: entry(index), node: child(index), count: UInt32(below(index)))
  }

  /// Returns the child that contains the entry at a rank, and the entry's rank below that child.
  func child(withRank rank: Int) -> (index: Int, rank: Int) {
    var (index, rest) = (0, rank)
    while index + 16 < count {
      let block = Int(bytes.sum(ofIntegersAt: layout.below(index), count: 16))
      if rest < block { break }
      (index, rest) = (index + 16, rest - block)
    }
    while index + 1 < count, rest >= below(index) {
      rest -= below(index)
      index += 1
    }
    return (index, rest)
  }
}

/// A node's description of a child.
struct Branch {
  /// The first entry below the child.
  var entry: IndexEntry
  var node: UInt32
  /// The number of entries below the child.
  var count: UInt32
  /// Whether the child is so small that it must be joined with a neighbour.
  var isThin = false
}
