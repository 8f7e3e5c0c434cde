import EventStore
import LMDB
import TestSupport
import Testing
import ToyDomains

/// Rows whose ids read the same but have other bytes: an accent, composed or not.
@Suite(.timeLimit(.minutes(5))) struct TwinTests {
  private static let twins = ["caf\u{E9}", "cafe\u{301}"]

  /// Calls a body with a log in which both rows are created.
  private func withLog(_ body: (Log, TodoRules) throws -> Void) async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    try await log.append(Batch(Self.twins.map { TodoHappening.put($0, TodoPatch()) }))
    try body(log, Todo.rules(Todo.views, version: 1))
    await log.close()
  }

  @Test func rowChanges_andDifferences_haveBoth() async throws {
    #expect(Self.twins[0] == Self.twins[1])
    try await withLog { log, rules in
      let replay = try Replay(log, reducer: rules, at: 0)
      let empty = try Replay(log, reducer: rules, at: 0)
      let steps = try replay.rowChanges(in: Todo.tasks, from: 0, to: 2)
      #expect(bytes(steps.map(\.id)) == bytes(Self.twins.reversed()))
      #expect(try empty.differences(from: replay) == steps)
    }
  }

  @Test func whatIf_hasBoth() async throws {
    try await withLog { log, rules in
      let replay = try Replay(log, reducer: rules, at: 2)
      let found = try replay.whatIf(EditedLog(log, [.skip(1), .skip(2)]), at: 2)
      #expect(bytes(found.rows.map(\.id)) == bytes(Self.twins.reversed()))
    }
  }

  @Test func blame_hasBoth() async throws {
    try await withLog { log, rules in
      let replay = try Replay(log, reducer: rules, at: 2)
      let list = ListName("titles")
      let blames = try replay.blame(list)
      #expect(Set(blames.map(\.record.number)) == [1, 2])
      let ids = try replay.rows(of: list, in: 0...).map(\.id)
      #expect(bytes(blames.map(\.change.id)) == bytes(ids))
    }
  }

  private func bytes(_ ids: some Sequence<String>) -> [[UInt8]] { ids.map { Array($0.utf8) } }
}
