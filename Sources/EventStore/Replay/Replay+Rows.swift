extension Replay {
  /// The rows, until the replay starts over.
  package var foldedRows: FoldedRows { FoldedRows(workspace, path: log.path) }

  /// Advances by up to `limit` records; returns whether it is at the last.
  ///
  /// - Throws: ``StoreError``.
  package func step(to last: RecordNumber, atMost limit: Int) throws(StoreError) -> Bool {
    do {
      let count = try log.read { snapshot in
        try workspace.reduce(from: snapshot, atMost: limit, through: last)
      }
      return count == 0 || workspace.applied.number >= last
    } catch {
      throw StoreError(error, path: log.path)
    }
  }
}

extension Store {
  /// Returns a replay before the first record, to advance with ``Replay/step(to:atMost:)``.
  ///
  /// - Throws: ``StoreError``.
  package func beginning() throws(StoreError) -> Replay {
    let parts = try parts
    do { return try Replay(beginningOf: parts.log, parts.replayed) } catch {
      throw StoreError(error, path: path)
    }
  }
}
