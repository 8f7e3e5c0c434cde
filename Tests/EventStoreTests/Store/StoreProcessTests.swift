import EventStore
import Foundation
import TestSupport
import Testing
import ToyDomains

/// Several processes with one store, one of which may end over an event.
@Suite(.timeLimit(.minutes(5))) struct StoreProcessTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func worker() throws -> Worker { try Worker(.init(program: "StoreWorker")) }

  /// Appends happenings with a poisoned event among them; returns its number.
  private func appendPoison() async throws -> RecordNumber {
    var generator = SeededGenerator(seed: 7)
    var batch = Batch()
    for index in 0..<40 {
      if index == 20 {
        batch.add(Event(kind: Trouble<TodoRules>.poisoned, recordedAt: .zero)) { _ in }
      }
      TodoMix().happening(using: &generator).append(to: &batch)
    }
    let log = try await Log.open(at: folder.path(of: "log"))
    let first = try await log.append(batch).lowerBound
    await log.close()
    return first.advanced(by: 20)
  }

  /// A process skips an event after dying over it once while open, and twice while opening.
  @Test(.defect(.liveStore, 7), .defect(.kurrentDB, 2), arguments: [false, true])
  func event_thatEndsTheProcess_isSkipped(
    inRebuild: Bool
  ) async throws {
    let first = try worker()
    #expect(try await first.ask("open \(folder.path) poison") == "done")
    #expect(try await first.ask("append 1 40") == "40")
    let number = try await appendPoison()
    #expect(await first.ended() == SIGKILL)
    if inRebuild { try FileManager.default.removeItem(atPath: folder.path(of: "views/current")) }
    for _ in 1...2 {
      let next = try worker()
      try next.tell("open \(folder.path) poison")
      #expect(await next.ended() == SIGKILL)
    }
    let third = try worker()
    #expect(try await third.ask("open \(folder.path) poison") == "done")
    #expect(try await third.ask("skipped") == "[\(number)]")
    #expect(try await third.ask("refused") == "[\(number)]")
    #expect(try await third.ask("check") == "same")
    #expect(try await third.ask("append 2 40") == "121")
    // Whatever folds the log again leaves it out as well.
    #expect(try await third.ask("verify") == "sound")
    #expect(try await third.ask("replay") == "[\(number)]")
    #expect(try await third.ask("close") == "done")
    #expect(try await third.ask("open \(folder.path) poison") == "done")
    #expect(try await third.ask("skipped") == "[\(number)]")
    #expect(try await third.ask("check") == "same")
    #expect(try await third.ask("close") == "done")
    // The next version of the reducer can process the event, and tries it.
    #expect(try await third.ask("open \(folder.path) next") == "done")
    #expect(try await third.ask("skipped") == "[]")
    #expect(try await third.ask("refused") == "[]")
    #expect(try await third.ask("check") == "same")
    #expect(try await third.ask("close") == "done")
  }

  /// The second process shows its own views beside the first.
  ///
  /// Once alone, it reuses the rows and makes only the view that it defines differently.
  @Test(.defect(.marten, 3)) func builds_withOtherDefinitions_takeTurns() async throws {
    let (one, other) = (try worker(), try worker())
    #expect(try await one.ask("open \(folder.path)") == "done")
    #expect(try await one.ask("append 1 300") == "300")
    #expect(try await other.ask("open \(folder.path) other") == "done")
    #expect(try await other.ask("check") == "same")
    #expect(try await other.ask("close") == "done")
    #expect(try await one.ask("close") == "done")
    let generations = try generations()
    for turn in 0..<3 {
      let (who, build) = turn % 2 == 0 ? (other, " other") : (one, "")
      #expect(try await who.ask("open \(folder.path)\(build)") == "done")
      #expect(try await who.ask("check") == "same")
      #expect(try await who.ask("append \(turn) 20") == "\(320 + 20 * turn)")
      #expect(try await who.ask("check") == "same")
      #expect(try await who.ask("close") == "done")
      #expect(try self.generations() == generations)
    }
  }

  private func generations() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "views"))
      .filter { Int($0) != nil }.sorted()
  }

  /// A suspended process holds no file, lock or map, and another process can have them all.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
  func suspended_holdsNothing() async throws {
    let (one, other) = (try worker(), try worker())
    #expect(try await one.ask("open \(folder.path)") == "done")
    #expect(try await one.ask("close") == "done")
    let before = try await one.ask("belongings \(folder.path)")
    #expect(Int(before) != nil)
    #expect(try await one.ask("open \(folder.path)") == "done")
    #expect(try await one.ask("append 1 100") == "100")
    #expect(try await one.ask("watch") == "done")
    #expect(try await one.ask("belongings \(folder.path)").contains("data.mdb"))
    for turn in 1...3 {
      #expect(try await one.ask("suspend") == "done")
      #expect(try await one.ask("belongings \(folder.path)") == before)
      #expect(try await other.ask("open \(folder.path)") == "done")
      #expect(try await other.ask("append \(turn) 50") == "\(100 + 50 * turn)")
      #expect(try await other.ask("check") == "same")
      #expect(try await other.ask("close") == "done")
      #expect(try await one.ask("resume") == "done")
      #expect(try await one.ask("seen") == "same, 0 resets")
    }
    #expect(try await one.ask("close") == "done")
    #expect(try await one.ask("belongings \(folder.path)") == before)
  }
}
