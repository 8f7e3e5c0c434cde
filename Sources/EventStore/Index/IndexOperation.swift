/// The insertion or removal of an index entry.
///
/// The operations of a batch are sorted by sort key. At equal keys, a removal precedes an
/// insertion.
package struct IndexOperation<Token> {
  /// The words of the entry's sort key.
  package var words: SortWords
  /// The row's id.
  package var row: RowID
  /// Whether the entry is inserted.
  package var isInsertion: Bool
  /// The tie-breaker's token for the entry's whole sort key.
  package var token: Token

  /// Creates the insertion of an entry.
  @inline(__always)
  package static func insert(_ words: SortWords, _ row: RowID, token: Token) -> Self {
    Self(words: words, row: row, isInsertion: true, token: token)
  }

  /// Creates the removal of an entry.
  @inline(__always)
  package static func remove(_ words: SortWords, _ row: RowID, token: Token) -> Self {
    Self(words: words, row: row, isInsertion: false, token: token)
  }

  /// The place at which the operation happens.
  @inline(__always)
  var key: IndexKey<Token> { IndexKey(words, row: isInsertion ? nil : row, token: token) }

  /// The entry to insert or remove.
  @inline(__always)
  var entry: IndexEntry { IndexEntry(words, row) }
}

extension IndexOperation: Sendable where Token: Sendable {}
