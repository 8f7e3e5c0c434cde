import CLMDB

extension Environment {
  /// Writes a copy of the present state into another folder, which must exist and hold no
  /// environment.
  ///
  /// Writers continue in the meantime, but like any read transaction the copy keeps the pages that
  /// they free from being reused, and the map from growing. The copy is complete and durable before
  /// it gets its name, so an interrupted copy can't be mistaken for a whole one. The folder's own
  /// name is then durable, too; flushing the folders above it is up to the caller. Don't call this
  /// on a thread with an open write transaction.
  ///
  /// - Parameters:
  ///   - folder: The path of an existing folder that holds no environment.
  ///   - compacting: Whether to leave out free pages, which is slower and makes a smaller copy
  ///     whose transactions count from one again.
  /// - Throws: `keyExists` if the folder holds an environment, `alreadyOpen` if this process uses
  ///   it, `corrupted` if leaked pages prevent compacting.
  public func copy(to folder: String, compacting: Bool = false) throws(LMDBError) {
    let claim = try OpenFolders.claim(folder)
    defer { claim.release() }
    let folder = Folder(folder)
    guard !folder.contains(Self.dataFile) else {
      throw LMDBError(.keyExists, "copy to \(folder.path)")
    }
    let partial = "\(Self.dataFile).partial"
    do throws(LMDBError) {
      try folder.remove(partial)
      try write(to: File(folder.path(of: partial), .create), compacting)
      try folder.rename(partial, to: Self.dataFile)
      try folder.flushWithName()
    } catch {
      try? folder.remove(partial)
      throw error
    }
  }

  private func write(to file: consuming File, _ compacting: Bool) throws(LMDBError) {
    let thread = WorkerThread.current
    precondition(gate.withLock { $0.writer != thread }, "this thread has a write transaction open")
    while true {
      let result = try visit { () throws(LMDBError) in
        unsafe mdb_env_copyfd2(pointer, file.descriptor, compacting ? UInt32(MDB_CP_COMPACT) : 0)
      }
      if result == MDB_MAP_RESIZED {
        try adoptMapSize()
        continue
      }
      guard !compacting || result != MDB_INCOMPATIBLE else {
        throw LMDBError(.corrupted, "compact \(path)")
      }
      try check(result, "copy to", file.path)
      return try file.flush()
    }
  }
}
