import CLMDB

extension Environment {
  /// The name of the data file within the folder.
  package static let dataFile = "data.mdb"

  /// The name of the data file until it is whole.
  package static let newFile = "new.mdb"

  /// Creates an empty data file if there is none; it is whole whenever it has its name.
  ///
  /// LMDB itself writes a new file's first pages without flushing them, so a loss of power could
  /// leave a file that can't be opened. So one process at a time creates the file under another
  /// name first; any leftover of a process that died is replaced. A disposable file isn't flushed,
  /// and so may not be whole after a loss of power.
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

  /// Makes the first commit, of a key that is inserted and removed again.
  ///
  /// A commit that fails to write its meta page leaves its trees there, with the page's old number.
  /// In a file without commits both pages have the same number, and LMDB would take those trees for
  /// committed.
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

  /// Makes the names of a file durable, unless a commit was already made after its creation.
  ///
  /// LMDB never flushes the folder that names its file, so commits could be durable without the
  /// name that leads to them. Whoever opens the file and might make its first commit flushes it, as
  /// its creator may have died.
  static func flushNames(
    of pointer: OpaquePointer, in path: String
  ) throws(LMDBError) {
    var information = unsafe MDB_envinfo()
    unsafe mdb_env_info(pointer, &information)
    guard unsafe information.me_last_txnid <= 1 else { return }
    try Folder(path).flushWithName()
  }
}
