import BenchmarkHarness
import Foundation
import Synchronization
import Testing

final class RunnerTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("tideline-runner-\(UUID().uuidString)").path

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func runner(rounds: Int) -> Runner {
    Runner(meter: Meter(), folder: folder, rounds: rounds)
  }

  /// A record of what the cases saw, in order.
  private final class Diary: Sendable {
    private let lines = Mutex<[String]>([])
    var text: [String] { lines.withLock { $0 } }
    func append(_ line: String) { lines.withLock { $0.append(line) } }
  }

  @Test func cases_takeTurnsAfterAWarmUpThatIsDropped() async throws {
    let diary = Diary()
    let workload = Workload("work", "", smoke: 1, real: 2) { setting in
      ["a", "b"].map { name in
        Case(name, Claim(.amount(unit: "rounds"))) { round in
          diary.append("\(name)\(round.number) of \(setting.size)")
          return Sample(amount: Double(round.number))
        }
      }
    }
    let findings = try await runner(rounds: 3).run(workload, size: 1)
    let turns = (0...3).flatMap { ["a\($0) of 1", "b\($0) of 1"] }
    #expect(diary.text == turns)
    #expect(findings.map(\.name) == ["a", "b"])
    #expect(findings.map(\.values) == Array(repeating: Distribution([1, 2, 3]), count: 2))
  }

  @Test func slowCase_runsOnceForAllRounds() async throws {
    let diary = Diary()
    let workload = Workload("work", "", smoke: 1, real: 2) { _ in
      [true, false].map { isSlow in
        Case(isSlow ? "slow" : "quick", Claim(.amount(unit: "x")), isSlow: isSlow) { round in
          diary.append("\(isSlow ? "slow" : "quick")\(round.number)")
          return Sample(amount: 4)
        }
      }
    }
    let findings = try await runner(rounds: 2).run(workload, size: 1)
    #expect(diary.text == ["quick0", "slow1", "quick1", "quick2"])
    #expect(findings.map(\.values) == Array(repeating: Distribution([4, 4]), count: 2))
  }

  @Test func folders_areEmptyForEachTurnAndGoneAfterwards() async throws {
    let shared = folder + "/work"
    let workload = Workload("work", "", smoke: 1, real: 2) { setting in
      let kept = FileManager.default.createFile(atPath: "\(setting.folder)/kept", contents: nil)
      #expect(kept && setting.folder == shared)
      return [
        Case("a") { round in
          let files = FileManager.default
          let found = try files.contentsOfDirectory(atPath: round.folder)
          #expect(found.isEmpty)
          #expect(files.createFile(atPath: "\(round.folder)/x", contents: nil))
          #expect(files.fileExists(atPath: "\(shared)/kept"))
          return Sample(digest: 1)
        }
      ]
    }
    _ = try await runner(rounds: 2).run(workload, size: 1)
    #expect(!FileManager.default.fileExists(atPath: shared))
  }

  @Test func resultThatChanges_voidsTheFigures() async throws {
    let workload = Workload("work", "", smoke: 1, real: 2) { _ in
      [Case("a") { round in Sample(digest: UInt64(round.number)) }]
    }
    await #expect(throws: Runner.Failure.unsteady(workload: "work", name: "a")) {
      try await runner(rounds: 2).run(workload, size: 1)
    }
  }

  @Test(arguments: [(1, nil), (2, true)] as [(Int, Bool?)])
  func targets_countAtTheRealSizeOnly(size: Int, met: Bool?) async throws {
    let workload = Workload("work", "", smoke: 1, real: 2) { _ in
      [Case("a", Claim(.amount(unit: "x"), atMost: 5)) { _ in Sample(amount: 4) }]
    }
    #expect(try await runner(rounds: 1).run(workload, size: size).map(\.met) == [met])
  }
}

struct MeterTests {
  @Test func everyRun_isTimedAndItsResultMixedIn() async {
    let meter = Meter()
    let ascending = await meter.measureEach(3) { UInt64($0) }
    #expect(ascending.durations.count == 3)
    #expect(ascending.events == 3)
    #expect(ascending.durations.allSatisfy { $0 >= .zero })
    let descending = await meter.measureEach(3) { UInt64(2 - $0) }
    #expect(ascending.digest != descending.digest)
  }

  @Test func oneRun_mayHandleManyEvents() async {
    let sample = await Meter().measure(events: 50) { 7 }
    #expect(sample.durations.count == 1)
    #expect(sample.events == 50)
    #expect(sample.digest == 7)
  }

  @Test func manyOperationsInARun_areCountedApartAndUndoneUntimed() async {
    var undone: [Int] = []
    let sample = await Meter().measureEach(3, operations: 1_000_000) {
      UInt64($0)
    } after: { turn in
      undone.append(turn)
      try? await Task.sleep(for: .milliseconds(100))
    }
    #expect(undone == [0, 1, 2])
    #expect(sample.events == 3_000_000)
    #expect(sample.durations.allSatisfy { $0 < .nanoseconds(50) })
  }

  @Test func allocations_areTheDifference() async {
    let count = Mutex(40)
    let meter = Meter { count.withLock { $0 } }
    let sample = await meter.measureEach(5) { _ in
      count.withLock { $0 += 2 }
      return 0
    }
    #expect(sample.allocations == 10)
    let uncounted = await Meter().measure(events: 1) { 0 }
    #expect(uncounted.allocations == nil)
  }
}
