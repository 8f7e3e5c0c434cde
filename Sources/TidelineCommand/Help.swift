/// The help text of the command or of a subcommand.
struct Help: Work {
  private let text: String

  /// The help of the whole command.
  static var ofAll: Help {
    let usages = Main.subcommands.map { "  \($0.usage.line)" }.joined(separator: "\n")
    return Help(
      text: """
        tideline maintains event logs, each in a folder, and simulates servers.

        \(usages)

        Examples:
          echo "Lunch?" | tideline append notes
          tideline log notes --follow
          tideline check notes && tideline backup notes notes-copy
          tideline serve --traffic 5

        Run tideline SUBCOMMAND --help for details. The exit status is 0 on success, 1 if something
        failed or is damaged, 2 if the command line is wrong, and 128 plus the signal's number if a
        signal ended the command.
        """)
  }

  /// Returns the help of a subcommand.
  static func of(_ subcommand: any Subcommand.Type) -> Help {
    Help(text: "\(subcommand.usage.line)\n\n\(subcommand.help)")
  }

  /// Writes the text to standard output.
  func run() throws -> ExitStatus {
    var output = Output()
    try output.line(text)
    try output.flush()
    return .done
  }
}
