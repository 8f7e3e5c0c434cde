/// A decoded page, or page within a node that holds duplicates.
///
/// Its contents aren't trusted: a node counts only if it lies entirely within the bytes.
struct PageView: ~Escapable {
  /// The bytes, which include at least a header.
  let bytes: RawSpan

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan) {
    self.bytes = bytes
  }

  var number: UInt64 { bytes.integer(UInt64.self, at: 0) }

  /// The size of each key, on a page of fixed-size keys.
  var fixedSize: Int { Int(bytes.integer(UInt16.self, at: 8)) }

  var flags: PageFlags { PageFlags(rawValue: bytes.integer(UInt16.self, at: 10)) }

  /// The number of pages of a value, on the first of them.
  var runLength: UInt64 { UInt64(bytes.integer(UInt32.self, at: 12)) }

  /// The end of the node offsets.
  var lower: Int { Int(bytes.integer(UInt16.self, at: 12)) }

  /// The start of the nodes.
  var upper: Int { Int(bytes.integer(UInt16.self, at: 14)) }

  /// The number of nodes, if the bounds are plausible.
  var count: Int { (lower - PageFormat.headerSize) / 2 }

  /// Whether offsets and nodes lie within the page and don't overlap.
  var hasPlausibleBounds: Bool {
    lower >= PageFormat.headerSize && lower % 2 == 0 && lower <= upper && upper <= bytes.byteCount
  }

  /// Whether the page has room for its stated number of keys, at this size.
  func fits(keysOfSize size: Int) -> Bool {
    count * size <= bytes.byteCount - PageFormat.headerSize
  }

  /// Returns the node at an index below `count`; `nil` if it exceeds the page.
  func node(_ index: Int) -> PageNode? {
    node(at: Int(bytes.integer(UInt16.self, at: PageFormat.headerSize + 2 * index)))
  }

  /// Returns the node at an offset; `nil` if it exceeds the page.
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

  /// Returns the key of a node of this page.
  @_lifetime(copy self)
  func key(of node: PageNode) -> RawSpan {
    bytes.extracting(node.keyOffset..<node.dataOffset)
  }

  /// Returns the data of a node of this leaf page, after its key.
  @_lifetime(copy self)
  func data(of node: PageNode) -> RawSpan {
    bytes.extracting(node.dataOffset..<node.end)
  }

  /// Returns the key at an index below `count`, on a page of keys of this size.
  @_lifetime(copy self)
  func key(_ index: Int, ofSize size: Int) -> RawSpan {
    let start = PageFormat.headerSize + index * size
    return bytes.extracting(start..<start + size)
  }
}

/// The place of a node in its page, and its header.
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

  /// The page that a branch page's node refers to.
  var child: UInt64 { UInt64(word) | UInt64(flags.rawValue) << 32 }

  /// The size of the value, wherever it is stored.
  var valueSize: Int { Int(word) }

  /// The size of the value's part on this page.
  var dataSize: Int {
    if isBranch { return 0 }
    return flags.contains(.overflow) ? 8 : valueSize
  }

  /// The end, including the padding that keeps the next node at an even offset.
  var paddedEnd: Int { (end + 1) & ~1 }
}
