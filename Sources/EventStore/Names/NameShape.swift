/// How large the parts of a ``NameIndex`` are.
///
/// A run of tier 0 is made of a full tail, and each tier's runs of eight of the tier below. The
/// range of hashes is divided evenly among a run's blocks, so which block a hash belongs to follows
/// from the hash alone, and eight runs' blocks of one number become a sheet of the run they are
/// merged into.
package struct NameShape: Hashable, Sendable {
  /// How many runs are merged into one, and how many blocks make a sheet.
  package static let fanOut = 8
  /// How many tiers there can be: more than rows have numbers for.
  static let tierCountMax = 7

  /// How many pairs the tail holds.
  package let tailMax: Int
  /// How many sheets a run of tier 0 has.
  package let sheetCount: Int

  /// A shape whose tail holds at most 32,768 pairs, and whose runs have at most 256 sheets at
  /// first; traps otherwise.
  package init(tailMax: Int, sheetCount: Int) {
    precondition(Self.tails.contains(tailMax) && Self.sheets.contains(sheetCount), "a bad shape")
    (self.tailMax, self.sheetCount) = (tailMax, sheetCount)
  }

  static let tails = 1...32_768
  static let sheets = 1...256

  /// The shape of a store's index: blocks have 293 pairs on average, and one in 240 has more than
  /// the 338 that fit on a page of LMDB.
  package static let standard = NameShape(tailMax: 32_768, sheetCount: 14)

  /// How many sheets a run of a tier has.
  package func sheetCount(ofTier tier: Int) -> Int { sheetCount << (3 * tier) }

  /// How many pairs are inserted for each sheet that an open merge advances by.
  ///
  /// A merge of a tier is done by the time that two more of its runs are full, six before the next
  /// is due.
  package var stride: Int { max(1, 2 * tailMax / (Self.fanOut * sheetCount)) }
}
