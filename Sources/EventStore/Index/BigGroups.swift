/// The ranks of some groups of an index: those added last, among groups that extend beyond the leaf
/// in which they begin.
///
/// Finding both ends of such a group takes two descents of the tree, which wait for memory; keeping
/// them exact takes one comparison for each entry that is inserted or removed. Every change to the
/// number of entries in the index must be reported here.
struct BigGroups {
  struct Group {
    let word: UInt64
    var ranks: Range<Int>
  }

  private(set) var groups: [Group] = []
  /// The index of the group to be replaced next.
  private var oldest = 0

  /// The maximum number of groups; scanning them costs about as much as searching one leaf.
  private static let countMax = 64
  /// The maximum number of changes in a batch; beyond it, all groups are discarded.
  private static let operationsMax = 16

  /// Returns the ranks of a group, if they are kept.
  func ranks(of word: UInt64) -> Range<Int>? {
    for group in groups where group.word == word { return group.ranks }
    return nil
  }

  /// Adds a group that is not kept yet.
  mutating func keep(_ word: UInt64, at ranks: Range<Int>) {
    let group = Group(word: word, ranks: ranks)
    guard groups.count == Self.countMax else { return groups.append(group) }
    groups[oldest] = group
    oldest = (oldest + 1) % Self.countMax
  }

  /// Notes the insertion or removal of an entry of a group.
  mutating func entryChanged(in word: UInt64, by difference: Int) {
    for index in groups.indices where word <= groups[index].word {
      let ranks = groups[index].ranks
      let start = word < groups[index].word ? ranks.lowerBound + difference : ranks.lowerBound
      groups[index].ranks = start..<(ranks.upperBound + difference)
    }
  }

  /// Notes the changes of a batch.
  mutating func entriesChanged<Token>(by operations: Span<IndexOperation<Token>>) {
    guard operations.count <= Self.operationsMax else { return removeAll() }
    for index in operations.indices {
      let operation = operations[index]
      entryChanged(in: operation.words.first, by: operation.isInsertion ? 1 : -1)
    }
  }

  /// Discards all groups.
  mutating func removeAll() { groups.removeAll(keepingCapacity: true) }
}
