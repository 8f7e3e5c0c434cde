import EventStore
import LMDB

/// `tideline backup`: copies a log that may be in use.
struct BackupCommand: Subcommand {
  static let usage = Usage(name: "backup", folders: ["FOLDER", "NEWFOLDER"])
  static let help = """
    Copies the log in FOLDER, as it is now, to NEWFOLDER, which must not hold a log. Other
    processes may keep appending meanwhile. To restore the copy, put it in the log's place.

    Example:
      tideline backup notes notes-copy && tideline check notes-copy
    """

  private let folder: String
  private let newFolder: String

  init(_ arguments: Arguments) {
    folder = arguments.folders[0]
    newFolder = arguments.folders[1]
  }

  func run() async throws -> ExitStatus {
    try await Log.withLog(at: folder, readOnly: true) { log in
      try Folder(newFolder).make()
      try await log.backup(to: newFolder)
      return .done
    }
  }
}
