import EventStore
import LMDB

/// `tideline drain`: moves the events in a spool to the log.
struct DrainCommand: Subcommand {
  static let usage = Usage(name: "drain", folders: ["FOLDER"])
  static let help = """
    Appends what was written to the spool in FOLDER/spool to the log in FOLDER, removes it there,
    and prints the numbers of the records. Files that are no events are named on standard error,
    and kept; the exit status is 1 then.

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
