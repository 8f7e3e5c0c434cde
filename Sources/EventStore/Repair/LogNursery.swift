import LMDB

/// Where a log is made before it has its place.
///
/// Whenever the making is interrupted, the folder holds no log, and what is left over goes when the
/// next one is made.
enum LogNursery {
  private static let name = "unfinished"

  /// Has `body` make a log in a folder of its own; then puts it into `folder`, once it is whole and
  /// on the medium.
  ///
  /// One at a time for a folder. Throws `occupied` where the folder holds a log, be it that of a
  /// store.
  static func make<R>(
    in folder: Folder, _ body: (Folder) throws(LMDBError) -> R
  ) throws(LogError) -> R {
    for held in [folder, folder.ofLog] where held.holdsData {
      throw .occupied(path: held.path)
    }
    do {
      let nursery = folder.folder(name)
      if folder.contains(name) { try nursery.removeWithFiles() }
      try nursery.create()
      defer { try? nursery.removeWithFiles() }
      let result = try body(nursery)
      try adopt(from: nursery, into: folder)
      return result
    } catch {
      throw LogError(error, path: folder.path)
    }
  }

  /// Removes what was left over where a folder has its log all the same.
  static func removeRest(in folder: Folder) throws(LMDBError) {
    guard folder.contains(name) else { return }
    try folder.folder(name).removeWithFiles()
    try folder.flush()
  }

  private static func adopt(from nursery: Folder, into folder: Folder) throws {
    let made = try nursery.identityOfData()
    try folder.adopt(Environment.dataFile, from: nursery)
    guard try folder.identityOfData() == made else {
      throw LogError.occupied(path: folder.path)
    }
    try folder.flush()
  }
}

extension Folder {
  /// Which file the log in it is.
  func identityOfData() throws(LMDBError) -> File.Identity {
    try File(path(of: Environment.dataFile), .read).identity()
  }
}
