import EventStore

/// `tideline check`: tells whether a log is sound.
struct CheckCommand: Subcommand {
  static let usage = Usage(name: "check", folders: ["FOLDER"], flags: ["--json"])
  static let help = """
    Checks every page and every record of the log in FOLDER without changing anything. The exit
    status is 0 if the log is sound, and 1 if it is damaged; the report then names what is damaged.

      --json   print the report as a JSON object

    Examples:
      tideline check notes
      tideline check notes --json | jq .damage
    """

  private let folder: String
  private let isJSON: Bool

  init(_ arguments: Arguments) {
    folder = arguments.folders[0]
    isJSON = arguments.has("--json")
  }

  func run() throws -> ExitStatus {
    let report = try ProgressBar.following("entries") { show in
      try Log.check(at: LogFolder.readPath(in: folder), progress: show)
    }
    try Output.show([report.description], json: report.json, isJSON: isJSON)
    return report.isSound ? .done : .failed
  }
}
