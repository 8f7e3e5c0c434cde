package import LMDB

/// Inserting very many pairs, as where everything is made anew.
///
/// They gather in one hash table, where each is found at once, and become runs in the end, as large
/// as there can be of them: nothing is merged on the way.
extension NameIndex {
  /// The tier whose runs the gathered pairs become.
  private static let bulkTier = 2

  /// How many pairs gather before they become a run: 2,097,152 in the standard shape, which take
  /// 42 MB at most.
  var bulkMax: Int { catalog.shape.tailMax << (3 * Self.bulkTier) }

  /// Lets pairs gather from now on, until ``endBulk()``.
  ///
  /// Frames that are committed meanwhile don't hold what has gathered. The index must be empty.
  package mutating func beginBulk() {
    precondition(count == 0, "the index is not empty")
    isBulk = true
  }

  /// Makes runs of what has gathered, so that the next frame holds it.
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

  /// Makes a run of what has gathered.
  mutating func rollBulk() throws(LMDBError) {
    append(tail.pairs, asRun: catalog.add(toTier: Self.bulkTier), ofTier: Self.bulkTier)
    tail.removeAll()
    catalog.endBulk(tailCount: 0)
    try finishMerges()
  }

  /// Merges to the end what is to be merged, since that goes by the pairs that are inserted one by
  /// one.
  private mutating func finishMerges() throws(LMDBError) {
    while !catalog.merges.isEmpty { try merge() }
  }
}
