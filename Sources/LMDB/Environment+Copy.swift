import CLMDB

extension Environment {
  /// Writes a copy of the present state into another folder, which must exist and hold none.
  ///
  /// Writers go on meanwhile, save that growing the map waits. The copy is complete and on the
  /// medium before it gets its name, so an interrupted one leaves nothing that could be taken for
  /// it.
  ///
  /// - Parameters:
  ///   - folder: The copy's.
  ///   - compacting: Leave out free pages; slower, and smaller.
  public func copy(to folder: String, compacting: Bool = false) throws(LMDBError) {
    let folder = Folder(folder)
    guard !folder.contains(Self.dataFile) else {
      throw LMDBError(.keyExists, "copy to \(folder.path)")
    }
    let partial = "\(Self.dataFile).partial"
    try folder.remove(partial)
    try write(to: File(folder.path(of: partial), .create), compacting)
    try folder.rename(partial, to: Self.dataFile)
    try folder.flush()
  }

  private func write(to file: consuming File, _ compacting: Bool) throws(LMDBError) {
    let flags = compacting ? UInt32(MDB_CP_COMPACT) : 0
    // The map must not be replaced under the copy, which has a read transaction of its own.
    enter { _ in }
    let result = unsafe mdb_env_copyfd2(pointer, file.descriptor, flags)
    leave()
    try check(result, "copy to", file.path)
    try file.flush()
  }
}
