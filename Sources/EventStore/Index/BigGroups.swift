/// Where some groups of an index begin and end: those asked for last of such as don't end within
/// the leaf that they begin in.
///
/// To find both ends of such a group takes two ways down the tree, which wait for memory; to keep
/// them exact takes a comparison for each entry that comes or goes. Whatever changes how many
/// entries the index has must say so here.
struct BigGroups {
  struct Group {
    let word: UInt64
    var ranks: Range<Int>
  }

  private(set) var groups: [Group] = []
  /// Which one gives way next.
  private var oldest = 0

  /// To go through so many costs about as much as one look at a leaf.
  private static let countMax = 64
  /// Of more changes at once all groups are forgotten.
  private static let operationsMax = 16

  /// The ranks of a group, where it is one of them.
  func ranks(of word: UInt64) -> Range<Int>? {
    for group in groups where group.word == word { return group.ranks }
    return nil
  }

  /// Takes in a group that is not one of them.
  mutating func keep(_ word: UInt64, at ranks: Range<Int>) {
    let group = Group(word: word, ranks: ranks)
    guard groups.count == Self.countMax else { return groups.append(group) }
    groups[oldest] = group
    oldest = (oldest + 1) % Self.countMax
  }

  /// Notes that an entry came to a group, or that one went.
  mutating func entryChanged(in word: UInt64, by difference: Int) {
    for index in groups.indices where word <= groups[index].word {
      let ranks = groups[index].ranks
      let start = word < groups[index].word ? ranks.lowerBound + difference : ranks.lowerBound
      groups[index].ranks = start..<(ranks.upperBound + difference)
    }
  }

  /// Notes what a batch did.
  mutating func entriesChanged<Token>(by operations: Span<IndexOperation<Token>>) {
    guard operations.count <= Self.operationsMax else { return removeAll() }
    for index in operations.indices {
      let operation = operations[index]
      entryChanged(in: operation.words.first, by: operation.isInsertion ? 1 : -1)
    }
  }

  /// Forgets all.
  mutating func removeAll() { groups.removeAll(keepingCapacity: true) }
}
