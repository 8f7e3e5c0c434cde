extension TreeWalk {
  /// Visits the duplicates in a page within a node.
  mutating func visitInner<E: Error>(
    _ bytes: RawSpan, of owner: RawSpan, at place: borrowing PagePlace, _ tally: inout TreeTally,
    _ body: (borrowing TreeEntry) throws(E) -> Void
  ) throws(E) {
    guard bytes.byteCount >= PageFormat.headerSize else { return report(place.number, .nodeKind) }
    let page = PageView(bytes)
    let order = KeyOrder.ofDuplicates(place.tree.flags)
    let inner = PagePlace(root: place.number, of: place.tree, .duplicates, order, owner: owner)
    switch page.flags {
    case [.leaf, .inner, .dirty, .fixed]:
      try visitKeys(ofSize: page.fixedSize, on: page, at: inner, &tally, body)
    case [.leaf, .inner, .dirty]:
      try visitNodes(page, at: inner, &tally, body)
    default:
      report(place.number, .nodeKind)
    }
  }

  /// Visits the duplicates in a tree of their own.
  mutating func visitTree<E: Error>(
    _ bytes: RawSpan, of owner: RawSpan, at place: borrowing PagePlace, _ tally: inout TreeTally,
    _ body: (borrowing TreeEntry) throws(E) -> Void
  ) throws(E) {
    guard bytes.byteCount == TreeDescriptor.size else { return report(place.number, .nodeKind) }
    let tree = TreeDescriptor(bytes, at: 0)
    guard let root = tree.root else { return report(place.number, .nodeKind) }
    let order = KeyOrder.ofDuplicates(place.tree.flags)
    let inner = PagePlace(root: root, of: tree, .duplicates, order, owner: owner)
    tally.entries += try visit(from: inner, body).entries
  }

  /// Visits the duplicates on a page of fixed-size keys.
  mutating func visitKeys<E: Error>(
    ofSize size: Int, on page: borrowing PageView, at place: borrowing PagePlace,
    _ tally: inout TreeTally, _ body: (borrowing TreeEntry) throws(E) -> Void
  ) throws(E) {
    guard page.hasPlausibleBounds, page.fits(keysOfSize: size) else {
      return report(place.number, .bounds)
    }
    if page.count == 0 { report(place.number, .tooFewNodes) }
    checkKeys(ofSize: size, on: page, at: place)
    for index in 0..<page.count {
      tally.entries += 1
      let value = page.key(index, ofSize: size)
      try body(TreeEntry(key: place.owner, value: value, page: place.number))
    }
  }

  /// Reports, once each, that the keys have an impossible size or don't ascend.
  private mutating func checkKeys(
    ofSize size: Int, on page: borrowing PageView, at place: borrowing PagePlace
  ) {
    if !place.admits(keySize: size) { report(place.number, .keySize) }
    var areOrdered = true
    for index in 1..<max(1, page.count) {
      let previous = page.key(index - 1, ofSize: size)
      areOrdered = areOrdered && place.order.precedes(previous, page.key(index, ofSize: size))
    }
    if page.count > 0 {
      let (first, last) = (0, page.count - 1)
      if let low = place.low {
        areOrdered = areOrdered && !place.order.precedes(page.key(first, ofSize: size), low)
      }
      if let high = place.high {
        areOrdered = areOrdered && place.order.precedes(page.key(last, ofSize: size), high)
      }
    }
    if !areOrdered { report(place.number, .keyOrder) }
  }
}
