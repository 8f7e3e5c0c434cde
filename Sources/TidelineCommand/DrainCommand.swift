import EventStore
import LMDB

/// `tideline drain`: moves the events in a spool to the log.
struct DrainCommand: Subcommand {
  static let usage = Usage(name: "drain", folders: ["FOLDER"])
  static let help = """
    Moves the events in the spool FOLDER/spool to the log in FOLDER, and prints their record
    numbers. Files that are not valid events stay in the spool and are named on standard error;
    the exit status is then 1.

    Example:
      tideline drain notes
    """

  private let folder: String

  init(_ arguments: Arguments) { folder = arguments.folders[0] }

  func run() async throws -> ExitStatus {
    try Folder(folder).refuseUnusable()
    let path = Folder(folder).path(of: "spool")
    guard Folder(folder).contains("spool") else { throw LogError.missing(path: path) }
    return try await Log.withLog(at: folder) { log in
      try show(try await log.drain(Spool(at: path)))
    }
  }

  private func show(_ drained: Drained) throws -> ExitStatus {
    var output = Output()
    for number in drained.records { try output.line("\(number)") }
    try output.flush()
    for refusal in drained.refused {
      Output.complain("tideline: \(refusal.name) was refused: \(refusal.damage)")
    }
    return drained.refused.isEmpty ? .done : .failed
  }
}
