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
