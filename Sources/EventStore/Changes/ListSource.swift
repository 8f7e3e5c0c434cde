/// The source a list is read from to determine its changes, as of the end of the stretch.
package protocol ListSource<Key>: ~Copyable, ~Escapable {
  /// The type of the sort keys, which are unique among rows.
  associatedtype Key
  /// The error that reading can throw.
  associatedtype Failure: Error

  /// Returns the leading words of a key.
  func words(of key: Key) -> SortWords
  /// Returns whether one key sorts before another.
  func comesBefore(_ a: Key, _ b: Key) -> Bool
  /// Returns the number of rows in the list.
  mutating func count() throws(Failure) -> Int
  /// Returns the number of rows before a key, whether or not a row has that key.
  mutating func rank(of key: Key) throws(Failure) -> Int
  /// Returns the row at an index.
  mutating func row(at index: Int) throws(Failure) -> Row
  /// Returns a row of the list by its id.
  mutating func row(_ id: RowID) throws(Failure) -> Row
  /// Returns a row's trace at the beginning of the stretch, when the row was in the list.
  mutating func trace(of id: RowID) throws(Failure) -> RowTrace
}
