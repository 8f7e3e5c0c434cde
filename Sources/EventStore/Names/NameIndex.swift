package import LMDB

/// A map from hashes of external ids to the rows that may have them, for all collections of a
/// store.
///
/// It doesn't hold the ids, so the caller verifies each candidate by the id in its row. Hashes must
/// be evenly distributed over all 64 bits, as ``NameHash`` makes them. Pairs are never removed.
///
/// The newest pairs are in a hash table, the tail, which is read from the base when it is first
/// needed: to insert, or to find a hash that no run has. A full tail is sorted into a run, and runs
/// are merged by tiers as described in ``NameCatalog``. A lookup in a run uses its filter, which
/// stays in memory once it was needed twice, 1.7 bytes for each pair, and the one block that may
/// have the hash. New pairs, runs and parts of runs are in memory until they are committed; see
/// ``freeze()``. Without a base everything stays there, 16 bytes for each pair.
///
/// After an operation other than a lookup throws, discard the index and reopen it.
package struct NameIndex: ~Copyable {
  /// The runs and tail that exist, and the merges.
  package internal(set) var catalog: NameCatalog
  let base: NameBase?
  /// The tail's pairs, or a first part of them until they are all loaded.
  var tail: NameTail
  /// The runs, complete or not.
  ///
  /// After opening, the largest come first: most pairs are in them, so most lookups need one
  /// filter.
  var runs: [NameRun]
  /// The keys to remove from the base with the next frame.
  var removals: [Range<UInt64>] = []
  /// The number of the tail's pairs that were handed over for commit.
  var tailGiven = 0
  /// Whether pairs gather in the tail far beyond its normal size; see ``beginBulk()``.
  var isBulk = false
  var isChanged = false
  var isFrozen = false
  /// The results of looking ahead in the runs.
  var finds = NameFinds()

  /// Creates an empty index without a base.
  package init(shape: NameShape = .standard) {
    (base, catalog, tail, runs) = (nil, NameCatalog(shape), NameTail(), [])
  }

  init(_ base: NameBase, _ catalog: NameCatalog, _ runs: [NameRun]) {
    (self.base, self.catalog, self.runs) = (base, catalog, runs)
    tail = NameTail()
    tailGiven = catalog.tailCount
  }

  /// The number of pairs.
  package var count: Int {
    let whole = catalog.tiers.indices.map { catalog.tiers[$0].runs.count << (3 * $0) }
    return whole.reduce(0, +) * catalog.shape.tailMax + catalog.tailCount
  }

  /// Returns the row with this hash that `verify` accepts, or `nil`.
  ///
  /// A missing hash costs a look at the tail and at each run's filter; an existing one also costs a
  /// read from the base. The order of candidates is unspecified, and one may come twice.
  ///
  /// - Throws: What `verify` throws; `LMDBError`, with code `undecodable` if stored data is damaged
  ///   and no row is accepted.
  package mutating func find(
    _ hash: UInt64, verify: (RowID) throws -> Bool
  ) throws -> RowID? {
    let isTailThere = isTailThere
    if isTailThere, let row = try findInTail(hash, verify) { return row }
    if let row = try findInRuns(hash, verify: verify) { return row }
    return isTailThere ? nil : try findInWholeTail(hash, verify)
  }

  /// Works as ``find(_:verify:)``, but only searches the runs.
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

  /// Adds a pair, regardless of others with its hash.
  ///
  /// Amortized O(log *n*): from time to time it sorts the tail, or advances each merge by about two
  /// thousand pairs.
  ///
  /// - Throws: `LMDBError`, with code `undecodable` if merged data is damaged.
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
    // The block alone costs no more than the filter alone, and settles whether the hash is there.
    if runs[place].isFirstQuestion(of: hash) { return true }
    try loadFilter(for: hash, runAt: place)
    return runs[place].mayHold(hash) ?? true
  }

  /// Loads the filter that a hash belongs to.
  private mutating func loadFilter(for hash: UInt64, runAt place: Int) throws(LMDBError) {
    let sheet = runs[place].block(of: hash) / NameShape.fanOut
    let key = NameKey.filter(sheet, of: runs[place].id)
    guard let base else { return }
    runs[place].sheets[sheet].filter = try base.read(key) { bytes in
      NameFilter(bytes)?.isIntact(at: key) == true ? bytes.array : nil
    }
  }

  /// Returns the row of the `nth` pair with a hash in a run.
  ///
  /// The caller verifies the row, so only that there is none needs an intact block.
  mutating func row(
    _ nth: Int, of hash: UInt64, runAt place: Int
  ) throws(LMDBError) -> RowID? {
    let (part, parts) = (runs[place].block(of: hash), runs[place].blockCount)
    return try withBlock(part, ofRunAt: place) { block in
      block.row(nth, of: hash, part: part, of: parts)
    } isCertain: { row in
      row != nil
    }
  }
}
