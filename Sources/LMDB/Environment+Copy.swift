import CLMDB

extension Environment {
  /// Writes a copy of the present state into another folder, which must exist and hold none.
  ///
  /// Writers go on meanwhile, but like any read transaction it keeps the pages that they free from
  /// being used again, and the map from growing. The copy is complete and on the medium before it
  /// gets its name, so an interrupted one leaves nothing that could be taken for it. The folder's
  /// own name is then on the medium, too; those of the folders above are the caller's to flush. Not
  /// for a thread that has the write transaction open.
  ///
  /// - Parameters:
  ///   - folder: The path of a folder that is there and holds no environment.
  ///   - compacting: Leave out free pages; slower, and smaller. The copy's transactions count from
  ///     one again.
  /// - Throws: `keyExists` where the folder holds an environment, `alreadyOpen` where this process
  ///   uses it; `corrupted` where pages are lost, so that they can't be compacted.
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
