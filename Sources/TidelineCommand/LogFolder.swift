import EventStore
import LMDB

/// Finds the log in a folder, which is the log's own or a store's.
enum LogFolder {
  /// Returns the log's own folder.
  static func path(in folder: String) -> String {
    let (log, itself) = (Folder(folder).ofLog, Folder(folder))
    let isStore = log.holdsData || !itself.holdsData && log.contains(".")
    return isStore ? log.path : folder
  }

  /// Returns the log's own folder for a reader; throws if that folder exists and holds no log.
  static func readPath(in folder: String) throws(LogError) -> String {
    let path = path(in: folder)
    let isEmpty = Folder(path).contains(".") && !Folder(path).holdsData
    guard !isEmpty else { throw .notALog(path: folder) }
    return path
  }
}
