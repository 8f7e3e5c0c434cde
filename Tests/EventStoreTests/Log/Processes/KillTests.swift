import EventStore
import Foundation
import TestSupport
import Testing

/// Whenever a process is killed, everything it had acknowledged is there.
@Suite(.serialized, .timeLimit(.minutes(5))) struct KillTests {
  /// Takes about ten seconds: a process can die at many moments, so many processes are killed.
  @Test func processes_killedAtAnyMoment_loseNothingAcknowledged() async throws {
    let kills = Campaign.size(200, long: 1000)
    let seed = UInt64.random(in: 0...9999)
    let tallies = try await withThrowingTaskGroup { group in
      for log in 0..<2 {
        group.addTask {
          let massacre = try Massacre(seed: seed + UInt64(log), processes: 3)
          return try await massacre.run(kills: kills / 2)
        }
      }
      return try await group.reduce(Tally()) { $0 + $1 }
    }
    print("kill -9: \(tallies) (seed \(seed))")
    #expect(tallies.kills == kills && tallies.found == tallies.acknowledged, "seed \(seed)")
    #expect(tallies.acknowledged > kills, "seed \(seed)")
  }
}

/// The outcome of the kills.
private struct Tally: CustomStringConvertible {
  var (kills, processes, acknowledged, found) = (0, 0, 0, 0)

  static func + (a: Tally, b: Tally) -> Tally {
    var sum = a
    sum.kills += b.kills
    sum.processes += b.processes
    sum.acknowledged += b.acknowledged
    sum.found += b.found
    return sum
  }

  var description: String {
    "\(kills) kills, \(processes) processes, \(acknowledged) records acknowledged, \(found) found"
  }
}

/// Processes that append to one log until they are killed, and are then replaced.
private final class Massacre {
  private let folder: TemporaryFolder
  private let answers: TemporaryFolder
  private let places: Int
  private var generator: SeededGenerator
  private var workers: [Worker] = []
  private var started = 0

  init(seed: UInt64, processes: Int) throws {
    folder = try TemporaryFolder()
    answers = try TemporaryFolder()
    places = processes
    generator = SeededGenerator(seed: seed)
  }

  func run(kills: Int) async throws -> Tally {
    for _ in 0..<places { workers.append(try start()) }
    for kill in 0..<kills {
      let moment = Int.random(in: 0...90_000, using: &generator)
      let victim = Int.random(in: 0..<places, using: &generator)
      // However slow the machine is, half of the victims have opened the log.
      if kill.isMultiple(of: 2) { try await workers[victim].said() }
      try await Task.sleep(for: .microseconds(moment))
      await workers[victim].killed()
      workers[victim] = try start()
    }
    for worker in workers { await worker.killed() }
    return try await count(kills)
  }

  /// Starts a process that appends from two tasks, and writes acknowledgments to its own file.
  private func start() throws -> Worker {
    started += 1
    let worker = try Worker(.init(output: answers.path(of: "\(started)")))
    try worker.tell("open \(folder.path)\nstream \(started) 2 1000000")
    return worker
  }

  private func count(_ kills: Int) async throws -> Tally {
    let log = try await Log.open(at: folder.path)
    try log.checkInvariants()
    let texts = try log.unpaddedTexts()
    await log.close()
    expectOrder(of: texts)
    var tally = Tally()
    (tally.kills, tally.processes) = (kills, started)
    for process in 1...started {
      for line in try acknowledged(by: process) {
        tally.acknowledged += 1
        let isFound = line.number <= texts.count && texts[line.number - 1] == line.text
        tally.found += isFound ? 1 : 0
        #expect(isFound, "\(line.number) \(line.text) was acknowledged")
      }
    }
    return tally
  }

  /// Expects each task's records to be there from the first one, in order, and none of them twice.
  private func expectOrder(of texts: [String]) {
    let tasks = Dictionary(grouping: texts) {
      $0.split(separator: ".").prefix(2).joined(separator: ".")
    }
    for (name, own) in tasks {
      let streamed = ProcessTests.streamed(name, own.count).prefix(own.count)
      #expect(own == Array(streamed), "records of \(name)")
    }
  }

  private func acknowledged(by process: Int) throws -> [(number: Int, text: String)] {
    let text = try String(contentsOfFile: answers.path(of: "\(process)"), encoding: .utf8)
    let lines = text.split(separator: "\n")
    for line in lines where line.hasPrefix("error ") || line.hasPrefix("no ") {
      Issue.record("process \(process) said: \(line)")
    }
    // The first line tells that the log was opened; the last may have been cut off.
    return lines.dropFirst().compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 2, let number = Int(words[0]) else { return nil }
      return (number, String(words[1]))
    }
  }
}
