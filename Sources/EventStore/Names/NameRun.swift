import LMDB

/// A run of a ``NameIndex``: pairs by ascending hashes, cut into blocks by even parts of the range
/// of hashes.
///
/// While it is made by a merge, only its first sheets are there. While it is merged into another,
/// its first blocks are there no more.
package struct NameRun: Sendable {
  /// Its number, which no other has.
  package let id: UInt32
  /// How many sheets it has when it is whole.
  package let sheetCount: Int
  /// The sheets that are there.
  package var sheets: [NameSheet]
  /// The first block that was not merged into another run.
  package private(set) var first = 0
  /// How many sheets were given to be committed, from the first.
  private var given: Int
  /// How many sheets' blocks are in the base, or no longer needed.
  private var settled: Int
  /// How many blocks were given to be removed.
  private var cleared = 0

  /// A run of which nothing is there yet.
  package init(id: UInt32, sheetCount: Int) {
    (self.id, self.sheetCount, sheets, given, settled) = (id, sheetCount, [], 0, 0)
  }

  /// A run whose first sheets are in the base, but for its first blocks.
  package init(id: UInt32, sheetCount: Int, sheets: Int, first: Int) {
    (self.id, self.sheetCount, given, settled) = (id, sheetCount, sheets, sheets)
    self.sheets = [NameSheet](repeating: NameSheet(), count: sheets)
    self.first = first
    cleared = Self.clearable(first)
  }

  /// How many blocks it has when it is whole.
  @inline(__always)
  var blockCount: Int { sheetCount * NameShape.fanOut }

  /// The block that a hash belongs to.
  @inline(__always)
  package func block(of hash: UInt64) -> Int { hash.part(of: blockCount) }

  /// Whether a hash may be there, or `nil` where the filter has to be loaded first.
  @inline(__always)
  package func mayHold(_ hash: UInt64) -> Bool? {
    let line = hash.part(of: sheetCount * NameFilter.lineCount)
    let sheet = line / NameFilter.lineCount
    guard sheet < sheets.count, block(of: hash) >= first else { return false }
    return sheets[sheet].mayHold(hash, line: line - sheet * NameFilter.lineCount)
  }

  /// Whether nothing was looked for before in the sheet that a hash belongs to; notes that it was.
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

  /// Blocks are removed many at a time, as those of eight runs stand on pages far from each other.
  private static func clearable(_ first: Int) -> Int { first & ~63 }

  /// Adds to a frozen layer what is new, and what is no longer needed.
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

  /// Adds to `removals` whatever of it may be in the base before a block.
  package mutating func clear(before block: Int, _ removals: inout [Range<UInt64>]) {
    if given > 0, block > cleared {
      let sheets = (cleared / NameShape.fanOut, block / NameShape.fanOut)
      removals.append(NameKey.block(cleared, of: id)..<NameKey.block(block, of: id))
      removals.append(NameKey.filter(sheets.0, of: id)..<NameKey.filter(sheets.1, of: id))
    }
    cleared = max(cleared, block)
  }

  /// Lets go of the blocks that were given and are in the base now.
  package mutating func settle() {
    for sheet in settled..<given { sheets[sheet].blocks = [] }
    settled = given
  }
}
