/// What a list is read from, to tell what happened to it: as it is at the end of the stretch.
package protocol ListSource<Key>: ~Copyable, ~Escapable {
  /// What the rows are ordered by; no two rows have the same.
  associatedtype Key
  /// What reading can throw.
  associatedtype Failure: Error

  /// The words that a key begins with.
  func words(of key: Key) -> SortWords
  /// Whether one key stands before another.
  func comesBefore(_ a: Key, _ b: Key) -> Bool
  /// How many rows the list has.
  mutating func count() throws(Failure) -> Int
  /// How many of its rows stand before a key, whether or not a row has that.
  mutating func rank(of key: Key) throws(Failure) -> Int
  /// The row of an index.
  mutating func row(at index: Int) throws(Failure) -> Row
  /// A row of the list by its id.
  mutating func row(_ id: RowID) throws(Failure) -> Row
  /// What a row was at the beginning of the stretch, when it was in the list.
  mutating func trace(of id: RowID) throws(Failure) -> RowTrace
}
