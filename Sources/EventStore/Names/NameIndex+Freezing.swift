import LMDB

extension NameIndex {
  /// Ends a frame and returns the data to be written for it, which stays readable here until
  /// ``committed()``.
  ///
  /// Requires a base; traps if the previous frame was not committed. O(1) in the number of pairs,
  /// except for those inserted since the last frame.
  package mutating func freeze() -> FrozenNames {
    guard let base else { preconditionFailure("an index without a base is not committed") }
    precondition(!isFrozen, "the frame before was not committed")
    isFrozen = true
    var frozen = FrozenNames(base.table)
    guard isChanged else { return frozen }
    isChanged = false
    swap(&frozen.removals, &removals)
    for place in runs.indices { runs[place].give(to: &frozen) }
    // A process opening the index now finds it as it was before the bulk, with some runs that
    // nothing names.
    if isBulk { return frozen }
    giveTail(to: &frozen)
    frozen.entries.append((NameKey.catalog, catalog.bytes))
    return frozen
  }

  /// A tail block fills a page; the last one is replaced until it is full.
  private mutating func giveTail(to frozen: inout FrozenNames) {
    var start = tailGiven / NameBlock.pairsOnPage * NameBlock.pairsOnPage
    while start < tail.count {
      let range = start..<min(start + NameBlock.pairsOnPage, tail.count)
      let key = NameKey.block(start / NameBlock.pairsOnPage, of: catalog.tail)
      frozen.entries.append((key, NameBlock.bytes(of: tail.pairs, range, key: key)))
      start = range.upperBound
    }
    tailGiven = tail.count
  }

  /// Releases what was frozen, once it is committed and the base's reader renewed.
  package mutating func committed() {
    precondition(isFrozen, "nothing was frozen")
    isFrozen = false
    for place in runs.indices { runs[place].settle() }
  }
}
