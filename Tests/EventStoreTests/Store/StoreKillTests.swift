import EventStore
import Foundation
import LMDB
import TestSupport
import Testing
import ToyDomains

/// Processes that keep a store are killed at any moment: what they acknowledged is kept, and the
/// views are those of the plain model.
@Suite(.serialized, .timeLimit(.minutes(20))) struct StoreKillTests {
  /// Takes over ten seconds: a process can die while it ingests, rebuilds, swaps, suspends or
  /// closes, and each of these has many moments.
  @Test(.defect(.liveStore, 2), .defect(.ckSyncEngine, 1))
  func processes_killedAtAnyMoment_loseNothingAcknowledged() async throws {
    let kills = Campaign.size(200, long: 1000)
    let seed = UInt64.random(in: 0...9999)
    async let todo = StoreMassacre<Todo>("todo", Todo.views, seed: seed).run(kills: kills / 2)
    async let board = StoreMassacre<Leaderboard>("leaderboard", Leaderboard.views, seed: seed + 1)
      .run(kills: kills - kills / 2)
    let tally = try await todo + board
    print("kill -9: store, \(tally) (seed \(seed))")
    #expect(tally.kills == kills && tally.found == tally.acknowledged, "seed \(seed)")
    #expect(tally.acknowledged > kills, "seed \(seed)")
    #expect(tally.opened > kills / 5, "seed \(seed)")
    #expect(tally.skipped <= kills / 50, "seed \(seed)")
    for phase in LifePhase.allCases {
      #expect(tally.phases[phase, default: 0] > 0, "nothing was killed in \(phase), seed \(seed)")
    }
  }
}

/// The results of the killing.
private struct StoreTally: CustomStringConvertible {
  var (kills, opened, acknowledged, found, events, skipped) = (0, 0, 0, 0, 0, 0)
  /// The phases in which processes were killed, with their counts.
  var phases: [LifePhase: Int] = [:]

  static func + (a: StoreTally, b: StoreTally) -> StoreTally {
    var sum = a
    sum.kills += b.kills
    sum.opened += b.opened
    sum.acknowledged += b.acknowledged
    sum.found += b.found
    sum.events += b.events
    sum.skipped += b.skipped
    sum.phases.merge(b.phases, uniquingKeysWith: +)
    return sum
  }

  var description: String {
    let places = LifePhase.allCases.map { "\($0) \(phases[$0, default: 0])" }
    return "\(kills) kills, \(opened) of them after opening, "
      + "at \(places.joined(separator: ", ")); \(events) events, "
      + "\(acknowledged) batches acknowledged, \(found) found, \(skipped) events skipped"
  }
}

/// Processes that have the same stores, one after the other, until they are killed.
private final class StoreMassacre<T: Toy> {
  /// The number of kills after which a store is replaced, since comparing it takes ever longer.
  private let killsPerStore = 20
  private let name: String
  private let views: T.Model.Views
  private let answers: TemporaryFolder
  private var generator: SeededGenerator
  private var folder: TemporaryFolder
  private var comparison: StoreComparison<T>
  /// The records at which processes died twice in a row, which may therefore be skipped.
  private var struck: Set<RecordNumber> = []
  private var tally = StoreTally()

  init(_ name: String, _ views: T.Model.Views, seed: UInt64) throws {
    self.name = name
    self.views = views
    (answers, folder) = (try TemporaryFolder(), try TemporaryFolder())
    generator = SeededGenerator(seed: seed)
    comparison = StoreComparison(views)
  }

  func run(kills: Int) async throws -> StoreTally {
    var unchecked: [String] = []
    for kill in 1...kills {
      unchecked.append(try await liveAndDie(kill))
      // Not each time: a process that finds a store already repaired meets only the last death.
      let isLast = kill % killsPerStore == 0 || kill == kills
      guard isLast || generator.onceIn(3) else { continue }
      let isComplete = try await check(unchecked)
      unchecked = []
      if isLast || !isComplete { try beginAnew() }
    }
    return tally
  }

