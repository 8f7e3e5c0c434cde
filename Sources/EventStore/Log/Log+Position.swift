extension Log {
  /// The place behind a record, to be kept: once the record is on the medium.
  ///
  /// - Throws: `damagedRecord` with `absent` where there is no such record; `compacted` below the
  ///   floor.
  public func position(at number: RecordNumber) async throws(LogError) -> Position {
    let chain = try chain(at: number)
    if head.durable < number { try await flush() }
    return Position(store: store, number: number, chain: chain)
  }

  /// The place behind the last record, to be kept: once that is on the medium.
  public func position() async throws(LogError) -> Position {
    try await position(at: last)
  }

  /// Whether the log holds a position: every record up to it is one that it was taken from.
  ///
  /// False for another store's, for one beyond the end (of a backup that was restored), for one
  /// whose records are others now, and for one below the floor, which nobody can tell any more. The
  /// floor itself is held: it is what the baseline comes to.
  public func holds(_ position: Position) throws(LogError) -> Bool {
    guard position.store == store else { return false }
    return try reading { snapshot throws(LogError) in
      guard position.number <= snapshot.last else { return false }
      return try snapshot.chain(at: position.number) == position.chain
    }
  }

  /// Puts everything that was appended on the medium, by this process or another.
  public func flush() async throws(LogError) {
    guard !options.isReadOnly else { return }
    try await writer.run { loop throws(LogError) in
      loop.flush()
      try loop.check()
    }
  }

  /// The chain at a record, or at the floor.
  func chain(at number: RecordNumber) throws(LogError) -> UInt32 {
    try reading { snapshot throws(LogError) in
      guard number >= snapshot.floor else { throw .compacted(floor: snapshot.floor) }
      guard let chain = try snapshot.chain(at: number) else {
        throw .damagedRecord(number, .absent)
      }
      return chain
    }
  }

  /// Reads, with every failure a ``LogError``.
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
