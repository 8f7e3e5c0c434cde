/// An entry that goes into an index or out of it.
///
/// A batch of them is sorted by sort key. Where one takes out an entry and another puts one in at
/// an equal key, the one that takes out stands before.
package struct IndexOperation<Token> {
  /// The words of the entry's sort key.
  package var words: SortWords
  /// The row.
  package var row: RowID
  /// Whether the entry goes in.
  package var isInsertion: Bool
  /// What the tie-breaker knows the entry's whole sort key by.
  package var token: Token

  /// An entry that goes in.
  @inline(__always)
  package static func insert(_ words: SortWords, _ row: RowID, token: Token) -> Self {
    Self(words: words, row: row, isInsertion: true, token: token)
  }

  /// An entry that goes out.
  @inline(__always)
  package static func remove(_ words: SortWords, _ row: RowID, token: Token) -> Self {
    Self(words: words, row: row, isInsertion: false, token: token)
  }

  /// The place it happens at.
  @inline(__always)
  var key: IndexKey<Token> { IndexKey(words, row: isInsertion ? nil : row, token: token) }

  /// The entry.
  @inline(__always)
  var entry: IndexEntry { IndexEntry(words, row) }
}

extension IndexOperation: Sendable where Token: Sendable {}
