/// A page, or the page within a node that holds duplicates, read as what its bytes say.
///
/// Nothing it says is believed: a node is one only where all of it lies within the bytes.
struct PageView: ~Escapable {
  /// At least a header.
  let bytes: RawSpan

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan) {
    self.bytes = bytes
  }

  var number: UInt64 { bytes.integer(UInt64.self, at: 0) }

  /// The size of each key, on a page of such.
  var fixedSize: Int { Int(bytes.integer(UInt16.self, at: 8)) }

  var flags: PageFlags { PageFlags(rawValue: bytes.integer(UInt16.self, at: 10)) }

  /// How many pages a value takes, on the first of them.
  var runLength: UInt64 { UInt64(bytes.integer(UInt32.self, at: 12)) }

  /// Where the offsets of the nodes end.
  var lower: Int { Int(bytes.integer(UInt16.self, at: 12)) }

  /// Where the nodes begin.
  var upper: Int { Int(bytes.integer(UInt16.self, at: 14)) }

  /// How many nodes there are, where the bounds are plausible.
  var count: Int { (lower - PageFormat.headerSize) / 2 }

  /// Whether offsets and nodes lie within the page, apart from each other.
  var hasPlausibleBounds: Bool {
    lower >= PageFormat.headerSize && lower % 2 == 0 && lower <= upper && upper <= bytes.byteCount
  }

  /// Whether the page has room for as many keys of this size as it says it holds.
  func fits(keysOfSize size: Int) -> Bool {
    count * size <= bytes.byteCount - PageFormat.headerSize
  }

  /// The node of an index below `count`, or `nil` where it leaves the page.
  func node(_ index: Int) -> PageNode? {
    node(at: Int(bytes.integer(UInt16.self, at: PageFormat.headerSize + 2 * index)))
  }

  /// The node at an offset, or `nil` where it leaves the page.
  func node(at offset: Int) -> PageNode? {
    guard offset >= upper, offset % 2 == 0, offset + PageFormat.nodeHeaderSize <= bytes.byteCount
    else { return nil }
    let node = PageNode(
      offset: offset,
      word: bytes.integer(UInt32.self, at: offset),
      flags: NodeFlags(rawValue: bytes.integer(UInt16.self, at: offset + 4)),
      keySize: Int(bytes.integer(UInt16.self, at: offset + 6)),
      isBranch: flags.contains(.branch))
    return node.end <= bytes.byteCount ? node : nil
  }

  /// The key of a node of this page.
  @_lifetime(copy self)
  func key(of node: PageNode) -> RawSpan {
    bytes.extracting(node.keyOffset..<node.dataOffset)
  }

  /// What a node of this leaf page holds beside its key.
  @_lifetime(copy self)
  func data(of node: PageNode) -> RawSpan {
    bytes.extracting(node.dataOffset..<node.end)
  }

  /// The key of an index below `count`, where keys of this size and nothing else fit the page.
  @_lifetime(copy self)
  func key(_ index: Int, ofSize size: Int) -> RawSpan {
    let start = PageFormat.headerSize + index * size
    return bytes.extracting(start..<start + size)
  }
}

/// Where a node lies in its page, and what its header says.
struct PageNode {
  let offset: Int
  /// The size of the value, or the lower half of the child's number.
  let word: UInt32
  let flags: NodeFlags
  let keySize: Int
  let isBranch: Bool

  var keyOffset: Int { offset + PageFormat.nodeHeaderSize }
  var dataOffset: Int { keyOffset + keySize }
  var end: Int { dataOffset + dataSize }

  /// The page that a node of a branch page leads to.
  var child: UInt64 { UInt64(word) | UInt64(flags.rawValue) << 32 }

  /// The size of the value, wherever it is.
  var valueSize: Int { Int(word) }

  /// What of the value is in the page.
  var dataSize: Int {
    if isBranch { return 0 }
    return flags.contains(.overflow) ? 8 : valueSize
  }

  /// The end, and the byte that keeps the next node at an even offset.
  var paddedEnd: Int { (end + 1) & ~1 }
}
