/// What an index holds of a row: the words of its place, and which row it is.
package struct IndexEntry: Hashable, Sendable {
  /// The words of the row's sort key.
  package var words: SortWords
  /// The row.
  package var row: RowID

  /// The entry of a row.
  @inline(__always)
  package init(_ words: SortWords, _ row: RowID) { (self.words, self.row) = (words, row) }
}

/// A place in an index's order, at which an entry may stand or not.
package struct IndexKey<Token> {
  /// The words of the sort key.
  package var words: SortWords
  /// The row whose entry stands at just this place, where it is known that one does.
  ///
  /// It is found without a word with the tie-breaker. Without it the place is before all entries
  /// that don't precede the key.
  package var row: RowID?
  /// What the tie-breaker knows the whole sort key by.
  package var token: Token

  /// A place.
  @inline(__always)
  package init(_ words: SortWords, row: RowID? = nil, token: Token) {
    (self.words, self.row, self.token) = (words, row, token)
  }
}

extension IndexKey: Sendable where Token: Sendable {}
