import EventStore

/// A tie-breaker for words that are never equal: rows decide, by their numbers.
struct RowOrder: TieBreaker {
  // Something to lie at an address: the thread sanitizer looks there wherever it is passed on.
  private var comparisons = 0

  init() {}

  mutating func precedes(_ entry: RowID, _ token: RowID) -> Bool {
    comparisons &+= 1
    return entry.rawValue < token.rawValue
  }
}
