/// What decides the order of entries whose words are equal, by their whole sort keys.
///
/// It is asked only there. An index knows an entry by its row alone, so the tie-breaker must know
/// under which sort key each row's entry stands in the index: until a batch has been applied, that
/// is the key from before, also for the rows that the batch moves.
package protocol TieBreaker: ~Copyable, ~Escapable {
  /// What a sort key that is sought is known by; for example its place in an array.
  associatedtype Token

  /// Whether the sort key under which a row's entry stands comes before the one that is sought.
  mutating func precedes(_ entry: RowID, _ token: Token) throws -> Bool
}

/// A tie-breaker for words that are never equal: rows decide, by their numbers.
package struct RowOrder: TieBreaker {
  // Something to lie at an address: the thread sanitizer looks there wherever it is passed on.
  private var comparisons = 0

  package init() {}

  package mutating func precedes(_ entry: RowID, _ token: RowID) -> Bool {
    comparisons &+= 1
    return entry.rawValue < token.rawValue
  }
}
