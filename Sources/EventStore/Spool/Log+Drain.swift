extension Log {
  /// Appends the events in a spool to the log and removes their files.
  ///
  /// Each event becomes exactly one record, even across crashes and with several tasks and
  /// processes draining at once. Records follow the order of the file names, which is the order of
  /// `recordedAt`. Files that aren't events are refused: they are renamed and kept. Draining an
  /// empty spool costs no transaction. The drain runs until no files remain; other batches are
  /// appended between its rounds.
  ///
  /// A log has one spool: it remembers only the names of drained files that may still need removal,
  /// and forgets them at the next drain.
  ///
  /// - Returns: The numbers of the records, which are durable, and the refused files.
  /// - Throws: `readOnly`, `closed`, and any failure of the log or of the spool's folder. Events
  ///   appended before the failure are in the log; the rest stay in the spool for the next drain.
  /// - Complexity: One commit per 256 files or 8 MB, which is also the most that is held in memory
  ///   at a time, beside the names of all files. The folder is listed twice, and once more for
  ///   files that arrive in the meantime.
  public func drain(_ spool: Spool) async throws(LogError) -> Drained {
    try await drain(spool, limits: SpoolDrain.Limits())
  }

  /// Drains a spool within the given limits.
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
