extension TreeWalk {
  /// Visits the entries of a leaf page.
  mutating func visitLeaf<E: Error>(
    _ page: borrowing PageView, at place: borrowing PagePlace, _ tally: inout TreeTally,
    _ body: (borrowing TreeEntry) throws(E) -> Void
  ) throws(E) {
    tally.leafPages += 1
    if tally.depth == 0 { tally.depth = place.depth }
    if tally.depth != place.depth { report(place.number, .depth) }
    switch page.flags {
    case [.leaf, .fixed] where place.role == .duplicates:
      try visitKeys(ofSize: place.tree.fixedSize, on: page, at: place, &tally, body)
    case .leaf:
      try visitNodes(page, at: place, &tally, body)
    default:
      report(place.number, .wrongKind)
      if !page.flags.contains(.fixed) { try visitNodes(page, at: place, &tally, body) }
    }
  }

  /// Visits the nodes of a leaf page, or of a page of duplicates within a node.
  mutating func visitNodes<E: Error>(
    _ page: borrowing PageView, at place: borrowing PagePlace, _ tally: inout TreeTally,
    _ body: (borrowing TreeEntry) throws(E) -> Void
  ) throws(E) {
    guard page.hasPlausibleBounds else { return report(place.number, .bounds) }
    if page.count == 0 { report(place.number, .tooFewNodes) }
    checkNodes(page, from: 0, at: place)
    for index in 0..<page.count {
      guard let node = page.node(index) else { continue }
      try visit(node, of: page, at: place, &tally, body)
    }
  }

  /// Visits the data of a leaf page's node.
  private mutating func visit<E: Error>(
    _ node: PageNode, of page: borrowing PageView, at place: borrowing PagePlace,
    _ tally: inout TreeTally, _ body: (borrowing TreeEntry) throws(E) -> Void
  ) throws(E) {
    let key = page.key(of: node)
    let data = page.data(of: node)
    switch (node.flags, place.role) {
    case ([], .duplicates) where data.byteCount == 0:
      tally.entries += 1
      try body(TreeEntry(key: place.owner, value: key, page: place.number))
    case ([], .freeList), ([], .main), ([], .table):
      tally.entries += 1
      try body(TreeEntry(key: key, value: data, page: place.number))
    case (.overflow, .freeList), (.overflow, .main), (.overflow, .table):
      tally.entries += 1
      try visitRun(of: node, in: page, at: place, &tally, body)
    case (.tree, .main) where data.byteCount == TreeDescriptor.size:
      tally.entries += 1
      try body(TreeEntry(key: key, value: data, page: place.number, isTable: true))
    case (.duplicates, _) where place.admitsDuplicates:
      try visitInner(data, of: key, at: place, &tally, body)
    case ([.duplicates, .tree], _) where place.admitsDuplicates:
      try visitTree(data, of: key, at: place, &tally, body)
    default:
      report(place.number, .nodeKind)
    }
  }
}

extension PagePlace {
  /// Whether keys may have several values here.
  fileprivate var admitsDuplicates: Bool {
    (role == .main || role == .table) && tree.flags.contains(.duplicates)
  }
}
