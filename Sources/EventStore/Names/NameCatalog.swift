/// The structure of a ``NameIndex``, and the schedule of its merges: everything about it except the
/// pairs.
///
/// A full tail becomes a run of tier 0. Once a tier has eight runs, they are merged into one of the
/// next tier, one sheet for every so many inserted pairs, and then removed. So each tier has at
/// most one merge, always of its eight oldest runs, and the number of sheets in its output is all
/// of its state.
package struct NameCatalog: Hashable, Sendable {
  /// The sizes.
  package let shape: NameShape
  /// The number last given to a run or tail.
  package internal(set) var issued: UInt32 = 1
  /// The number of the tail.
  package internal(set) var tail: UInt32 = 1
  /// The number of pairs in the tail.
  package internal(set) var tailCount = 0
  /// The number of pairs inserted since merges were advanced.
  package internal(set) var pending = 0
  /// The tiers.
  package internal(set) var tiers: [Tier] = []

  /// The runs of a tier.
  package struct Tier: Hashable, Sendable {
    /// The numbers of the complete runs, oldest first.
    package internal(set) var runs: [UInt32] = []
    /// The output of merging the eight oldest runs.
    package internal(set) var output: Output?
  }

  /// A run produced by a merge.
  package struct Output: Hashable, Sendable {
    /// The number of the run.
    package let id: UInt32
    /// The number of sheets that it has so far.
    package internal(set) var sheets: Int
  }

  /// A merge in progress.
  package struct Merge: Hashable, Sendable {
    /// The tier of the merged runs.
    package let tier: Int
    /// The numbers of the merged runs.
    package let inputs: [UInt32]
    /// The output of the merge.
    package let output: Output
  }

  /// Creates the catalog of an empty index.
  package init(_ shape: NameShape) { self.shape = shape }

  /// Whether the tail is full.
  @inline(__always)
  package var isFull: Bool { tailCount == shape.tailMax }

  /// Whether each merge must advance by a sheet before the next pair.
  @inline(__always)
  package var isDue: Bool { pending >= shape.stride }

  /// Notes the insertion of a pair into the tail, which must not be full.
  @inline(__always)
  package mutating func insert() {
    tailCount += 1
    pending += 1
  }

  /// The merges in progress.
  package var merges: [Merge] {
    tiers.indices.compactMap { tier in
      tiers[tier].output.map {
        Merge(tier: tier, inputs: Array(tiers[tier].runs.prefix(NameShape.fanOut)), output: $0)
      }
    }
  }

  /// Turns the full tail into a run and returns its number; the tail is then empty, with a new
  /// number.
  package mutating func roll() -> UInt32 {
    precondition(isFull, "the tail has room")
    let run = issue()
    add(run, toTier: 0)
    tail = issue()
    tailCount = 0
    return run
  }

  /// Notes that the merge of a tier produced a sheet; returns whether it was the last, so that
  /// the inputs are removed.
  package mutating func advance(_ tier: Int) -> Bool {
    guard var output = tiers[tier].output else { preconditionFailure("nothing is merged") }
    output.sheets += 1
    tiers[tier].output = output
    guard output.sheets == shape.sheetCount(ofTier: tier + 1) else { return false }
    tiers[tier].output = nil
    tiers[tier].runs.removeFirst(NameShape.fanOut)
    begin(tier)
    add(output.id, toTier: tier + 1)
    return true
  }

  /// Notes a run that was built at once, and returns its number.
  package mutating func add(toTier tier: Int) -> UInt32 {
    while tiers.count < tier { tiers.append(Tier()) }
    let run = issue()
    add(run, toTier: tier)
    return run
  }

  /// Notes the number of pairs left in the tail after a bulk was turned into runs.
  package mutating func endBulk(tailCount: Int) {
    self.tailCount = tailCount
    pending = 0
  }

  /// Notes that all merges advanced.
  package mutating func rest() { pending = 0 }

  private mutating func issue() -> UInt32 {
    issued += 1
    return issued
  }

  private mutating func add(_ run: UInt32, toTier tier: Int) {
    if tier == tiers.count { tiers.append(Tier()) }
    tiers[tier].runs.append(run)
    begin(tier)
  }

  /// Begins a merge if one is due.
  private mutating func begin(_ tier: Int) {
    guard tiers[tier].output == nil, tiers[tier].runs.count >= NameShape.fanOut,
      tier + 1 < NameShape.tierCountMax
    else { return }
    tiers[tier].output = Output(id: issue(), sheets: 0)
  }
}
