import LMDB

/// A run of a ``NameIndex``: pairs in ascending order of hashes, divided into blocks by even parts
/// of the range of hashes.
///
/// While a merge produces a run, only its first sheets exist. While a run is merged into another,
/// its first blocks no longer exist.
package struct NameRun: Sendable {
  /// The run's unique number.
  package let id: UInt32
  /// The number of sheets in the complete run.
  package let sheetCount: Int
  /// The sheets that exist.
  package var sheets: [NameSheet]
  /// The first block that was not merged into another run.
  package private(set) var first = 0
  /// The number of sheets, from the first, that were handed over for commit.
  private var given: Int
  /// The number of sheets whose blocks are in the base, or no longer needed.
  private var settled: Int
  /// The number of blocks that were handed over for removal.
  private var cleared = 0

  /// Creates a run without sheets.
  package init(id: UInt32, sheetCount: Int) {
    (self.id, self.sheetCount, sheets, given, settled) = (id, sheetCount, [], 0, 0)
  }

  /// Creates a run whose first sheets are in the base, except for its first blocks.
  package init(id: UInt32, sheetCount: Int, sheets: Int, first: Int) {
    (self.id, self.sheetCount, given, settled) = (id, sheetCount, sheets, sheets)
    self.sheets = [NameSheet](repeating: NameSheet(), count: sheets)
    self.first = first
    cleared = Self.clearable(first)
  }

  /// The number of blocks in the complete run.
  @inline(__always)
  var blockCount: Int { sheetCount * NameShape.fanOut }

  /// Returns the block that a hash belongs to.
  @inline(__always)
  package func block(of hash: UInt64) -> Int { hash.part(of: blockCount) }

  /// Returns whether the run may hold a hash, or `nil` if the filter must be loaded first.
  @inline(__always)
  package func mayHold(_ hash: UInt64) -> Bool? {
    let line = hash.part(of: sheetCount * NameFilter.lineCount)
    let sheet = line / NameFilter.lineCount
    guard sheet < sheets.count, block(of: hash) >= first else { return false }
    return sheets[sheet].mayHold(hash, line: line - sheet * NameFilter.lineCount)
  }

  /// Returns whether this is the first lookup in the sheet that a hash belongs to, and notes it.
  mutating func isFirstQuestion(of hash: UInt64) -> Bool {
    let sheet = block(of: hash) / NameShape.fanOut
    defer { sheets[sheet].wasAsked = true }
    return !sheets[sheet].wasAsked
  }

  /// Notes that all blocks before this one were merged into another run.
  package mutating func release(before block: Int) {
    first = block
    if block % NameShape.fanOut == 0 { sheets[block / NameShape.fanOut - 1] = NameSheet() }
  }

  /// Blocks are removed many at a time, because those of eight runs are on pages far apart.
  private static func clearable(_ first: Int) -> Int { first & ~63 }

  /// Adds to a frozen layer what is new, and the keys that are no longer needed.
  package mutating func give(to frozen: inout FrozenNames) {
    clear(before: Self.clearable(first), &frozen.removals)
    for sheet in max(given, first / NameShape.fanOut)..<max(given, sheets.count) {
      for (index, block) in sheets[sheet].blocks.enumerated() {
        let key = NameKey.block(NameShape.fanOut * sheet + index, of: id)
        frozen.entries.append((key, block))
      }
      frozen.entries.append((NameKey.filter(sheet, of: id), sheets[sheet].filter))
    }
    given = sheets.count
  }

  /// Adds to `removals` the keys before a block that may be in the base.
  package mutating func clear(before block: Int, _ removals: inout [Range<UInt64>]) {
    if given > 0, block > cleared {
      let sheets = (cleared / NameShape.fanOut, block / NameShape.fanOut)
      removals.append(NameKey.block(cleared, of: id)..<NameKey.block(block, of: id))
      removals.append(NameKey.filter(sheets.0, of: id)..<NameKey.filter(sheets.1, of: id))
    }
    cleared = max(cleared, block)
  }

  /// Releases the blocks that were handed over and are now in the base.
  package mutating func settle() {
    for sheet in settled..<given { sheets[sheet].blocks = [] }
    settled = given
  }
}
