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
    let flags = UInt32(MDB_NOSUBDIR) | UInt32(MDB_NOLOCK) | UInt32(MDB_NOSYNC)
    try check(unsafe mdb_env_open(created, path, flags, 0o600), "create", path)
    try unsafe commitNothing(to: created)
  }

  /// Makes the first commit, of a key that is put in and taken out again.
  ///
  /// A commit that fails on its meta page leaves its trees there, with the number that the page
  /// had. In a file without any commit both pages have the same one, and LMDB would take those
  /// trees for committed.
  private static func commitNothing(
    to pointer: OpaquePointer?
  ) throws(LMDBError) {
    var transaction: OpaquePointer?
    try check(unsafe mdb_txn_begin(pointer, nil, 0, &transaction), "begin the first commit")
    var handle: MDB_dbi = 0
    var result = unsafe mdb_dbi_open(transaction, nil, 0, &handle)
    var byte: UInt8 = 0
    unsafe withUnsafeMutableBytes(of: &byte) { bytes in
      var key = unsafe MDB_val(mv_size: 1, mv_data: bytes.baseAddress)
      var value = unsafe MDB_val(mv_size: 0, mv_data: bytes.baseAddress)
      if result == 0 { result = unsafe mdb_put(transaction, handle, &key, &value, 0) }
      if result == 0 { result = unsafe mdb_del(transaction, handle, &key, nil) }
    }
    guard result == 0 else {
      unsafe mdb_txn_abort(transaction)
      return try check(result, "make the first commit")
    }
    try check(unsafe mdb_txn_commit(transaction), "make the first commit")
  }

  /// Puts the names of a file in which nothing was committed yet, since it was made, on the medium.
  ///
  /// LMDB never flushes the folder that names its file, so that commits could be on the medium and
  /// the name under which to find them not. Whoever opens the file and might make its first commit
  /// sees to it: who made the file may have died since.
  static func flushNames(
    of pointer: OpaquePointer, in path: String
  ) throws(LMDBError) {
    var information = unsafe MDB_envinfo()
    unsafe mdb_env_info(pointer, &information)
    guard unsafe information.me_last_txnid <= 1 else { return }
    try Folder(path).flushWithName()
  }
}
