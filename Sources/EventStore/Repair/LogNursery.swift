import LMDB

/// The place where a log is built before it is moved to its folder.
///
/// If building is interrupted at any point, the folder holds no log; the next build removes the
/// remains.
enum LogNursery {
  private static let name = "unfinished"

  /// Lets `body` build a log in a separate folder, then moves it to `folder` once it is complete
  /// and on disk.
  ///
  /// Only one build may run per folder at a time. Throws `occupied` if the folder holds a log,
  /// including that of a store.
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

  /// Removes the remains of a build from a folder that has its log nonetheless.
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
    try folder.flushWithName()
  }
}

extension Folder {
  /// Returns the identity of the log's file.
  func identityOfData() throws(LMDBError) -> File.Identity {
    try File(path(of: Environment.dataFile), .read).identity()
  }
}
