extension TreeWalk {
  /// Visits the children of a branch page.
  mutating func visitBranch<E: Error>(
    _ page: borrowing PageView, at place: borrowing PagePlace, _ tally: inout TreeTally,
    _ body: (borrowing TreeEntry) throws(E) -> Void
  ) throws(E) {
    tally.branchPages += 1
    guard page.hasPlausibleBounds else { return report(place.number, .bounds) }
    if page.flags != .branch { report(place.number, .wrongKind) }
    // liblmdb tolerates a lone child in the free list, and aborts on one elsewhere.
    if page.count < (place.role == .freeList ? 1 : 2) { report(place.number, .tooFewNodes) }
    checkNodes(page, from: 1, at: place)
    for index in 0..<page.count {
      guard let node = page.node(index) else { continue }
      let next = index + 1 < page.count ? page.node(index + 1) : nil
      let low = index == 0 ? place.low : page.key(of: node)
      let high = if let next { page.key(of: next) } else { place.high }
      try visit(place.child(node.child, low: low, high: high), &tally, body)
    }
  }

  /// Reports, once each, that nodes don't fill the page, that keys have impossible sizes, and that
  /// keys don't ascend between those of the parent.
  ///
  /// The first key of a branch page is a placeholder, and is skipped.
  mutating func checkNodes(
    _ page: borrowing PageView, from first: Int, at place: borrowing PagePlace
  ) {
    var areSized = true
    var areOrdered = true
    var previous: RawSpan?
    for index in first..<max(first, page.count) {
      guard let node = page.node(index) else { continue }
      let key = page.key(of: node)
      areSized = areSized && place.admits(keySize: node.keySize)
      areOrdered = areOrdered && place.ascends(from: previous, to: key)
      previous = key
    }
    if let previous, let high = place.high {
      areOrdered = areOrdered && place.order.precedes(previous, high)
    }
    if !map.isExact(page) { report(place.number, .layout) }
    if !areSized { report(place.number, .keySize) }
    if !areOrdered { report(place.number, .keyOrder) }
  }
}

extension PagePlace {
  /// Whether a key may follow another or, without one, be the first of the page.
  fileprivate func ascends(from previous: RawSpan?, to key: RawSpan) -> Bool {
    if let previous { return order.precedes(previous, key) }
    if let low { return !order.precedes(key, low) }
    return true
  }
}
