extension TreeWalk {
  /// Visits an entry whose value has pages of its own.
  mutating func visitRun<E: Error>(
    of node: PageNode, in page: borrowing PageView, at place: borrowing PagePlace,
    _ tally: inout TreeTally, _ body: (borrowing TreeEntry) throws(E) -> Void
  ) throws(E) {
    let first = page.data(of: node).integer(UInt64.self, at: 0)
    guard let length = claimRun(from: first, holding: node.valueSize) else { return }
    tally.overflowPages += length
    let size = PageFormat.headerSize + node.valueSize
    var run = [UInt8](repeating: 0, count: size)
    guard file.read(first, into: &run) else { return report(first, .unreadable) }
    let value = unsafe run.span.bytes.extracting(PageFormat.headerSize..<size)
    try body(TreeEntry(key: page.key(of: node), value: value, page: place.number))
  }

  /// Marks the pages of a value, and returns their number; `nil`, and reports a problem, if they
  /// can't belong to the value.
  private mutating func claimRun(from first: UInt64, holding size: Int) -> UInt64? {
    guard requireInRange(first), let length = runLength(at: first) else { return nil }
    let needed = file.pagesNeeded(for: size)
    guard length >= needed, length <= file.meta.lastPage + 1 - first else {
      report(first, .overflowRun)
      return nil
    }
    guard (first..<first + needed).allSatisfy({ claim($0) }) else { return nil }
    if length > needed { surplus.append(first + needed..<first + length) }
    return length
  }

  /// Returns the number of pages of the value at `first`; `nil`, and reports a problem, if none
  /// begins there.
  private mutating func runLength(at first: UInt64) -> UInt64? {
    var header = [UInt8](repeating: 0, count: PageFormat.headerSize)
    guard file.read(first, into: &header) else {
      report(first, .unreadable)
      return nil
    }
    let page = unsafe PageView(header.span.bytes)
    if page.number != first {
      report(first, .wrongNumber(page.number))
    } else if page.flags != .overflow {
      report(first, .wrongKind)
    } else {
      return page.runLength
    }
    return nil
  }

  /// Marks the pages that values have but don't need, such as those of a value that was shortened.
  ///
  /// Comes after all trees, so that a damaged length can't take pages from their true owners.
  mutating func claimSurplus() {
    for range in surplus { _ = range.allSatisfy { claim($0) } }
    surplus = []
  }
}
