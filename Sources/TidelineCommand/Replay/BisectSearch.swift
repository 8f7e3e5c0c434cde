import EventStore
import TidelineReplay

/// The question of `tideline bisect`: about rows and lists, or a command, which needs nothing of
/// this process.
enum BisectSearch {
  /// A question about rows and lists, and the replay that is asked.
  case question(PastQuestion, of: Replay)
  case command(ShellQuestion)

  /// The number of remaining records that are probed one by one, where probing is cheap.
  private static let scanMax = 512

  /// Returns the first record after which the condition holds, continuing a search; `nil` if there
  /// is none.
  func find(
    _ bisection: inout Bisection, _ narrowing: Narrowing
  ) async throws -> RecordNumber? {
    switch self {
    case .question(let question, let replay):
      return try replay.bisect(&bisection, scanMax: Self.scanMax) { past in
        try Task.checkCancellation()
        let isSo = try question.isSo(past)
        try narrowing.note(past.position.number, isSo: isSo)
        return isSo
      }
    case .command(let command): return try await Self.run(command, &bisection, narrowing)
    }
  }

  private static func run(
    _ command: ShellQuestion, _ bisection: inout Bisection, _ narrowing: Narrowing
  ) async throws -> RecordNumber? {
    while let number = bisection.next {
      let isSo = try await command.isSo(after: number)
      bisection.note(number, isSo: isSo)
      try narrowing.note(number, isSo: isSo)
    }
    return bisection.found
  }

  /// Throws if the condition already held at the start of a search in a log in which all later
  /// records fulfill it.
  func requireNew(after start: RecordNumber, in log: Log) async throws {
    guard try await isSo(after: start) else { return }
    throw AlreadySo(number: start, isBeginning: start == log.floor)
  }

  private func isSo(after number: RecordNumber) async throws -> Bool {
    switch self {
    case .question(let question, let replay):
      try replay.advance(to: number)
      return try question.isSo(replay)
    case .command(let command): return try await command.isSo(after: number)
    }
  }
}

/// The error that the condition held from the start of the search.
private struct AlreadySo: Error, CustomStringConvertible {
  let number: RecordNumber
  let isBeginning: Bool

  var description: String {
    if !isBeginning {
      "already true after #\(number). Name a place where it is not true yet with --from."
    } else if number == .zero {
      "true from the beginning. Ask something else, or the opposite with a ! in front."
    } else {
      "already true after #\(number), and the records before were compacted away. "
        + "Ask about something later, or search an older copy of the log."
    }
  }
}

/// Shows the progress of a search by the halvings that remain.
final class Narrowing {
  private var known: Bisection
  private let total: Int
  private let bar: ProgressBar

  init(_ known: Bisection) {
    self.known = known
    total = Self.halvings(known)
    bar = ProgressBar("halvings", of: total, on: .errors)
  }

  func note(_ number: RecordNumber, isSo: Bool) throws {
    known.note(number, isSo: isSo)
    try bar.show(total - Self.halvings(known))
  }

  func end() throws { try bar.end() }

  private static func halvings(_ known: Bisection) -> Int {
    Int.bitWidth - max(known.low.distance(to: known.high) - 1, 0).leadingZeroBitCount
  }
}
