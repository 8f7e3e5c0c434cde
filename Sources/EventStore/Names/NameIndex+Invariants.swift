package import LMDB

extension NameIndex {
  /// Checks all of the index's invariants: the catalog is sound and names exactly the runs that
  /// exist, blocks are sorted, filters know every hash, and no pair is missing.
  ///
  /// For tests and tools. O(*n*); traps if something is wrong in memory.
  ///
  /// - Throws: `undecodable` if stored data is damaged.
  package mutating func checkInvariants() throws(LMDBError) {
    try loadTail()
    precondition(catalog.isSound && catalog.tailCount == tail.count, "the catalog can't be")
    let outputs = catalog.merges.filter { $0.output.sheets > 0 }.map(\.output.id)
    let named = catalog.tiers.flatMap(\.runs) + outputs
    precondition(runs.map(\.id).sorted() == named.sorted(), "the runs are not those named")
    var total = tail.count
    for place in runs.indices { total += try checkRun(at: place) }
    precondition(total == count, "\(total) pairs of \(count)")
  }

  /// Checks a run, and returns the number of its pairs.
  private mutating func checkRun(at place: Int) throws(LMDBError) -> Int {
    var total = 0
    for part in runs[place].first..<NameShape.fanOut * runs[place].sheets.count {
      var pairs = NamePairs(capacity: NameBlock.pairsOnPage)
      try pour(part, ofRunAt: place, into: &pairs)
      for hash in pairs.hashes {
        let isKnown = try mayHold(hash, runAt: place)
        precondition(isKnown, "a filter of run \(runs[place].id) lacks a hash")
      }
      total += pairs.count
    }
    return total
  }
}
