/// Checks whether the nodes of a page fill it without overlaps or gaps.
///
/// liblmdb ensures that, so this is the strictest test of a page without a checksum: a damaged
/// offset or size fails it, except one that hides in a node's padding.
struct NodeMap {
  /// One bit per even offset of a page.
  private var starts: [UInt64]

  init(pageSize: Int) {
    starts = Array(repeating: 0, count: (pageSize / 2 + 63) / 64)
  }

  /// Whether the nodes exactly fill a page with plausible bounds from `upper` to its end.
  ///
  /// O(nodes).
  mutating func isExact(_ page: borrowing PageView) -> Bool {
    for index in starts.indices { starts[index] = 0 }
    for index in 0..<page.count {
      guard let node = page.node(index) else { return false }
      starts[node.offset / 128] |= 1 << (UInt64(node.offset / 2) % 64)
    }
    return chain(page) == page.count
  }

  /// Returns the number of consecutive nodes from `upper` to the end; `nil` if the chain breaks.
  private func chain(_ page: borrowing PageView) -> Int? {
    var offset = page.upper
    var count = 0
    while offset < page.bytes.byteCount {
      guard starts[offset / 128] & 1 << (UInt64(offset / 2) % 64) != 0 else { return nil }
      guard let node = page.node(at: offset) else { return nil }
      offset = node.paddedEnd
      count += 1
    }
    return count
  }
}
