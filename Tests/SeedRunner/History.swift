import InboxHistories

/// Random histories, which the engine's reducer and the naive model are to see in the same way.
enum History {
  /// The reducer's own tests run histories of as many records, so that a seed means the same there.
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

  /// Tells what happens, and where the two begin to differ, in as few records as that takes.
  static func story(of seed: UInt64) async throws -> Tally {
    InboxAuthor.history(seed: seed, count: recordCount).lines.forEach { print($0) }
    do { try await comparison.run(seed: seed, count: recordCount) } catch {
      return Tally(seed: seed, findings: ["\(error)"])
    }
    return Tally(seed: seed, findings: [])
  }
}
