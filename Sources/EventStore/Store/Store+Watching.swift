import LMDB

extension Store {
  /// Watches one row by its id, whether there is such a row or not.
  ///
  /// It is told once for each batch in which what the id finds changed visibly: the row came, went
  /// or has other values, or the id became another name of another row. Rows are found by what
  /// changed, so however many are watched, what happens to others costs nothing.
  ///
  /// - Parameters:
  ///   - id: The id, of which nothing need be known yet.
  ///   - collection: The collection that the row is in.
  ///   - onChange: Is called with each change, at once and on the thread that made it, with the
  ///     views to itself: it must be short. Without it changes come through
  ///     ``LiveRow/changes``.
  /// - Complexity: O(log *n*); so is each change of the row, each other change O(1), and
  ///   ``resume()``, and whenever the views that are shown are replaced, O(log *n*) again.
  /// - Throws: ``StoreError``.
  /// - Precondition: The collection is one of the reducer's. It is not called within ``read(_:)``
  ///   or an `onChange`.
  public func watch(
    _ id: String, in collection: RowCollection,
    onChange: (@Sendable (RowChange) -> Void)? = nil
  ) throws(StoreError) -> LiveRow {
    _ = try parts
    do {
      let live = try LiveRow(id, in: collection, on: stage, onChange)
      guard let live else { throw absence }
      return live
    } catch {
      throw StoreError(error, path: path)
    }
  }
}
