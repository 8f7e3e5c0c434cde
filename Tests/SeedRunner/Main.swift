import Foundation
import TestSupport

/// Runs random histories or simulations: those of many seeds, or the story of one.
@main enum Main {
  static func main() async throws {
    endWithParent()
    let command: Command
    do { command = try Command(Array(CommandLine.arguments.dropFirst())) } catch {
      FileHandle.standardError.write(Data("Scripts/seeds: \(error)\n".utf8))
      exit(2)
    }
    let clock = ContinuousClock()
    let start = clock.now
    let seed = command.seeds.lowerBound
    let tally =
      switch (command.kind, command.isStory) {
      case (.histories, false): try await command.tally { try await History.tally(of: $0) }
      case (.histories, true): try await History.story(of: seed)
      case (.simulations, false): try await command.tally { try Simulations.tally(of: $0) }
      case (.simulations, true): try Simulations.story(of: seed)
      }
    let seconds = (clock.now - start) / .seconds(1)
    tally.lines(command, in: seconds).forEach { print($0) }
    exit(command.known.isSuperset(of: tally.findings.keys) ? 0 : 1)
  }
}
