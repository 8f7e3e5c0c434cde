import EventStore
import TestSupport
import Testing

/// The parameters of an index, and the number of distinct values of a word.
struct IndexShape: CustomTestStringConvertible, Sendable {
  let width: Int
  let variety: UInt64
  let nodeBytes: Int
  var testDescription: String { "\(width) words of \(variety), nodes of \(nodeBytes)" }
  var header: IndexHeader { IndexHeader(width: width, nodeBytes: nodeBytes) }
}

/// An index and its model, which undergo the same changes.
struct IndexTwins: ~Copyable {
  var index: RankedIndex
  var model: IndexModel
  var generator: SeededGenerator
  /// The number of times a tie-breaker was asked.
  private(set) var askedCount = 0
  private let seed: UInt64

  init(_ shape: IndexShape, seed: UInt64, base: NodeBase? = nil) {
    index = RankedIndex(view: 7, shape.header, base: base)
    model = IndexModel(width: shape.width, variety: shape.variety)
    generator = SeededGenerator(seed: seed)
    self.seed = seed
  }

  mutating func randomRank() -> Int { Int.random(in: 0..<index.count, using: &generator) }

  mutating func apply(
    removing removals: Int, inserting insertions: Int, neighbours: Bool = false
  ) throws {
    var ties = model.ties
    let operations = model.change(
      removing: removals, inserting: insertions, neighbours: neighbours, using: &generator)
    try index.apply(operations.span, &ties)
    askedCount += ties.askedCount
  }

  /// Applies a batch that mostly grows the index, or shrinks it, often to nothing.
  mutating func applyRandomBatch() throws {
    let size = 1 << Int.random(in: 0...10, using: &generator)
    let isGrowing = Int.random(in: 0..<5, using: &generator) > 1
    try apply(
      removing: isGrowing ? size / 4 : size, inserting: isGrowing ? size : size / 4,
      neighbours: Bool.random(using: &generator))
  }

  mutating func applyRandomSingles() throws {
    let isGrowing = Int.random(in: 0..<3, using: &generator) > 0
    for _ in 0..<Int.random(in: 1...60, using: &generator) {
      if isGrowing { try insert() } else if index.count > 0 { try remove(at: randomRank()) }
    }
  }

  mutating func insert() throws {
    var ties = model.ties
    let entry = model.insert(model.randomKey(using: &generator))
    let rank = try index.insert(entry.key.words, entry.row, token: entry.key.text, &ties)
    #expect(rank == model.rank(of: entry.key), "seed \(seed)")
    try compare(at: entry.key, model.ties)
  }

  mutating func remove(at rank: Int) throws {
    var ties = model.ties
    let entry = model.remove(at: rank)
    let found = try index.remove(entry.key.words, entry.row, token: entry.key.text, &ties)
    #expect(found == rank, "seed \(seed)")
    try compare(at: entry.key, model.ties)
  }

  /// Removes all entries of some rows: of few, of nearly all, or of a stretch.
  mutating func prune() throws {
    var (rows, share) = (RowSet(), [0, 5, 50, 95, 100].randomElement(using: &generator) ?? 0)
    let stretch = index.count == 0 ? 0..<0 : randomRank()..<index.count
    for (rank, entry) in model.entries.enumerated() {
      if Bool.random(using: &generator), stretch.contains(rank) { share = 100 }
      if Int.random(in: 0..<100, using: &generator) < share { rows.insert(entry.row.rawValue) }
    }
    rows.insert(UInt32.random(in: 1...100_000, using: &generator))
    try index.removeAll(of: rows)
    model.removeAll { rows.contains($0.rawValue) }
  }

  /// Removes all entries.
  mutating func removeAll() throws {
    try index.removeAll()
    model.removeAll { _ in true }
    #expect(index.count == 0 && index.hash == 0, "seed \(seed)")
  }

  mutating func build(_ count: Int) throws {
    _ = model.change(removing: 0, inserting: count, using: &generator)
    var rest = model.indexEntries[...]
    let fill = Double.random(in: 0.3...1, using: &generator)
    try index.build(fill: fill) { rest.popFirst() }
  }

  /// Compares all entries, and the answers to some random queries.
  mutating func compare() throws {
    let ties = model.ties
    let entries = try index.entries()
    #expect(entries == model.indexEntries, "seed \(seed)")
    try index.checkInvariants { try ties.ascend($0, $1) }
    for _ in 0..<8 { try compare(at: model.randomKey(using: &generator), ties) }
    for _ in 0..<8 where index.count > 0 { try compare(at: randomRank(), ties) }
  }

  private mutating func compare(at key: ModelKey, _ ties: TextTies) throws {
    var ties = ties
    let place = IndexKey(key.words, token: key.text)
    let rank = try index.rank(of: place, &ties)
    #expect(rank == model.rank(of: key), "seed \(seed)")
    let isFound = try index.contains(place, &ties)
    #expect(!isFound, "seed \(seed)")
    let words = try index.rank(ofWordsAtLeast: key.words)
    #expect(words == model.entries.partitionPoint { $0.key.words < key.words }, "seed \(seed)")
    let group = key.words.first
    let start = model.entries.partitionPoint { $0.key.words.first < group }
    let end = model.entries.partitionPoint { $0.key.words.first <= group }
    let ranks = try index.ranks(ofGroup: group)
    #expect(ranks == start..<end, "seed \(seed)")
  }

  private mutating func compare(at rank: Int, _ ties: TextTies) throws {
    var ties = ties
    let entry = model.entries[rank]
    let found = try index.entry(at: rank)
    #expect(found == IndexEntry(entry.key.words, entry.row), "seed \(seed)")
    for row in [nil, entry.row] {
      let key = IndexKey(entry.key.words, row: row, token: entry.key.text)
      let (place, isFound) = (try index.rank(of: key, &ties), try index.contains(key, &ties))
      #expect(place == rank, "seed \(seed)")
      #expect(isFound == (row != nil), "seed \(seed)")
    }
    let end = Int.random(in: rank...index.count, using: &generator)
    let rows = try index.rows(in: rank..<end)
    #expect(rows == model.entries[rank..<end].map(\.row), "seed \(seed)")
  }
}

/// Runs `body`, and records the error it throws with the seed.
func naming(_ seed: UInt64, _ body: () throws -> Void) {
  do { try body() } catch { Issue.record(error, "seed \(seed)") }
}
