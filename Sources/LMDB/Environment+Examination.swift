extension Environment {
  /// Checks the data file as far as possible without mapping it; returns its size.
  static func examine(_ path: String) throws(LMDBError) -> Int {
    let folder = Folder(path)
    guard folder.contains(dataFile) else { return 0 }
    return try PageFile.examine(folder.path(of: dataFile)).size
  }
}
