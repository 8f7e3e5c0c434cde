/// The work that a command line requests.
protocol Work: Sendable {
  /// Does the work, and returns the exit status.
  func run() async throws -> ExitStatus
}

/// A subcommand of the command.
protocol Subcommand: Work {
  /// The form of its command line.
  static var usage: Usage { get }
  /// Its help text, after the usage.
  static var help: String { get }

  /// Creates the work for a command line.
  init(_ arguments: Arguments)

  /// Checks what only the whole command line tells, before any work is done.
  func check() throws(Mistake)
}

extension Subcommand {
  func check() {}
}

/// The exit status of the process.
enum ExitStatus: Int32 {
  /// Success.
  case done = 0
  /// Something failed or is not sound.
  case failed = 1
  /// The command line is wrong.
  case misused = 2
  /// The terminal is gone; the status shells use for that signal.
  case hungUp = 129
  /// The user interrupted the process; the status shells use for that signal.
  case interrupted = 130
  /// The reader closed the pipe; the status shells use for that signal.
  case unread = 141
  /// Another process asked this one to end; the status shells use for that signal.
  case terminated = 143
}
