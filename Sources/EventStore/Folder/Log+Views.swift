import LMDB

extension Log {
  /// Returns the current state of the log by which its views are judged.
  package func standing() throws(LogError) -> LogStanding {
    let kept = try keptStore()
    return LogStanding(
      store: store, incarnation: kept.incarnation, floor: kept.floor, last: try last,
      stamp: kept.viewsStamp.flatMap { CleanStamp($0.raw) })
  }

  /// Returns whether a generation's own record of its progress fits the log; call this once the
  /// generation is open.
  package func trust(_ applied: LogPoint, in generation: UInt64) throws(LogError) -> Trust {
    let chain = try reading { snapshot throws(LogError) in
      try snapshot.chain(at: applied.number)
    }
    return Trust(of: applied, in: generation, chainThere: chain, log: try standing())
  }

  /// Sets the log's stamp, or removes the existing one; the change is durable on return.
  ///
  /// The views must be durable before the stamp is set, and must not be written before it is
  /// removed. If the log already says so, it is not written.
  package func stampViews(_ stamp: CleanStamp?) async throws(LogError) {
    guard !options.isReadOnly else { throw .readOnly(path: path) }
    let bytes = stamp?.bytes
    try await writer.run { loop throws(LogError) in try loop.setStamp(bytes) }
  }

  /// Removes the existing stamp on the log's writer thread, then calls `done` there once the
  /// removal is durable, or with the error; calls `done` at once if the log is closed.
  ///
  /// This precedes anything requested from the log after this call.
  func withdrawStamp(_ done: @escaping @Sendable (LogError?) -> Void) throws(LogError) {
    guard !options.isReadOnly else { throw .readOnly(path: path) }
    let isTaken = writer.post { loop in
      do throws(LogError) {
        try loop.setStamp(nil)
        done(nil)
      } catch {
        done(error)
      }
    }
    if !isTaken { done(.closed(path: path)) }
  }

  /// Returns the current store record.
  private func keptStore() throws(LogError) -> StoreRecord {
    let found: StoreRecord?
    do {
      found = try file.environment.read { try file.store(in: $0) }
    } catch {
      throw LogError(error, path: path)
    }
    guard let found else { throw .notALog(path: path) }
    return found
  }
}

extension WriterLoop {
  /// Sets or removes the stamp of the views in the store record.
  mutating func setStamp(_ bytes: [UInt8]?) throws(LogError) {
    guard try currentStore().viewsStamp != bytes else {
      // Another process may have died between a visible commit and its flush.
      flushWhatIsRead()
      return try check()
    }
    let written = write(.full) { loop, transaction, _ throws(LMDBError) in
      var store = try loop.file.currentStore(in: transaction)
      store.viewsStamp = bytes
      try loop.file.put(store, in: &transaction)
    }
    _ = try written.get()
  }
}
