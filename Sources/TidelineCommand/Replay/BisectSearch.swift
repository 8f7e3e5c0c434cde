import EventStore
import TidelineReplay

/// What `tideline bisect` asks: rows and lists, or a command, which needs none of this process.
struct BisectSearch {
  /// What rows and lists are asked, unless a command is.
  let question: PastQuestion?
  let command: ShellQuestion
  let replay: Replay
  /// Between how few records each is asked in turn, where asking costs little.
  private static let scanMax = 512

  /// The first record behind which it is so, going on with a search; `nil` where it is nowhere.
  func find(
    _ bisection: inout Bisection, _ narrowing: Narrowing
  ) async throws -> RecordNumber? {
    guard let question else { return try await ask(&bisection, narrowing) }
    return try replay.bisect(&bisection, scanMax: Self.scanMax) { past in
      try Task.checkCancellation()
      let isSo = try question.isSo(past)
      try narrowing.note(past.position.number, isSo: isSo)
      return isSo
    }
  }

  private func ask(
    _ bisection: inout Bisection, _ narrowing: Narrowing
  ) async throws -> RecordNumber? {
    while let number = bisection.next {
      let isSo = try await command.isSo(behind: number)
      bisection.note(number, isSo: isSo)
      try narrowing.note(number, isSo: isSo)
    }
    return bisection.found
  }

  /// Throws where it was so already behind the record that it was searched from, all behind which
  /// were found to be so.
  func requireNew(behind start: RecordNumber) async throws {
    guard try await isSo(behind: start) else { return }
    throw AlreadySo(number: start, isBeginning: start == replay.log.floor)
  }

  private func isSo(behind number: RecordNumber) async throws -> Bool {
    guard let question else { return try await command.isSo(behind: number) }
    try replay.advance(to: number)
    return try question.isSo(replay)
  }
}

/// That what was to have begun was so from where the search did.
private struct AlreadySo: Error, CustomStringConvertible {
  let number: RecordNumber
  let isBeginning: Bool

  var description: String {
    if !isBeginning {
      "it is so behind #\(number) already. Name a place where it is not by --from."
    } else if number == .zero {
      "it is so from the beginning. Ask for what is not, or for that with a ! in front."
    } else {
      "it is so behind #\(number) already, and what was before that was compacted away. "
        + "Ask for what began later, or ask a copy of the log from before."
    }
  }
}

/// Shows how far a search has come: by how often what is left can be halved.
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
