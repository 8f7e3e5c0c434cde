import EventStore
import InboxHistories
import TestSupport
import Testing
import Tideline

/// The rules and their version change together: another version rebuilds the views on disk, and
/// nothing else does.
///
/// After an intended rule change, ``InboxReducer/version`` is raised; then, or when only the
/// histories have changed, the test says which values it must hold.
@Suite struct RulesVersionTests {
  /// The version, and digests of some histories and their rows, at the last review.
  private struct Golden: Equatable {
    var version: Int
    var histories: UInt64
    var rows: UInt64
  }

  private static let golden = Golden(
    version: 22, histories: 17_758_810_801_360_563_788, rows: 11_486_186_595_562_894_059
  )

  @Test func rules_areThoseOfTheirVersion() async throws {
    let golden = Self.golden
    let now = try await Self.now()
    guard now != golden else { return }
    let isRaised = now.version != golden.version || now.histories != golden.histories
    Issue.record(
      isRaised
        ? "The histories or the version changed: hold \(now)."
        : "The histories come to other rows: raise the rules' version, and hold \(now).")
  }

  private static func now() async throws -> Golden {
    var (histories, rows) = (Mixer(), Mixer())
    for seed in 0..<UInt64(8) {
      let history = InboxAuthor.history(seed: seed, count: 200)
      for line in history.lines { histories.add(line) }
      for line in try await lines(of: history) { rows.add(line) }
    }
    return Golden(
      version: InboxReducer().version, histories: histories.value, rows: rows.value)
  }

  /// Returns all rows that the history leads to, including rows that nobody is shown.
  private static func lines(of history: InboxHistory) async throws -> [String] {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    try await log.append(history.batch, durability: .relaxed)
    let collections = InboxReducer().collections
    let views = collections.map { ViewDefinition("all \($0.name)", of: $0) }
    let replay = try Replay(log, reducer: InboxReducer(views: views), at: history.last)
    let lines = try views.flatMap { view in
      try replay.views.rows(of: ListName(view.name), in: 0...)
        .map { "\(view.name) \(line(of: $0))" }.sorted()
    }
    await log.close()
    return lines
  }

  /// Returns the row's id, and its fields by number.
  private static func line(of row: Row) -> String {
    let numbers = (1...64).filter { row.presence >> ($0 - 1) & 1 == 1 }
    return ([row.id] + numbers.map { "\($0)=\(row.digest(of: $0))" }).joined(separator: " ")
  }
}

extension Mixer {
  fileprivate mutating func add(_ line: String) {
    add(Array(line.utf8).payloadBytes)
  }
}
