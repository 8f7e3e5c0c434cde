package import LMDB

/// Bulk insertion, as for a rebuild.
///
/// The pairs gather in one hash table, where each is found at once, and finally become runs as
/// large as possible, without intermediate merges.
extension NameIndex {
  /// The tier of the runs that the gathered pairs become.
  private static let bulkTier = 2

  /// The number of pairs that gather before they become a run: 2,097,152 in the standard shape,
  /// which take 42 MB at most.
  var bulkMax: Int { catalog.shape.tailMax << (3 * Self.bulkTier) }

  /// Lets pairs gather until ``endBulk()``.
  ///
  /// Frames committed meanwhile don't hold the gathered pairs. The index must be empty.
  package mutating func beginBulk() {
    precondition(count == 0, "the index is not empty")
    isBulk = true
  }

  /// Turns the gathered pairs into runs, so that the next frame holds them.
  ///
  /// - Throws: As ``insert(_:_:)``.
  package mutating func endBulk() throws(LMDBError) {
    precondition(isBulk, "nothing is gathered")
    isBulk = false
    isChanged = count > 0
    let pairs = tail.pairs
    var start = 0
    for tier in stride(from: Self.bulkTier, through: 0, by: -1) {
      let size = catalog.shape.tailMax << (3 * tier)
      while pairs.count - start >= size {
        append(pairs[start..<(start + size)], asRun: catalog.add(toTier: tier), ofTier: tier)
        start += size
      }
    }
    tail = NameTail()
    for index in start..<pairs.count { tail.insert(pairs.hashes[index], pairs.rows[index]) }
    catalog.endBulk(tailCount: tail.count)
    try finishMerges()
  }

  /// Turns the gathered pairs into one run.
  mutating func rollBulk() throws(LMDBError) {
    append(tail.pairs, asRun: catalog.add(toTier: Self.bulkTier), ofTier: Self.bulkTier)
    tail.removeAll()
    catalog.endBulk(tailCount: 0)
    try finishMerges()
  }

  /// Completes all merges, which otherwise advance only as pairs are inserted one by one.
  private mutating func finishMerges() throws(LMDBError) {
    while !catalog.merges.isEmpty { try merge() }
  }
}
