import LMDB

/// A node, borrowed and read in place.
struct NodeView: ~Escapable {
  let bytes: RawSpan
  let layout: NodeLayout
  let capacity: Int
  /// How many entries or children it holds.
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

  /// A child of a node above the leaves.
  @inline(__always)
  func child(_ index: Int) -> UInt32 { bytes.integer(UInt32.self, at: layout.child(index)) }

  /// How many entries are below a child.
  @inline(__always)
  func below(_ index: Int) -> Int {
    Int(bytes.integer(UInt32.self, at: layout.below(index)))
  }

  /// How many entries are below the children before an index.
  @inline(__always)
  func below(before index: Int) -> Int {
    Int(bytes.sum(ofIntegersAt: layout.below(0), count: index))
  }

  /// What a node above the leaves says of a child.
  @inline(__always)
  func branch(_ index: Int) -> Branch {
    Branch(entry: entry(index), node: child(index), count: UInt32(below(index)))
  }

  /// The child with the entry of a rank, and the entry's rank below it.
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

/// What a node knows of one below it.
struct Branch {
  /// The first entry below.
  var entry: IndexEntry
  var node: UInt32
  /// How many entries are below.
  var count: UInt32
  /// Whether it has become so small that it must be joined with a neighbour.
  var isThin = false
}
