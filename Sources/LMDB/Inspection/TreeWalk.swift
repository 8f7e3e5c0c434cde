/// A walk of a data file's trees, entry by entry, that records the problems of their pages.
///
/// It continues past damage: a damaged page costs only the entries that can't be read. It reads
/// each page once, and holds one page per level, the longest value, and one bit per page of the
/// file.
package struct TreeWalk: ~Copyable {
  package let file: PageFile
  /// The pages of the trees visited so far.
  private(set) var visited: PageSet
  private(set) var problemList = ProblemList()
  /// The page counts of the trees visited so far.
  private(set) var total = TreeTally()
  var map: NodeMap
  /// The pages of runs beyond those that their values need.
  var surplus: [Range<UInt64>] = []
  private var spare: [[UInt8]] = []

  package init(_ file: PageFile) {
    self.file = file
    visited = PageSet(limit: min(file.pageCount, file.meta.lastPage + 1))
    map = NodeMap(pageSize: file.pageSize)
  }

  /// The first thousand problems of the trees visited so far.
  package var problems: [PageProblem] { problemList.first }

  /// The total number of problems of the trees visited so far.
  package var problemCount: Int { problemList.count }

  /// Visits the entries of a tree in key order; each duplicate comes with its key.
  ///
  /// Throws only what `body` throws, after which the walk is unusable. O(pages).
  package mutating func visit<E: Error>(
    _ tree: TreeDescriptor, _ body: (borrowing TreeEntry) throws(E) -> Void
  ) throws(E) {
    guard let root = tree.root else { return }
    let role: PagePlace.Role = tree == file.meta.main ? .main : .table
    let place = PagePlace(root: root, of: tree, role, .ofKeys(tree.flags))
    _ = try visit(from: place, body)
  }

  /// Visits the free list: its values are lists of pages, keyed by the transaction that freed them.
  package mutating func visitFreeList<E: Error>(
    _ body: (borrowing TreeEntry) throws(E) -> Void
  ) throws(E) {
    guard let root = file.meta.free.root else { return }
    let place = PagePlace(root: root, of: file.meta.free, .freeList, .integers)
    _ = try visit(from: place, body)
  }

  /// Visits the main tree, and returns the named tables in it.
  package mutating func tables() -> [NamedTree] {
    var tables: [NamedTree] = []
    visit(file.meta.main) { entry in
      if let table = entry.table { tables.append(table) }
    }
    return tables
  }

  /// Visits every tree, to find its problems.
  mutating func visitAll() {
    visitFreeList { _ in }
    for table in tables() { visit(table.tree) { _ in } }
    claimSurplus()
  }

  /// Visits a tree from its root, and compares its counts with its descriptor.
  mutating func visit<E: Error>(
    from root: borrowing PagePlace, _ body: (borrowing TreeEntry) throws(E) -> Void
  ) throws(E) -> TreeTally {
    let before = problemCount
    var tally = TreeTally()
    try visit(root, &tally, body)
    if problemCount == before, !tally.matches(root.tree) { report(root.number, .counts) }
    total.add(pagesOf: tally)
    return tally
  }

  /// Visits a page and everything below it.
  mutating func visit<E: Error>(
    _ place: borrowing PagePlace, _ tally: inout TreeTally,
    _ body: (borrowing TreeEntry) throws(E) -> Void
  ) throws(E) {
    let number = place.number
    guard place.depth <= PageFormat.depthMax else { return report(number, .depth) }
    guard claim(number) else { return }
    var buffer = spare.popLast() ?? [UInt8](repeating: 0, count: file.pageSize)
    defer { spare.append(buffer) }
    guard file.read(number, into: &buffer) else { return report(number, .unreadable) }
    let page = unsafe PageView(buffer.span.bytes)
    if page.number != number { report(number, .wrongNumber(page.number)) }
    switch page.flags.intersection([.branch, .leaf, .overflow, .meta, .inner]) {
    case .branch: try visitBranch(page, at: place, &tally, body)
    case .leaf: try visitLeaf(page, at: place, &tally, body)
    default: report(number, .wrongKind)
    }
  }

  /// Records a problem of a page.
  mutating func report(_ page: UInt64, _ what: PageProblem.What) {
    problemList.append(page, what)
  }

  /// Marks a page as part of a tree; `false`, and reports a problem, if it can't be.
  mutating func claim(_ page: UInt64) -> Bool {
    guard requireInRange(page) else { return false }
    if visited.insert(page) { return true }
    report(page, .shared)
    return false
  }

  /// Whether a page number is possible in a tree; reports a problem if not.
  mutating func requireInRange(_ page: UInt64) -> Bool {
    if page < PageFormat.firstPage || page > file.meta.lastPage {
      report(page, .outOfRange)
    } else if page >= file.pageCount {
      report(page, .beyondEnd)
    } else {
      return true
    }
    return false
  }
}
