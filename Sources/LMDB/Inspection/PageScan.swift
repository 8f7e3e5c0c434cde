/// A scan for everything that resembles an entry in a data file, whether a tree leads to it or not.
///
/// For salvage, when trees are broken. It also yields deleted or replaced entries whose pages were
/// not reused, and in any order: the caller must tell from the bytes which entries are whole, and
/// which of several is the newest.
package struct PageScan: ~Copyable {
  package let file: PageFile
  private var map: NodeMap
  private var spare: [UInt8]

  package init(_ file: PageFile) {
    self.file = file
    map = NodeMap(pageSize: file.pageSize)
    spare = [UInt8](repeating: 0, count: file.pageSize)
  }

  /// Visits the plain entries of every page that resembles a leaf page, in file order.
  ///
  /// A value on pages of its own is read from where it should be, and skipped if that isn't within
  /// the file. Throws only what `body` throws. O(size of the file).
  package mutating func visit<E: Error>(
    where isWanted: (RawSpan) -> Bool = { _ in true },
    _ body: (borrowing TreeEntry) throws(E) -> Void
  ) throws(E) {
    for number in PageFormat.firstPage..<max(PageFormat.firstPage, file.pageCount) {
      try visit(page: number, where: isWanted, body)
    }
  }

  /// Visits the plain entries with wanted keys on one page, if the page resembles a leaf page.
  package mutating func visit<E: Error>(
    page number: UInt64, where isWanted: (RawSpan) -> Bool,
    _ body: (borrowing TreeEntry) throws(E) -> Void
  ) throws(E) {
    var buffer: [UInt8] = []
    swap(&buffer, &spare)
    defer { swap(&buffer, &spare) }
    guard number < file.pageCount, file.read(number, into: &buffer) else { return }
    let page = unsafe PageView(buffer.span.bytes)
    guard page.hasPlausibleBounds, looksLikeLeaf(page, number) else { return }
    for index in 0..<page.count {
      guard let node = page.node(index), isWanted(page.key(of: node)) else { continue }
      try visit(node, of: page, number, body)
    }
  }

  /// Whether a page is a leaf page by its flags, or else by its number and all of its nodes.
  private mutating func looksLikeLeaf(_ page: borrowing PageView, _ number: UInt64) -> Bool {
    if page.flags.intersection([.branch, .leaf, .overflow, .meta, .fixed]) == .leaf { return true }
    return !page.flags.contains(.branch) && page.number == number && page.count > 0
      && map.isExact(page)
  }

  private func visit<E: Error>(
    _ node: PageNode, of page: borrowing PageView, _ number: UInt64,
    _ body: (borrowing TreeEntry) throws(E) -> Void
  ) throws(E) {
    let key = page.key(of: node)
    guard (1...PageFormat.keySizeMax).contains(key.byteCount) else { return }
    if node.flags == [] {
      return try body(TreeEntry(key: key, value: page.data(of: node), page: number))
    }
    guard node.flags == .overflow else { return }
    let first = page.data(of: node).integer(UInt64.self, at: 0)
    let length = file.pagesNeeded(for: node.valueSize)
    guard first >= PageFormat.firstPage, first < file.pageCount, length <= file.pageCount - first
    else { return }
    var run = [UInt8](repeating: 0, count: PageFormat.headerSize + node.valueSize)
    guard file.read(first, into: &run) else { return }
    let value = unsafe run.span.bytes.extracting(droppingFirst: PageFormat.headerSize)
    try body(TreeEntry(key: key, value: value, page: number))
  }
}
