/// A rule that orders entries with equal words by their whole sort keys.
///
/// It is asked only about such entries. An index knows an entry only by its row, so the tie-breaker
/// must know the sort key of each row's entry in the index: until a batch has been applied, that is
/// the old key, including for rows that the batch moves.
package protocol TieBreaker: ~Copyable, ~Escapable {
  /// A token that identifies a sort key being searched for; for example its place in an array.
  associatedtype Token

  /// Returns whether the sort key of a row's entry precedes the one being searched for.
  mutating func precedes(_ entry: RowID, _ token: Token) throws -> Bool
}
