import LMDB

extension Log {
  /// What the log's views are judged by, as of now.
  package func standing() throws(LogError) -> LogStanding {
    let kept = try keptStore()
    return LogStanding(
      store: store, incarnation: kept.incarnation, floor: kept.floor, last: try last,
      stamp: kept.viewsStamp.flatMap { CleanStamp($0.raw) })
  }

  /// Whether a generation's own word on how far it goes fits the log; to be asked once it is open.
  package func trust(_ applied: Applied, in generation: UInt64) throws(LogError) -> Trust {
    let chain = try reading { snapshot throws(LogError) in
      try snapshot.chain(at: applied.number)
    }
    return Trust(of: applied, in: generation, chainThere: chain, log: try standing())
  }

  /// Puts a stamp into the log, or takes out the one there; on the medium when it returns.
  ///
  /// The views must be on the medium before it is put in, and not be written before it is taken
  /// out. Where the log says so already it is not written.
  package func stampViews(_ stamp: CleanStamp?) async throws(LogError) {
    guard !options.isReadOnly else { throw .readOnly(path: path) }
    let bytes = stamp?.bytes
    try await writer.run { loop throws(LogError) in try loop.setStamp(bytes) }
  }

  /// Takes out the stamp that is there, on the log's own thread, and calls `done` there: once it is
  /// on the medium, or with why it is not; at once where the log is closed.
  ///
  /// It is done before anything that is asked of the log behind this call.
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

  /// The store's own record as it is now.
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
  /// Puts a stamp of the views into the store's own record, or takes it out.
  mutating func setStamp(_ bytes: [UInt8]?) throws(LogError) {
    guard try currentStore().viewsStamp != bytes else {
      // Another process may have died between a commit that can be seen and its flush.
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
