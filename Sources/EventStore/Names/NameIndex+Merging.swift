import LMDB

extension NameIndex {
  /// Turns the full tail into a run.
  mutating func roll() {
    let blocks = (catalog.tailCount + NameBlock.pairsOnPage - 1) / NameBlock.pairsOnPage
    if tailGiven > 0 {
      removals.append(NameKey.block(0, of: catalog.tail)..<NameKey.block(blocks, of: catalog.tail))
    }
    append(tail.pairs, asRun: catalog.roll(), ofTier: 0)
    tail.removeAll()
    tailGiven = 0
  }

  /// Appends a run made of pairs in any order.
  mutating func append(_ pairs: borrowing NamePairs, asRun id: UInt32, ofTier tier: Int) {
    finds.removeAll()
    let sorted = pairs.sorted(part: 0, of: 1)
    var run = NameRun(id: id, sheetCount: catalog.shape.sheetCount(ofTier: tier))
    run.sheets.reserveCapacity(run.sheetCount)
    var start = 0
    for sheet in 0..<run.sheetCount { append(sheet, of: sorted, from: &start, to: &run) }
    runs.append(run)
  }

  /// Appends the next sheet to a run, from sorted pairs beginning at `start`.
  private func append(
    _ sheet: Int, of pairs: borrowing NamePairs, from start: inout Int, to run: inout NameRun
  ) {
    var end = start
    while end < pairs.count, pairs.hashes[end].part(of: run.sheetCount) == sheet { end += 1 }
    run.sheets.append(NameSheet(pairs, start..<end, sheet: sheet, of: run))
    start = end
  }

  /// Advances each merge by a sheet.
  mutating func merge() throws(LMDBError) {
    for merge in catalog.merges { try advance(merge) }
    catalog.rest()
  }

  private mutating func advance(_ merge: NameCatalog.Merge) throws(LMDBError) {
    let sheet = merge.output.sheets
    let inputs = runs.indices.filter { merge.inputs.contains(runs[$0].id) }
    let pairs = try pairs(ofBlock: sheet, ofRunsAt: inputs)
    let output = place(of: merge)
    runs[output].sheets.append(
      NameSheet(pairs, 0..<pairs.count, sheet: sheet, of: runs[output]))
    for input in inputs { runs[input].release(before: sheet + 1) }
    guard catalog.advance(merge.tier) else { return }
    for input in inputs.reversed() {
      runs[input].clear(before: runs[input].blockCount, &removals)
      runs.remove(at: input)
    }
  }

  /// Returns the pairs of the same-numbered blocks of some runs, ordered by hash.
  private mutating func pairs(
    ofBlock part: Int, ofRunsAt places: [Int]
  ) throws(LMDBError) -> NamePairs {
    var pairs = NamePairs(capacity: NameShape.fanOut * NameBlock.pairsOnPage)
    var parts = 0
    for place in places {
      try pour(part, ofRunAt: place, into: &pairs)
      parts = runs[place].blockCount
    }
    return pairs.sorted(part: part, of: parts)
  }

  /// Appends the pairs of a block of a run to others, if they are sorted.
  ///
  /// Verifies the block's checksum, even if it was verified before: data damaged since then must
  /// not get a new checksum.
  mutating func pour(
    _ part: Int, ofRunAt place: Int, into pairs: inout NamePairs
  ) throws(LMDBError) {
    runs[place].sheets[part / NameShape.fanOut].checked &= ~(1 << (part % NameShape.fanOut))
    let parts = runs[place].blockCount
    let isSorted = try withBlock(part, ofRunAt: place) { block in
      block.pour(into: &pairs)
      return block.isSorted(part: part, of: parts)
    }
    guard !isSorted else { return }
    let isStored = runs[place].sheets[part / NameShape.fanOut].blocks.isEmpty
    guard isStored, let base else {
      preconditionFailure("block \(part) of run \(runs[place].id) is not sorted")
    }
    throw base.damage(at: NameKey.block(part, of: runs[place].id))
  }

  /// Returns the place of the run that a merge produces.
  private mutating func place(of merge: NameCatalog.Merge) -> Int {
    if let place = runs.firstIndex(where: { $0.id == merge.output.id }) { return place }
    let sheets = catalog.shape.sheetCount(ofTier: merge.tier + 1)
    runs.append(NameRun(id: merge.output.id, sheetCount: sheets))
    return runs.count - 1
  }

  /// Calls `body` with a block of a run, in memory or in the base.
  ///
  /// The checksum of a block in the base is verified until it was found right once, except for a
  /// result that is certain whatever the block holds. If it is wrong, the result is lost.
  @inline(__always)
  mutating func withBlock<R>(
    _ part: Int, ofRunAt place: Int, _ body: (borrowing NameBlock) -> R,
    isCertain: (R) -> Bool = { _ in false }
  ) throws(LMDBError) -> R {
    let (sheet, index) = (part / NameShape.fanOut, part % NameShape.fanOut)
    if !runs[place].sheets[sheet].blocks.isEmpty {
      return NameBlock.read(runs[place].sheets[sheet].blocks[index], body)
    }
    guard let base else { preconditionFailure("a block is neither in memory nor in a base") }
    let key = NameKey.block(part, of: runs[place].id)
    var isChecked = runs[place].sheets[sheet].checked & 1 << index != 0
    let result = try base.read(key) { bytes -> R? in
      guard let block = NameBlock(bytes) else { return nil }
      let result = body(block)
      if isChecked || isCertain(result) { return result }
      isChecked = block.isIntact(at: key)
      return isChecked ? result : nil
    }
    if isChecked { runs[place].sheets[sheet].checked |= 1 << index }
    return result
  }
}
