/// What a ``NameIndex`` consists of, and what is merged when: everything about it but the pairs.
///
/// A full tail becomes a run of tier 0. As soon as a tier has eight runs they begin to be merged
/// into one of the next tier, a sheet at a time, for every so many pairs inserted; then they are
/// gone. So there is one merge at most per tier, always of its eight oldest runs, and how many
/// sheets of its output there are is all there is to know of it.
package struct NameCatalog: Hashable, Sendable {
  /// The sizes.
  package let shape: NameShape
  /// The number given last to a run or tail.
  package internal(set) var issued: UInt32 = 1
  /// The number of the tail.
  package internal(set) var tail: UInt32 = 1
  /// How many pairs the tail holds.
  package internal(set) var tailCount = 0
  /// How many pairs were inserted since merges were advanced.
  package internal(set) var pending = 0
  /// The tiers.
  package internal(set) var tiers: [Tier] = []

  /// The runs of a tier.
  package struct Tier: Hashable, Sendable {
    /// The numbers of the whole ones, the oldest first.
    package internal(set) var runs: [UInt32] = []
    /// What its eight oldest are being merged into.
    package internal(set) var output: Output?
  }

  /// A run that a merge makes.
  package struct Output: Hashable, Sendable {
    /// Its number.
    package let id: UInt32
    /// How many of its sheets there are.
    package internal(set) var sheets: Int
  }

  /// A merge that is under way.
  package struct Merge: Hashable, Sendable {
    /// The tier of the runs that are merged.
    package let tier: Int
    /// Their numbers.
    package let inputs: [UInt32]
    /// What they are merged into.
    package let output: Output
  }

  /// The catalog of an empty index.
  package init(_ shape: NameShape) { self.shape = shape }

  /// Whether the tail is full.
  @inline(__always)
  package var isFull: Bool { tailCount == shape.tailMax }

  /// Whether each merge has to advance by a sheet before the next pair.
  @inline(__always)
  package var isDue: Bool { pending >= shape.stride }

  /// Notes a pair that was inserted into the tail, which must not be full.
  @inline(__always)
  package mutating func insert() {
    tailCount += 1
    pending += 1
  }

  /// The merges that are under way.
  package var merges: [Merge] {
    tiers.indices.compactMap { tier in
      tiers[tier].output.map {
        Merge(tier: tier, inputs: Array(tiers[tier].runs.prefix(NameShape.fanOut)), output: $0)
      }
    }
  }

  /// Makes the full tail a run, and returns its number; the tail is empty then, and has another.
  package mutating func roll() -> UInt32 {
    precondition(isFull, "the tail has room")
    let run = issue()
    add(run, toTier: 0)
    tail = issue()
    tailCount = 0
    return run
  }

  /// Notes that the merge of a tier made a sheet; returns whether it was the last, so that its
  /// inputs are gone.
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

  /// Notes a run that was made at once, and returns its number.
  package mutating func add(toTier tier: Int) -> UInt32 {
    while tiers.count < tier { tiers.append(Tier()) }
    let run = issue()
    add(run, toTier: tier)
    return run
  }

  /// Notes how many pairs are left in the tail, where many were made runs at once.
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

  /// Begins a merge where one is due.
  private mutating func begin(_ tier: Int) {
    guard tiers[tier].output == nil, tiers[tier].runs.count >= NameShape.fanOut,
      tier + 1 < NameShape.tierCountMax
    else { return }
    tiers[tier].output = Output(id: issue(), sheets: 0)
  }
}
