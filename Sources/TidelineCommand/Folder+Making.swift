import EventStore
import LMDB

extension Folder {
  /// Creates the folder if it is missing, and returns once its name is on the medium.
  func make() throws(LMDBError) {
    try create()
    try folder("..").flush()
  }

  /// Throws if the system doesn't permit its use, or if a file is in place of the folder or of one
  /// of its parents.
  ///
  /// A missing folder is accepted.
  func refuseUnusable() throws(LogError) {
    do throws(LMDBError) {
      // A folder that may not be listed may still be usable.
      if try status(of: ".") == nil { _ = try File(path(of: "."), .read) }
    } catch {
      if error.code != .missing { throw LogError(error, path: path) }
    }
  }
}
