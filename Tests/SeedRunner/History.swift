import InboxHistories

/// Random histories for which the engine's reducer and the naive model must agree.
enum History {
  /// The length in the reducer's own tests, so that a seed means the same history there.
  private static let recordCount = 200
  private static let comparison = InboxComparison { try await ReducedInbox($0) }

  static func tally(of seed: UInt64) async throws -> Tally {
    let history = InboxAuthor.history(seed: seed, count: recordCount)
    let difference = try await comparison.difference(in: history)
    let lines = difference.map { ["#\($0.number): the naive model has"] + $0.lines } ?? []
    var tally = Tally(seed: seed, findings: lines)
    tally.count("compared", "pictures", history.steps.count)
    return tally
  }

  /// Prints the history, and the shortest one in which reducer and model differ.
  static func story(of seed: UInt64) async throws -> Tally {
    InboxAuthor.history(seed: seed, count: recordCount).lines.forEach { print($0) }
    do { try await comparison.run(seed: seed, count: recordCount) } catch {
      return Tally(seed: seed, findings: ["\(error)"])
    }
    return Tally(seed: seed, findings: [])
  }
}
