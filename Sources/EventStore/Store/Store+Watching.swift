import LMDB

extension Store {
  /// Watches one row by its id, whether the row exists or not.
  ///
  /// The live row is notified once for each batch that visibly changes what the id finds: the row
  /// was added, deleted or got other values, or the id became an alias of another row. Watched rows
  /// are looked up by what changed, so changes to other rows cost nothing, however many are
  /// watched.
  ///
  /// - Parameters:
  ///   - id: The id; it may be unknown so far.
  ///   - collection: The row's collection.
  ///   - onChange: Called with each change, immediately and on the thread that made it, with
  ///     exclusive access to the views; it must be short. Without it, changes arrive through
  ///     ``LiveRow/changes``.
  /// - Complexity: O(log *n*). Each change of the row costs O(log *n*), each other change O(1), and
  ///   ``resume()`` and any replacement of the views O(log *n*) again.
  /// - Throws: ``StoreError``.
  /// - Precondition: The collection is one of the reducer's. Not called within ``read(_:)`` or an
  ///   `onChange`.
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
