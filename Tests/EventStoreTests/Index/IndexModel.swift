import EventStore
import TestSupport

/// A row's place in the order: words, then a text that breaks ties.
struct ModelKey: Hashable, Comparable {
  var words: SortWords
  var text: String

  static func < (left: Self, right: Self) -> Bool {
    left.words == right.words ? left.text < right.text : left.words < right.words
  }
}

/// A sorted array that models what an index must do.
struct IndexModel {
  struct Entry: Hashable {
    var key: ModelKey
    var row: RowID
  }

  let width: Int
  /// The number of distinct values of a word: the fewer, the more ties.
  let variety: UInt64
  private(set) var entries: [Entry] = []
  private var nextRow: UInt32 = 1

  init(width: Int, variety: UInt64) { (self.width, self.variety) = (width, variety) }

  var indexEntries: [IndexEntry] { entries.map { IndexEntry($0.key.words, $0.row) } }

  /// A tie-breaker that knows the text of each row's entry.
  var ties: TextTies {
    TextTies(texts: Dictionary(uniqueKeysWithValues: entries.map { ($0.row, $0.key.text) }))
  }

  /// Removes the entries of some rows.
  mutating func removeAll(where isGone: (RowID) -> Bool) { entries.removeAll { isGone($0.row) } }

  func rank(of key: ModelKey) -> Int { entries.partitionPoint { $0.key < key } }

  func randomKey(using generator: inout SeededGenerator) -> ModelKey {
    var words = SortWords()
    for word in 0..<width {
      let value = UInt64.random(in: 0..<variety, using: &generator)
      words[word] = value == variety - 1 ? .max : value
    }
    let text = String(UInt32.random(in: 0 ..< .max, using: &generator), radix: 36)
    return ModelKey(words: words, text: text)
  }

  /// Removes random entries and inserts others, some of them for the removed rows; returns the
  /// sorted operations that an index has to apply.
  ///
  /// If `neighbours` is true, nearly all removed entries are adjacent.
  mutating func change(
    removing removals: Int, inserting insertions: Int, neighbours: Bool = false,
    using generator: inout SeededGenerator
  ) -> [IndexOperation<String>] {
    var operations: [(key: ModelKey, operation: IndexOperation<String>)] = []
    var gone: [Entry] = []
    var place = Int.random(in: 0...entries.count, using: &generator)
    for _ in 0..<min(removals, entries.count) {
      if !neighbours { place = Int.random(in: 0..<entries.count, using: &generator) }
      place += neighbours && Int.random(in: 0..<30, using: &generator) == 0 ? 1 : 0
      if place >= entries.count { place = 0 }
      gone.append(entries.remove(at: place))
    }
    for entry in gone {
      operations.append((entry.key, .remove(entry.key.words, entry.row, token: entry.key.text)))
    }
    for _ in 0..<insertions {
      let entry = newEntry(moving: &gone, using: &generator)
      entries.insert(entry, at: rank(of: entry.key))
      operations.append((entry.key, .insert(entry.key.words, entry.row, token: entry.key.text)))
    }
    return operations.sorted {
      ($0.key, $0.operation.isInsertion ? 1 : 0) < ($1.key, $1.operation.isInsertion ? 1 : 0)
    }.map(\.operation)
  }

  /// Returns an entry for a new row or a removed one, perhaps with its old words or key.
  private mutating func newEntry(
    moving gone: inout [Entry], using generator: inout SeededGenerator
  ) -> Entry {
    var key = randomKey(using: &generator)
    if Bool.random(using: &generator), let moved = gone.popLast() {
      let kept = Int.random(in: 0..<4, using: &generator)
      if kept == 0 { key.words = moved.key.words }
      if kept == 1 { key = moved.key }
      return Entry(key: key, row: moved.row)
    }
    defer { nextRow += 1 }
    return Entry(key: key, row: RowID(rawValue: nextRow))
  }

  /// Inserts an entry for a new row.
  mutating func insert(_ key: ModelKey) -> Entry {
    let entry = Entry(key: key, row: RowID(rawValue: nextRow))
    entries.insert(entry, at: rank(of: key))
    nextRow += 1
    return entry
  }

  mutating func remove(at rank: Int) -> Entry { entries.remove(at: rank) }
}

/// Breaks ties by text, and throws for rows that have no entry.
struct TextTies: TieBreaker {
  var texts: [RowID: String]
  var askedCount = 0

  struct Unknown: Error { let row: RowID }

  mutating func precedes(_ entry: RowID, _ token: String) throws -> Bool {
    askedCount += 1
    guard let text = texts[entry] else { throw Unknown(row: entry) }
    return text < token
  }

  func ascend(_ left: RowID, _ right: RowID) throws -> Bool {
    guard let left = texts[left] else { throw Unknown(row: left) }
    guard let right = texts[right] else { throw Unknown(row: right) }
    return left < right
  }
}

extension Array {
  /// Returns the first index whose element doesn't satisfy the predicate, in an array partitioned
  /// by it.
  func partitionPoint(_ isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension RankedIndex {
  /// Returns all entries.
  mutating func entries() throws -> [IndexEntry] {
    var entries: [IndexEntry] = []
    try appendEntries(in: 0..<count, to: &entries)
    return entries
  }
}
