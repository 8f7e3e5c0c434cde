import EventStore
import LMDB

/// A log's folder, or that of a store that has one within.
enum LogFolder {
  /// The log's own folder.
  static func path(in folder: String) -> String {
    let (log, itself) = (Folder(folder).ofLog, Folder(folder))
    let isStore = log.holdsData || !itself.holdsData && log.contains(".")
    return isStore ? log.path : folder
  }

  /// The same, for who only reads: where the folder is there, it holds a log.
  static func readPath(in folder: String) throws(LogError) -> String {
    let path = path(in: folder)
    let isEmpty = Folder(path).contains(".") && !Folder(path).holdsData
    guard !isEmpty else { throw .notALog(path: folder) }
    return path
  }
}
