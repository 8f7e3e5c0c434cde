import EventStore
import Foundation
import TestSupport
import Testing

/// Several processes use one log.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ProcessTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func worker(_ surroundings: Worker.Surroundings = .init()) async throws -> Worker {
    let worker = try Worker(surroundings)
    #expect(try await worker.ask("open \(folder.path)").first?.isNumber == true)
    return worker
  }

  /// Takes over a second in all: six processes start, and four append 2,400 records.
  @Test(.defect(.liveStore, 5)) func processes_appendAtOnce_nothingIsLostOrTwice() async throws {
    let followers = try await [worker(), worker()]
    for follower in followers { try follower.tell("follow 1 2400") }
    let names = ["a", "b", "c", "d"]
    try await withThrowingTaskGroup { group in
      for name in names {
        group.addTask { try await acknowledged(worker(), "stream \(name) 3 150") }
      }
      var all: [String] = []
      for try await acknowledged in group { all += acknowledged }
      let log = try await Log.open(at: folder.path)
      try log.checkInvariants()
      let texts = try log.unpaddedTexts()
      #expect(texts.count == 2400)
      #expect(Set(all) == Set(texts.enumerated().map { "\($0 + 1) \($1)" }))
      for name in names {
        for task in 0..<3 {
          let own = texts.filter { $0.hasPrefix("\(name).\(task).") }
          #expect(own == Self.streamed("\(name).\(task)", 150))
        }
      }
      for follower in followers {
        var followed: [String] = []
        #expect(try await follower.next() == "following")
        for _ in texts { followed.append(try await follower.next()) }
        #expect(followed == texts.enumerated().map { "\($0 + 1) \($1)" })
      }
      await log.close()
    }
  }

  /// Returns the texts that a worker's task appends.
  static func streamed(_ name: String, _ count: Int) -> [String] {
    (0..<count).flatMap { index in
      index % 3 == 0 ? ["\(name).\(index)a", "\(name).\(index)b"] : ["\(name).\(index)"]
    }
  }

  private func acknowledged(_ worker: Worker, _ command: String) async throws -> [String] {
    var lines = [try await worker.ask(command)]
    while let last = lines.last, last != "done" {
      guard !last.hasPrefix("error") else { throw Worker.Failure(description: last) }
      lines.append(try await worker.next())
    }
    return lines.dropLast()
  }

  /// Each process finds an empty folder; one makes the store, and all open the same one.
  @Test func processes_thatMakeTheLogAtOnce_makeOne() async throws {
    for _ in 0..<5 {
      let folder = try TemporaryFolder()
      let workers = try (0..<4).map { _ in try Worker() }
      for worker in workers { try worker.tell("open \(folder.path)\nidentity") }
      var identities: Set<String> = []
      for worker in workers {
        #expect(try await worker.next() == "0")
        identities.insert(try await worker.next())
      }
      #expect(identities.count == 1)
      for (index, worker) in workers.enumerated() {
        #expect(try await worker.ask("append full note 10") == "\(index + 1)")
      }
    }
  }

  /// The map starts at a megabyte, and each process adopts the size to which another has grown it.
  @Test func processes_makeTheMapGrowForEachOther() async throws {
    let workers = try await [worker(), worker(), worker()]
    for index in 0..<30 {
      let worker = workers[index % 3]
      let answer = try await worker.ask("append relaxed note\(index) 200000")
      #expect(answer == "\(index + 1)")
      for worker in workers { #expect(try await worker.ask("last") == "\(index + 1)") }
    }
    for worker in workers { #expect(try await worker.ask("check") == "done") }
  }

  /// Only the system notifies the follower: nothing else here reads the log meanwhile.
  @Test func append_ofAnotherProcess_isNoticed() async throws {
    let log = try await Log.open(at: folder.path)
    let other = try await worker()
    let (noticed, notice) = AsyncStream.makeStream(of: (RecordNumber, ContinuousClock.Instant).self)
    let follower = Task {
      for try await record in log.records(from: 1) { notice.yield((record.number, .now)) }
    }
    var iterator = noticed.makeAsyncIterator()
    var delays: [Duration] = []
    for index in 1...20 {
      let durability = index % 2 == 0 ? "full" : "relaxed"
      let began = ContinuousClock.now
      #expect(try await other.ask("append \(durability) note 10") == "\(index)")
      let (number, time) = try #require(await iterator.next())
      #expect(number.rawValue == UInt64(index))
      #expect(try log.last == number)
      delays.append(time - began)
    }
    let sorted = delays.sorted()
    print("append of another process: noticed after \(sorted[10]), or \(sorted[19]) at most")
    follower.cancel()
    await log.close()
  }

  @Test func position_ofAnotherProcessesRelaxedRecord_isOnTheMedium() async throws {
    let log = try await Log.open(at: folder.path)
    let other = try await worker()
    #expect(try await other.ask("append relaxed note 10") == "1")
    let position = try await log.position()
    #expect(position.number == 1 && log.head.durable >= 1)
    #expect(try log.holds(position))
    await log.close()
  }

  @Test func reader_ofAStoppedProcess_letsOthersAppend() async throws {
    let log = try await Log.open(at: folder.path)
    try await log.append(.of("first"))
    let reader = try await worker()
    #expect(try await reader.ask("hold") == "holding 1")
    reader.signal(SIGSTOP)
    for index in 0..<500 {
      try await log.append(.of("\(index)".padded(to: 3000)), durability: .relaxed)
    }
    #expect(try log.last == 501)
    try log.checkInvariants()
    reader.signal(SIGCONT)
    await reader.killed()
    try await log.append(.of("last"))
    try log.checkInvariants()
    await log.close()
  }

  @Test func process_thatDiesWhileItReads_leavesNoTrace() async throws {
    let log = try await Log.open(at: folder.path)
    try await log.append(.of("first"))
    for _ in 0..<3 {
      let reader = try await worker()
      #expect(try await reader.ask("hold") == "holding 1")
      await reader.killed()
    }
    #expect(try await log.append(.of("second")) == 2...2)
    #expect(try log.texts() == ["first", "second"])
    await log.close()
  }
}
