/// The sizes of the parts of a ``NameIndex``.
///
/// A run of tier 0 consists of a full tail, and a run of each other tier of eight runs of the tier
/// below. A run's blocks divide the range of hashes evenly, so a hash alone determines its block,
/// and the same-numbered blocks of eight runs become a sheet of the merged run.
package struct NameShape: Hashable, Sendable {
  /// The number of runs merged into one, and the number of blocks in a sheet.
  package static let fanOut = 8
  /// The maximum number of tiers: more than row numbers can fill.
  static let tierCountMax = 7

  /// The number of pairs that the tail holds.
  package let tailMax: Int
  /// The number of sheets in a run of tier 0.
  package let sheetCount: Int

  /// Creates a shape with a tail of at most 32,768 pairs and at most 256 sheets for a run of tier
  /// 0; traps otherwise.
  package init(tailMax: Int, sheetCount: Int) {
    precondition(Self.tails.contains(tailMax) && Self.sheets.contains(sheetCount), "a bad shape")
    (self.tailMax, self.sheetCount) = (tailMax, sheetCount)
  }

  static let tails = 1...32_768
  static let sheets = 1...256

  /// The shape of a store's index: blocks have 293 pairs on average, and one in 240 has more than
  /// the 338 that fit on an LMDB page.
  package static let standard = NameShape(tailMax: 32_768, sheetCount: 14)

  /// Returns the number of sheets in a run of a tier.
  package func sheetCount(ofTier tier: Int) -> Int { sheetCount << (3 * tier) }

  /// The number of pairs inserted for each sheet that an open merge advances by.
  ///
  /// A merge of a tier is done by the time that two more of its runs are full, six before the next
  /// is due.
  package var stride: Int { max(1, 2 * tailMax / (Self.fanOut * sheetCount)) }
}
