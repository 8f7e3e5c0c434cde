import LMDB

extension NameIndex {
  /// Ends a frame: returns what has to be written for it, which stays readable here until
  /// ``committed()``.
  ///
  /// Needs a base; traps where the frame before was not committed. O(1) in the number of pairs, but
  /// for those inserted since the last frame.
  package mutating func freeze() -> FrozenNames {
    guard let base else { preconditionFailure("an index without a base is not committed") }
    precondition(!isFrozen, "the frame before was not committed")
    isFrozen = true
    var frozen = FrozenNames(base.table)
    guard isChanged else { return frozen }
    isChanged = false
    swap(&frozen.removals, &removals)
    for place in runs.indices { runs[place].give(to: &frozen) }
    // Who opens it now finds it as it was before the bulk, and some runs that nobody names.
    if isBulk { return frozen }
    giveTail(to: &frozen)
    frozen.entries.append((NameKey.catalog, catalog.bytes))
    return frozen
  }

  /// The tail's blocks are as large as a page holds; the last is replaced until it is full.
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

  /// Lets go of what was frozen, once it has been committed and the base's reader renewed.
  package mutating func committed() {
    precondition(isFrozen, "nothing was frozen")
    isFrozen = false
    for place in runs.indices { runs[place].settle() }
  }
}
