import LMDB

/// Eight blocks of a run with their filter, as a merge produces at a time.
package struct NameSheet: Sendable {
  /// The filter's bytes; empty if they are in the base and were not needed yet.
  package var filter: [UInt8] = []
  /// The blocks' bytes; empty if they are in the base.
  package var blocks: [[UInt8]] = []
  /// The blocks in the base that were read and found intact, one bit for each.
  package var checked: UInt8 = 0

  /// Whether a hash was sought in the sheet while its filter was in the base.
  package var wasAsked = false

  /// Creates a sheet whose parts are all in the base.
  package init() {}

  /// Returns whether the sheet may hold a hash of a line, or `nil` if the filter must be loaded
  /// first.
  @inline(__always)
  package func mayHold(_ hash: UInt64, line: Int) -> Bool? {
    NameFilter(filter.raw)?.mayHold(hash, line: line)
  }

  /// Creates a sheet of some of a run's sorted pairs.
  package init(_ pairs: borrowing NamePairs, _ range: Range<Int>, sheet: Int, of run: NameRun) {
    var start = range.lowerBound
    blocks.reserveCapacity(NameShape.fanOut)
    for block in NameShape.fanOut * sheet..<NameShape.fanOut * (sheet + 1) {
      var end = start
      while end < range.upperBound, run.block(of: pairs.hashes[end]) == block { end += 1 }
      blocks.append(
        NameBlock.bytes(of: pairs, start..<end, key: NameKey.block(block, of: run.id)))
      start = end
    }
    filter = NameFilter.bytes(
      of: pairs, range, sheet: sheet, of: run.sheetCount, key: NameKey.filter(sheet, of: run.id))
  }
}
