import EventStore
import Foundation
import TestSupport
import Testing

/// Several processes use a log whose records are compacted and erased.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CompactionProcessTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func worker() async throws -> Worker {
    let worker = try Worker()
    #expect(try await worker.ask("open \(folder.path)").first?.isNumber == true)
    return worker
  }

  @Test func follower_goesOnAcrossTheSwitch() async throws {
    let log = try await Log.open(at: folder.path)
    let follower = try await worker()
    #expect(try await follower.ask("follow 1 90") == "following")
    for part in 0..<3 {
      let texts = (1...30).map { "\(part * 30 + $0)" }
      try await log.append(.of(texts))
      for text in texts { #expect(try await follower.next() == "\(text) \(text)") }
      let floor = RecordNumber(rawValue: UInt64(part * 30 + 20))
      try await log.compact(through: floor) { last in last == .zero ? [.kept(3), .kept(7)] : [] }
    }
    #expect(try await follower.next() == "done")
    #expect(try await follower.ask("texts").hasPrefix("12 3 7 81 82"))
    #expect(try await follower.ask("check") == "done")
    // A new follower begins with the baseline; a follower below the floor can't continue.
    #expect(try await follower.ask("follow 1 81") == "following")
    for line in ["3 3", "7 7", "81 81", "done"] { #expect(try await follower.next() == line) }
    try follower.tell("follow 5 90")
    #expect(try await follower.next() == "following")
    #expect(try await follower.next() == "error compacted")
    await log.close()
  }

  @Test func otherProcesses_appendAcrossTheSwitch() async throws {
    let log = try await Log.open(at: folder.path)
    let other = try await worker()
    for number in 1...60 {
      #expect(try await other.ask("append full n\(number) 40") == "\(number)")
      guard number % 20 == 0 else { continue }
      try await log.compact(through: RecordNumber(rawValue: UInt64(number - 3))) { last in
        last == .zero ? [.kept(1)] : []
      }
    }
    #expect(try log.unpaddedTexts() == ["n1", "n58", "n59", "n60"])
    try log.checkInvariants()
    await log.close()
    #expect(try await other.ask("check") == "done")
    #expect(try await other.ask("append full n61 0") == "61")
  }

  /// LMDB in another process still has pages with erased data in memory, and writes them again.
  @Test func whatOtherProcessesHadWritten_doesNotComeBack() async throws {
    let log = try await Log.open(at: folder.path)
    let other = try await worker()
    for number in 1...40 {
      let text = "\(PlantedLog.mark)\(number)-"
      let word = String(repeating: text, count: 1 + number * 37 % 350)
      #expect(try await other.ask("append full \(word) 0") == "\(number)")
    }
    let report = try await log.erase(Erasure(numbers: [1...40]))
    #expect(report == ErasureReport(recordCount: 40, isWiped: true))
    #expect(try PlantedLog.marks(in: folder.path) == [])
    for number in 41...80 {
      #expect(try await other.ask("append full x \(number * 31 % 900)") == "\(number)")
    }
    #expect(try PlantedLog.marks(in: folder.path) == [])
    #expect(try await other.ask("check") == "done")
    await log.close()
  }

  /// Takes some seconds: processes are killed at random moments.
  @Test func killedAtAnyMoment_theLogIsWhole() async throws {
    let seed = UInt64.random(in: 0...9999)
    var generator = SeededGenerator(seed: seed)
    var acknowledged: UInt64 = 0
    for kill in 0..<Campaign.size(15, long: 300) {
      let victim = try await worker()
      try victim.tell("churn \(seed + UInt64(kill))")
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        let line = try await victim.next()
        acknowledged = try #require(UInt64(line), "seed \(seed): \(line)")
      }
      try await Task.sleep(for: .microseconds(.random(in: 0...9000, using: &generator)))
      await victim.killed()
      #expect(try Log.check(at: folder.path).isSound, "seed \(seed), kill \(kill)")
      let log = try await Log.open(at: folder.path)
      try await log.finishUpkeep()
      try log.checkInvariants()
      #expect(try log.last.rawValue >= acknowledged, "seed \(seed), kill \(kill)")
      try log.read { snapshot in
        var cursor = try snapshot.records()
        while try cursor.next() {
          let (number, text) = (cursor.number, cursor.record.record.text.unpadded)
          #expect(text == "n\(number)" || cursor.record.header.isErased, "seed \(seed)")
        }
      }
      await log.close()
    }
  }
}
