/// A row's entry in an index: the words of its sort key, and its id.
package struct IndexEntry: Hashable, Sendable {
  /// The words of the row's sort key.
  package var words: SortWords
  /// The row's id.
  package var row: RowID

  /// Creates the entry of a row.
  @inline(__always)
  package init(_ words: SortWords, _ row: RowID) { (self.words, self.row) = (words, row) }
}

/// A place in an index's order, which may or may not have an entry.
package struct IndexKey<Token> {
  /// The words of the sort key.
  package var words: SortWords
  /// The row whose entry is exactly at this place, if one is known to be.
  ///
  /// If it is the first entry with these words, it is found without asking the tie-breaker. Without
  /// a row, the place is before all entries that do not precede the key.
  package var row: RowID?
  /// The tie-breaker's token for the whole sort key.
  package var token: Token

  /// Creates a place.
  @inline(__always)
  package init(_ words: SortWords, row: RowID? = nil, token: Token) {
    (self.words, self.row, self.token) = (words, row, token)
  }
}

extension IndexKey: Sendable where Token: Sendable {}
