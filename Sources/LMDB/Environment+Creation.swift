import CLMDB

extension Environment {
  /// The name of the data file within the folder.
  package static let dataFile = "data.mdb"

  /// What the data file is called before it is whole.
  package static let newFile = "new.mdb"

  /// Makes an empty data file where there is none, so that it is whole whenever it has its name.
  ///
  /// LMDB itself writes a new file's first pages without flushing them: after a loss of power there
  /// could be a file that can't be opened. So it is made under another name first, by one process
  /// at a time; what one that died has left under that name is replaced.
  /// One that is disposable is not flushed, and so not whole for certain after a loss of power.
  package static func createFile(
    in path: String, isDisposable: Bool = false
  ) throws(LMDBError) {
    let folder = Folder(path)
    guard !folder.contains(dataFile) else { return }
    try folder.whileLocked { () throws(LMDBError) in
      guard !folder.contains(dataFile) else { return }
      try folder.remove(newFile)
      try makeFile(at: folder.path(of: newFile))
      if !isDisposable { try File(folder.path(of: newFile), .update).flush() }
      try folder.rename(newFile, to: dataFile)
    }
  }

  private static func makeFile(at path: String) throws(LMDBError) {
    var created: OpaquePointer?
    try check(unsafe mdb_env_create(&created), "create an environment")
    defer { unsafe mdb_env_close(created) }
    let flags = UInt32(MDB_NOSUBDIR) | UInt32(MDB_NOLOCK)
    try check(unsafe mdb_env_open(created, path, flags, 0o600), "create", path)
  }

  /// Puts the names of a file in which nothing was committed yet on the medium.
  ///
  /// LMDB never flushes the folder that names its file, so that commits could be on the medium and
  /// the name under which to find them not. Whoever opens the file and might make its first commit
  /// sees to it: who made the file may have died since.
  static func flushNames(
    of pointer: OpaquePointer, in path: String
  ) throws(LMDBError) {
    var information = unsafe MDB_envinfo()
    unsafe mdb_env_info(pointer, &information)
    guard unsafe information.me_last_txnid == 0 else { return }
    try Folder(path).flushWithName()
  }
}
