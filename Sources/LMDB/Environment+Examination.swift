extension Environment {
  /// Checks the data file as far as possible without mapping it, with every page in use if the
  /// options demand that; returns its size.
  static func examine(_ path: String, _ options: Options) throws(LMDBError) -> Int {
    let folder = Folder(path)
    guard folder.contains(dataFile) else { return 0 }
    let file = folder.path(of: dataFile)
    let size = try PageFile.examine(file).size
    if options.examinesPages { try PageFile.examinePages(of: file) }
    return size
  }
}
