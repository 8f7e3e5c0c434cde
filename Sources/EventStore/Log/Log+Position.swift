extension Log {
  /// Returns the position after a record, to be kept, once the record is flushed; a log opened
  /// read-only leaves that to whoever appends.
  ///
  /// - Throws: `damagedRecord` with `absent` if the record doesn't exist; `compacted` below the
  ///   floor.
  public func position(at number: RecordNumber) async throws(LogError) -> Position {
    let chain = try chain(at: number)
    if head.durable < number { try await flush() }
    return Position(store: store, number: number, chain: chain)
  }

  /// Returns the position after the last record, to be kept, once that record is flushed.
  public func position() async throws(LogError) -> Position {
    try await position(at: last)
  }

  /// Whether the log holds a position: every record up to it is one that the position was taken
  /// from.
  ///
  /// Returns `false` for a position of another store, beyond the end (as after restoring a backup),
  /// whose records have changed, or below the floor, where nobody can tell any more. The floor
  /// itself is held, because it is what the baseline comes to.
  public func holds(_ position: Position) throws(LogError) -> Bool {
    guard position.store == store else { return false }
    return try reading { snapshot throws(LogError) in
      guard position.number <= snapshot.last else { return false }
      return try snapshot.chain(at: position.number) == position.chain
    }
  }

  /// Flushes everything that was appended, by this process or another.
  public func flush() async throws(LogError) {
    guard !options.isReadOnly else { return }
    try await writer.run { loop throws(LogError) in
      loop.flush()
      try loop.check()
    }
  }

  /// Returns the chain at a record, or at the floor.
  func chain(at number: RecordNumber) throws(LogError) -> UInt32 {
    try reading { snapshot throws(LogError) in
      guard number >= snapshot.floor else { throw .compacted(floor: snapshot.floor) }
      guard let chain = try snapshot.chain(at: number) else {
        throw .damagedRecord(number, .absent)
      }
      return chain
    }
  }

  /// Reads the log, and converts every failure to a ``LogError``.
  func reading<R>(
    _ body: (borrowing Snapshot) throws(LogError) -> R
  ) throws(LogError) -> R {
    do {
      return try read(body)
    } catch {
      throw LogError(error, path: path)
    }
  }
}
