package import LMDB

/// From the hashes of external ids to the rows that may have them, for all collections of a store.
///
/// It doesn't hold the ids, so whoever asks verifies each candidate by the id in its row. Hashes
/// must be even over all 64 bits, as ``NameHash`` makes them. Nothing is ever removed.
///
/// The newest pairs are in a hash table, the tail, which is read from the base when it is first
/// needed: to insert, and to find what is in no run. A full tail is sorted into a run, and runs are
/// merged by tiers as ``NameCatalog`` says. A run is found by its filter, which is kept in memory
/// once it was needed twice, 1.7 bytes for each pair, and its one block where the hash would be.
/// New pairs, runs and parts of runs are in memory until they have been committed; see
/// ``freeze()``. Without a base everything stays there, 16 bytes for each pair.
///
/// After an error that an operation throws, unless it only looks for something, the index is to be
/// thrown away, and the like opened anew.
package struct NameIndex: ~Copyable {
  /// What there is and what is merged.
  package internal(set) var catalog: NameCatalog
  let base: NameBase?
  /// Some of the newest pairs, from the oldest on, or all of them.
  var tail: NameTail
  /// The runs, whole or not.
  ///
  /// After opening the largest come first, which most pairs are in, and so most is found with one
  /// filter.
  var runs: [NameRun]
  /// What is to be removed from the base with the next frame.
  var removals: [Range<UInt64>] = []
  /// How many of the tail's pairs were given to be committed.
  var tailGiven = 0
  /// Whether pairs gather in the tail far beyond its size; see ``beginBulk()``.
  var isBulk = false
  var isChanged = false
  var isFrozen = false
  /// What was found in the runs ahead of being asked for.
  var finds = NameFinds()

  /// An empty index that has no base.
  package init(shape: NameShape = .standard) {
    (base, catalog, tail, runs) = (nil, NameCatalog(shape), NameTail(), [])
  }

  init(_ base: NameBase, _ catalog: NameCatalog, _ runs: [NameRun]) {
    (self.base, self.catalog, self.runs) = (base, catalog, runs)
    tail = NameTail()
    tailGiven = catalog.tailCount
  }

  /// How many pairs there are.
  package var count: Int {
    let whole = catalog.tiers.indices.map { catalog.tiers[$0].runs.count << (3 * $0) }
    return whole.reduce(0, +) * catalog.shape.tailMax + catalog.tailCount
  }

  /// The row with this hash that `verify` says is the one, or `nil`.
  ///
  /// A hash that is not there costs a look at the tail and at each run's filter; one that is costs
  /// a read from the base as well. Which candidate comes first is open, and one may come twice.
  ///
  /// - Throws: What `verify` throws; `LMDBError`, of code `undecodable` where what is stored is
  ///   damaged.
  package mutating func find(
    _ hash: UInt64, verify: (RowID) throws -> Bool
  ) throws -> RowID? {
    let isTailThere = isTailThere
    if isTailThere, let row = try findInTail(hash, verify) { return row }
    if let row = try findInRuns(hash, verify: verify) { return row }
    return isTailThere ? nil : try findInWholeTail(hash, verify)
  }

  /// As ``find(_:verify:)``, but only among the pairs of runs.
  @inline(__always)
  package mutating func findInRuns(
    _ hash: UInt64, verify: (RowID) throws -> Bool
  ) throws -> RowID? {
    if let row = finds.row(of: hash) {
      if row == Self.noRow { return nil }
      if try verify(RowID(rawValue: row)) { return RowID(rawValue: row) }
    }
    for place in runs.indices where try mayHold(hash, runAt: place) {
      var nth = 0
      while let row = try row(nth, of: hash, runAt: place) {
        if try verify(row) { return row }
        nth += 1
      }
    }
    return nil
  }

  private mutating func findInWholeTail(
    _ hash: UInt64, _ verify: (RowID) throws -> Bool
  ) throws -> RowID? {
    try loadTail()
    return try findInTail(hash, verify)
  }

  @inline(__always)
  private func findInTail(_ hash: UInt64, _ verify: (RowID) throws -> Bool) throws -> RowID? {
    var slot = tail.slot(of: hash)
    while let row = tail.next(hash, from: &slot) {
      if try verify(row) { return row }
    }
    return nil
  }

  /// Adds a pair, whatever else has its hash.
  ///
  /// Amortized O(log *n*): now and then it sorts the tail, or advances the merges by some two
  /// thousand pairs each.
  ///
  /// - Throws: `LMDBError`, of code `undecodable` where what is merged is damaged.
  package mutating func insert(_ hash: UInt64, _ row: RowID) throws(LMDBError) {
    if !isTailThere { try loadTail() }
    if isBulk {
      if tail.count == bulkMax { try rollBulk() }
    } else {
      if catalog.isDue { try merge() }
      if catalog.isFull { roll() }
    }
    tail.insert(hash, row.rawValue)
    catalog.insert()
    isChanged = true
  }

  @inline(__always)
  mutating func mayHold(_ hash: UInt64, runAt place: Int) throws(LMDBError) -> Bool {
    if let answer = runs[place].mayHold(hash) { return answer }
    // The block alone costs no more than the filter alone, and finds what is there.
    if runs[place].isFirstQuestion(of: hash) { return true }
    try loadFilter(for: hash, runAt: place)
    return runs[place].mayHold(hash) ?? true
  }

  /// Brings the filter that a hash belongs to into memory.
  private mutating func loadFilter(for hash: UInt64, runAt place: Int) throws(LMDBError) {
    let sheet = runs[place].block(of: hash) / NameShape.fanOut
    let key = NameKey.filter(sheet, of: runs[place].id)
    guard let base else { return }
    runs[place].sheets[sheet].filter = try base.read(key) { bytes in
      NameFilter(bytes)?.isIntact(at: key) == true ? bytes.array : nil
    }
  }

  mutating func row(
    _ nth: Int, of hash: UInt64, runAt place: Int
  ) throws(LMDBError) -> RowID? {
    let (part, parts) = (runs[place].block(of: hash), runs[place].blockCount)
    return try withBlock(part, ofRunAt: place) { block in
      block.row(nth, of: hash, part: part, of: parts)
    }
  }
}