  private func beginAnew() throws {
    tally.events += comparison.count
    folder = try TemporaryFolder()
    comparison = StoreComparison(views)
    struck = []
  }

  /// Lets a process live for a moment, every other time in a phase; returns the file of what it
  /// acknowledged.
  private func liveAndDie(_ kill: Int) async throws -> String {
    let output = answers.path(of: "\(kill)")
    let worker = try Worker(.init(program: "StoreWorker", output: output))
    let phase = kill % 2 == 0 ? LifePhase.allCases[kill / 2 % LifePhase.allCases.count] : nil
    let seed = generator.next() % 1_000_000
    try worker.tell("live \(name) \(folder.path) \(seed) \(phase?.rawValue ?? "")")
    if let phase { await Self.wait(for: phase, in: output) }
    // Opening, in the first moments, is as likely to be struck as all the rest. A process begins
    // late on a slow machine, so every other time the rest counts from when it is open.
    let isOpen = phase == nil && kill % 4 == 1
    if isOpen { try await worker.said("opened") }
    let moment = phase != nil ? 0...2_000 : isOpen ? 0...120_000 : 20_000...160_000
    try await Task.sleep(for: .microseconds(Int.random(in: moment, using: &generator)))
    await worker.killed()
    tally.kills += 1
    if let phase = Self.phase(in: output) { tally.phases[phase, default: 0] += 1 }
    noteDeath()
    return output
  }

  /// Returns once a process is in a phase, or after five seconds.
  private static func wait(for phase: LifePhase, in output: String) async {
    let deadline = Instant.now + .seconds(5)
    while Self.phase(in: output) != phase, Instant.now < deadline {
      try? await Task.sleep(for: .microseconds(100))
    }
  }

  /// Returns the last phase that a process wrote to its file, or `nil` if it had not begun.
  private static func phase(in output: String) -> LifePhase? {
    let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").lazy.reversed().compactMap { LifePhase(line: $0) }.first
  }

  /// Notes a record that was being processed alone, as at the death before.
  private func noteDeath() {
    guard let bytes = FileManager.default.contents(atPath: folder.path + "/views/guard"),
      let memory = CrashGuard(Array(bytes).raw), let noted = memory.noted,
      noted.lowerBound == noted.upperBound, memory.strikes?.number == noted.lowerBound
    else { return }
    struck.insert(noted.lowerBound)
  }

  /// Returns whether the views contain all events.
  ///
  /// Rarely two kills in a row strike at the same event, which is then skipped by the rule.
  private func check(_ outputs: [String]) async throws -> Bool {
    let store = try await Store.open(at: folder.path, reducer: T.rules(views, version: 1))
    for output in outputs { try expectAcknowledged(output, in: store.log) }
    let skipped = try store.skipped
    #expect(struck.isSuperset(of: skipped), "\(name), after kill \(tally.kills)")
    tally.skipped += skipped.count
    if skipped.isEmpty {
      let difference = try await comparison.difference(of: store)
      #expect(difference == nil, "\(name), after kill \(tally.kills)")
    }
    try store.checkInvariants()
    await store.close()
    #expect(store.failure == nil)
    return skipped.isEmpty
  }

  private func expectAcknowledged(_ output: String, in log: Log) throws {
    let text = try String(contentsOfFile: output, encoding: .utf8)
    let lines = text.split(separator: "\n").filter { LifePhase(line: $0) == nil }
    #expect(lines.isEmpty || lines.first == "opened", "\(name) could not be opened")
    tally.opened += lines.first == "opened" ? 1 : 0
    for line in lines.dropFirst() {
      let words = line.split(separator: " ").compactMap { UInt64($0) }
      guard words.count == 2 else {
        Issue.record("\(name) said: \(line)")
        continue
      }
      tally.acknowledged += 1
      let record = try log.read { try $0.record(RecordNumber(rawValue: words[0])) }
      let isFound = record.map { UInt64($0.header.chain) } == words[1]
      tally.found += isFound ? 1 : 0
      #expect(isFound, "\(line) was acknowledged")
    }
  }
}
