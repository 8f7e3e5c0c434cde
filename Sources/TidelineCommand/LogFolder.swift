import LMDB

/// A log's folder, or that of a store that has one within.
enum LogFolder {
  /// The log's own folder.
  static func path(in folder: String) -> String {
    let isStore = !Folder(folder).contains(Environment.dataFile) && Folder(folder).contains("log")
    return isStore ? "\(folder)/log" : folder
  }
}
