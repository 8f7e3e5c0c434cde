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

  /// Marks the pages of a value, and returns how many they are; `nil`, and a problem, where they
  /// are none of such a value.
  private mutating func claimRun(from first: UInt64, holding size: Int) -> UInt64? {
    guard claim(first) else { return nil }
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
    } else if page.runLength < file.pagesNeeded(for: size) {
      report(first, .overflowRun)
    } else if (first + 1..<first + page.runLength).allSatisfy({ claim($0) }) {
      return page.runLength
    }
    return nil
  }
}
