extension Log {
  /// Makes records of what was written to a spool, and removes it there.
  ///
  /// Each event becomes one record, whatever crashes, and however many tasks and processes drain
  /// at once. They are in the order of the names of their files, which is that of `recordedAt`.
  /// Files that are no events are refused: they get another name, and stay. An empty spool costs
  /// no transaction. It goes on for as long as there are files; in between, batches are appended.
  ///
  /// A log has one spool: it remembers by their names alone which files it has drained and may have
  /// to remove yet, and forgets them when it drains the next time.
  ///
  /// - Returns: The numbers of the records, which are on the medium, and the files refused.
  /// - Throws: `readOnly`, `closed`, and what the log or the spool's folder fails with. What was
  ///   appended before is in the log; what wasn't is in the spool, for the next drain.
  /// - Complexity: A commit and a look at the folder for each 256 files or 8 MB, which are what
  ///   is in memory at a time.
  public func drain(_ spool: Spool) async throws(LogError) -> Drained {
    try await drain(spool, limits: SpoolDrain.Limits())
  }

  /// Drains a spool within other limits.
  package func drain(
    _ spool: Spool, limits: SpoolDrain.Limits
  ) async throws(LogError) -> Drained {
    guard !options.isReadOnly else { throw .readOnly(path: path) }
    var drain = SpoolDrain(spool, limits: limits)
    while !drain.isDone {
      drain = try await writer.run { [drain] loop throws(LogError) in
        var drain = drain
        try drain.round(&loop)
        return drain
      }
    }
    return drain.drained
  }
}
