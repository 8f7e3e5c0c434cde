import CLMDB

extension Environment {
  /// The name of the data file within the folder.
  package static let dataFile = "data.mdb"

  /// Makes an empty data file where there is none, so that it is whole whenever it has its name.
  ///
  /// LMDB itself writes a new file's first pages without flushing them, and never flushes the
  /// folder that names it: after a loss of power there could be a file that can't be opened, or
  /// none where commits had been acknowledged. So it is made under another name first.
  static func createFile(in path: String) throws(LMDBError) {
    let folder = Folder(path)
    guard !folder.contains(dataFile) else { return }
    let nursery = folder.folder("creating-\(WorkerThread.processAndThread)")
    try nursery.create()
    defer { try? nursery.removeWithFiles() }
    try makeFile(in: nursery.path)
    try File(nursery.path(of: dataFile), .update).flush()
    try folder.adopt(dataFile, from: nursery)
    try folder.flush()
    try Folder(folder.path(of: "..")).flush()
  }

  private static func makeFile(in path: String) throws(LMDBError) {
    var created: OpaquePointer?
    try check(unsafe mdb_env_create(&created), "create an environment")
    defer { unsafe mdb_env_close(created) }
    try check(unsafe mdb_env_open(created, path, 0, 0o600), "create", path)
  }
}
