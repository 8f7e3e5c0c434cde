import EventStore
import Foundation
import LMDB
import TestSupport
import Testing

/// Views of a real log in processes that die, restart, and meet poison.
///
/// Takes over a second in all: many processes start.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ViewsProcessTests {
  let folder: TemporaryFolder
  private var log: String { folder.path(of: "log") }
  private var views: String { folder.path(of: "views") }

  init() throws {
    folder = try TemporaryFolder()
    try Folder(folder.path).folder("log").create()
  }

  private func append(_ texts: [String]) async throws {
    let log = try await Log.open(at: log)
    try await log.append(.of(texts))
    await log.close()
  }

  /// Runs the views to the log's end in another process; returns how they were opened, and how far
  /// they got.
  private func run(boot: Int = 1, reducers: Int = 1) async throws -> String {
    let worker = try Worker()
    defer { worker.signal(SIGKILL) }
    return try await worker.ask("views run \(log) \(views) \(boot) \(reducers)")
  }

  @Test func views_areUsedAgain_whileTheyCanBe() async throws {
    try await append((1...100).map { "note\($0)" })
    #expect(try await run() == "\(Distrust.noPointer), 100 skipping []")
    #expect(try await run() == "used, 100 skipping []")
    #expect(try await run(boot: 2) == "used, 100 skipping []")
    try await append(["further"])
    #expect(try await run(boot: 3) == "used, 101 skipping []")
    #expect(try await run(boot: 3, reducers: 2) == "\(Distrust.otherReducers), 101 skipping []")
    #expect(try await run(boot: 4, reducers: 2) == "used, 101 skipping []")
    try FileManager.default.removeItem(atPath: views)
    #expect(try await run(boot: 4, reducers: 2) == "\(Distrust.noPointer), 101 skipping []")
  }

  /// A process may be killed anywhere between clean views, writing, and clean views again.
  @Test func processes_killedAnywhere_leaveWhatTheRuleSays() async throws {
    try await append((1...50).map { "note\($0)" })
    var random = SeededGenerator(seed: 1)
    var reasons: [String: Int] = [:]
    for boot in 0..<Campaign.size(12, long: 300) {
      let worker = try Worker()
      try worker.tell("views run \(log) \(views) \(2 * boot + 1) 1 pause")
      for _ in 0..<Int.random(in: 0..<20, using: &random) { _ = try await worker.next() }
      try await Task.sleep(for: .microseconds(Int.random(in: 0..<3000, using: &random)))
      await worker.killed()
      // Either the machine goes on, or it restarts.
      let isRestarted = Bool.random(using: &random)
      let answer = try await run(boot: 2 * boot + (isRestarted ? 2 : 1))
      let parts = answer.split(separator: ", ")
      #expect(parts.last?.hasSuffix(" skipping []") == true, "\(answer)")
      let how = String(parts[0])
      let allowed = isRestarted ? ["used", "\(Distrust.restarted)"] : ["used"]
      let isFirst = boot == 0 && how == "\(Distrust.noPointer)"
      #expect(allowed.contains(how) || isFirst, "\(answer)")
      reasons[how, default: 0] += 1
    }
    #expect(reasons["used", default: 0] > 0, "\(reasons)")
  }

  /// An older log beside newer views is noticed, whether it has fewer records or different ones.
  @Test func olderLog_besideNewerViews_isNoticed() async throws {
    try await append((1...20).map { "note\($0)" })
    let file = folder.path(of: "log/data.mdb")
    let older = try Data(contentsOf: URL(filePath: file))
    try await append(["a", "b"])
    _ = try await run()
    try older.write(to: URL(filePath: file), options: [])
    #expect(try await run() == "\(Distrust.ahead), 20 skipping []")
    try await append(["c", "d"])
    _ = try await run()
    try older.write(to: URL(filePath: file), options: [])
    try await append(["e", "f", "g"])
    #expect(try await run() == "\(Distrust.otherHistory), 23 skipping []")
  }

  @Test func poison_isSkippedInTheEnd_andTriedAgainByOtherReducers() async throws {
    try await append((1...30).map { "note\($0)" } + ["poison"] + (1...10).map { "more\($0)" })
    for _ in 0..<3 {
      await #expect(throws: Worker.Failure.self) { try await run() }
    }
    #expect(try await run() == "\(Distrust.noPointer), 41 skipping [31]")
    #expect(try await run() == "used, 41 skipping [31]")
    await #expect(throws: Worker.Failure.self) { try await run(reducers: 2) }
  }

  @Test func second_process_waitsForNobody() async throws {
    try await append(["note"])
    let worker = try Worker()
    #expect(try await worker.ask("views lease \(views)") == "taken")
    #expect(try await run() == "error busy")
    await worker.killed()
    #expect(try await run() == "\(Distrust.noPointer), 1 skipping []")
  }
}
