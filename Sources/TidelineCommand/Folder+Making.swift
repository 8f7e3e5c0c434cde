import EventStore
import LMDB

extension Folder {
  /// Makes the folder where it is missing, and returns once its name is on the medium.
  func make() throws(LMDBError) {
    try create()
    try folder("..").flush()
  }

  /// Throws where the system doesn't allow it to be used, or a file is in its place or in that of
  /// one that it lies in; it may be missing.
  func refuseUnusable() throws(LogError) {
    do throws(LMDBError) {
      // One that may not be listed can be used all the same.
      if try status(of: ".") == nil { _ = try File(path(of: "."), .read) }
    } catch {
      if error.code != .missing { throw LogError(error, path: path) }
    }
  }
}
