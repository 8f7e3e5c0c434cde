import EventStore
import LMDB

/// `tideline salvage`: makes a new log from the remains of a damaged one.
struct SalvageCommand: Subcommand {
  static let usage = Usage(name: "salvage", folders: ["FOLDER", "NEWFOLDER"])
  static let help = """
    Recovers everything readable from the damaged log in FOLDER into a new log in NEWFOLDER, which
    must not hold one, and reports what was lost. FOLDER stays unchanged, and must not be written
    to meanwhile.

    Example:
      tideline check notes || tideline salvage notes notes-salvaged
    """

  private let folder: String
  private let newFolder: String

  init(_ arguments: Arguments) {
    folder = arguments.folders[0]
    newFolder = arguments.folders[1]
  }

  func run() throws -> ExitStatus {
    let damaged = LogFolder.path(in: folder)
    guard Folder(damaged).holdsData else {
      throw LogError.notALog(path: folder)
    }
    try Folder(newFolder).make()
    let report = try ProgressBar.following("records") { show in
      try Log.salvage(from: damaged, into: newFolder, progress: show)
    }
    var output = Output()
    try output.line(report.description)
    try output.flush()
    return .done
  }
}
