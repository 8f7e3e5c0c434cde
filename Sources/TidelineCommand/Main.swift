import LMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The `tideline` command: manages event logs from a shell, and simulates servers.
@main
enum Main {
  /// The subcommands, in the order of the help.
  static let subcommands: [any Subcommand.Type] = [
    AppendCommand.self, LogCommand.self, CheckCommand.self, SalvageCommand.self,
    BackupCommand.self, ExportCommand.self, ImportCommand.self, StatsCommand.self,
    DrainCommand.self, ServeCommand.self, SyncCommand.self, ListCommand.self, ReadCommand.self,
    DeleteCommand.self, TagCommand.self, OutboxCommand.self, StatusCommand.self, DemoCommand.self,
    VerifyCommand.self, AtCommand.self, StepCommand.self, DiffCommand.self, BisectCommand.self,
    BlameCommand.self, WhyCommand.self, WhatIfCommand.self, MinimizeCommand.self,
    SnapshotsCommand.self, BenchCommand.self,
  ]

  static func main() async {
    ByteStream.openMissing()
    // A write to a closed pipe then fails instead, and the log is closed before the exit.
    signal(SIGPIPE, SIG_IGN)
    exit(await status(of: Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  /// Carries out the command line; on failure, gives the reason in one line on standard error.
  private static func status(of words: [String]) async -> ExitStatus {
    do {
      return try await work(askedForBy: words).run()
    } catch let error as LMDBError where error.isBrokenPipe {
      return .unread
    } catch let interrupted as Interrupted {
      Output.complain("tideline: \(interrupted)")
      return interrupted.status
    } catch let mistake as Mistake {
      Output.complain(mistake.description)
      return .misused
    } catch {
      Output.complain("tideline: \(error)")
      return .failed
    }
  }

  /// Returns the work that a command line requests.
  private static func work(askedForBy words: [String]) throws(Mistake) -> any Work {
    guard let name = words.first else {
      throw Mistake("tideline: no subcommand. Name one of: \(names).")
    }
    guard !Arguments.asksForHelp(name) else { return Help.ofAll }
    for subcommand in subcommands where subcommand.usage.name == name {
      let arguments = try Arguments(words.dropFirst(), for: subcommand.usage)
      guard !arguments.isForHelp else { return Help.of(subcommand) }
      let work = subcommand.init(arguments)
      try work.check()
      return work
    }
    throw Mistake("tideline: unknown subcommand '\(name)'. Name one of: \(names).")
  }

  private static var names: String { subcommands.map { $0.usage.name }.joined(separator: ", ") }
}
