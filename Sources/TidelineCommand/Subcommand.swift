/// What a command line asks for.
protocol Work: Sendable {
  /// Does it, and says how it went.
  func run() async throws -> ExitStatus
}

/// One of the things that the command does with a log.
protocol Subcommand: Work {
  /// What its command line may hold.
  static var usage: Usage { get }
  /// What its help says, after the usage.
  static var help: String { get }

  /// What a command line asks for.
  init(_ arguments: Arguments)

  /// Looks at what only the whole command line tells, before anything is done.
  func check() throws(Mistake)
}

extension Subcommand {
  func check() {}
}

/// What the process tells whoever started it.
enum ExitStatus: Int32 {
  /// All is well.
  case done = 0
  /// Something could not be done, or is not sound.
  case failed = 1
  /// The command line is wrong.
  case misused = 2
  /// The terminal is gone, as shells report a process that such a signal ended.
  case hungUp = 129
  /// Somebody at the terminal wanted no more, as shells report a process that was interrupted.
  case interrupted = 130
  /// Nobody read to the end, as shells report a process that a broken pipe ended.
  case unread = 141
  /// Whoever began the process wanted no more, as shells report one that such a signal ended.
  case terminated = 143
}
