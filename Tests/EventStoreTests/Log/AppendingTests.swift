import EventStore
import Foundation
import LMDB
import TestSupport
import Testing

/// Many tasks append to one log at once.
@Suite(.timeLimit(.minutes(5))) struct AppendingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(.defect(.iterable, 2), .defect(.liveStore, 6), .defect(.mailspring, 3))
  func batches_ofManyTasks_stayTogetherAndInOrder() async throws {
    let log = try await Log.open(at: folder.path)
    try await withThrowingTaskGroup { group in
      for task in 0..<64 {
        group.addTask {
          var last = RecordNumber.zero
          for index in 0..<5 {
            let texts = (0..<3).map { "\(task).\(index).\($0)" }
            let durability: Durability = (task + index) % 3 == 0 ? .full : .relaxed
            let numbers = try await log.append(.of(texts), durability: durability)
            #expect(numbers.count == 3 && numbers.lowerBound > last)
            last = numbers.upperBound
          }
        }
      }
      try await group.waitForAll()
    }
    try log.checkInvariants()
    let texts = try log.texts()
    #expect(texts.count == 64 * 15)
    for task in 0..<64 {
      let own = texts.enumerated().filter { $0.element.hasPrefix("\(task).") }
      #expect(own.map(\.element) == (0..<15).map { "\(task).\($0 / 3).\($0 % 3)" })
      for batch in 0..<5 {
        let places = own[(batch * 3)..<(batch * 3 + 3)].map(\.offset)
        #expect(places == Array(places[0]...places[0] + 2))
      }
    }
    await log.close()
  }

  /// The pool has as many threads as there are processors; each is kept busy until a thread outside
  /// the pool sees all pending records in the file.
  @Test func appends_areCommittedWhileThePoolIsBusy() async throws {
    let log = try await Log.open(at: folder.path)
    let (onTheirWay, committed) = (Counter(), Counter())
    let batch = Batch.of((0..<200).map { "\($0)".padded(to: 300) })
    let observed: Bool = await withTaskGroup { group in
      for index in 0..<100 {
        group.addTask {
          onTheirWay.add()
          _ = try? await log.append(batch, durability: index % 2 == 0 ? .full : .relaxed)
        }
      }
      while onTheirWay.value < 100 { await Task.yield() }
      for _ in 0..<ProcessInfo.processInfo.activeProcessorCount * 2 {
        group.addTask {
          let deadline = Instant.now + .ample + .seconds(20)
          while committed.value == 0, Instant.now < deadline {}
        }
      }
      return await answered { answer in
        _ = WorkerThread {
          let deadline = Instant.now + .ample
          while log.head.last < 20_000, Instant.now < deadline {
            WorkerThread.sleep(.milliseconds(1))
          }
          let isThere = (try? log.last) == 20_000
          committed.add()
          answer.resume(isThere)
        }
      }
    }
    #expect(observed)
    try log.checkInvariants()
    await log.close()
  }

  /// Each append either succeeds and is in the log, or throws `closed` and is not.
  @Test(.defect(.liveStore, 2)) func closing_whileTasksAppend() async throws {
    for round in 0..<10 {
      let folder = try TemporaryFolder()
      let log = try await Log.open(at: folder.path)
      let acknowledged = await withTaskGroup { group in
        for task in 0..<64 { group.addTask { await appendUntilClosed(log, "\(task)") } }
        group.addTask {
          try? await Task.sleep(for: .milliseconds(round * 2))
          await log.close()
          return []
        }
        return await group.reduce(into: [RecordNumber: String]()) { all, own in
          for (number, text) in own { all[number] = text }
        }
      }
      let again = try await Log.open(at: folder.path)
      try again.checkInvariants()
      let texts = try again.texts()
      let expected = texts.enumerated().map { (RecordNumber(rawValue: UInt64($0 + 1)), $1) }
      #expect(acknowledged == Dictionary(uniqueKeysWithValues: expected))
      await again.close()
    }
  }

  private func appendUntilClosed(_ log: Log, _ name: String) async -> [(RecordNumber, String)] {
    var acknowledged: [(RecordNumber, String)] = []
    for index in 0... {
      let text = "\(name).\(index)"
      do {
        let numbers = try await log.append(.of(text), durability: index % 2 == 0 ? .full : .relaxed)
        acknowledged.append((numbers.lowerBound, text))
      } catch {
        #expect(error == .closed(path: log.path))
        break
      }
    }
    return acknowledged
  }

  /// Once a batch is found to follow all that the follower was told, another thread's batch comes
  /// after it.
  @Test func batchAhead_nothingGetsInBeforeIt() async throws {
    let log = try await Log.open(at: folder.path)
    try await log.append(.of("first"))
    let ahead = try log.submitAhead(.of("ahead"), .relaxed, isAwaited: false, from: 2) {
      _ = WorkerThread { _ = try? log.submit(.of("other"), durability: .relaxed) }
      // If the other batch got in first, it would be written by then.
      let deadline = Instant.now + .milliseconds(100)
      while log.head.last < 2, Instant.now < deadline { WorkerThread.sleep(.milliseconds(1)) }
      return true
    }
    log.wakeWriter()
    #expect(try await #require(ahead).durable() == 2...2)
    var others = log.records(from: 3).makeAsyncIterator()
    #expect(try await others.next()?.text == "other")
    await log.close()
  }

  /// The text that a row refers to can be read as soon as the row is shown.
  @Test func contentAhead_canBeReadBeforeItIsInTheLog() async throws {
    let log = try await Log.open(at: folder.path)
    try await log.append(.of("first"))
    var batch = Batch.of("second")
    var caused = Event.note
    caused.cause = .sameBatch(0)
    batch.add(caused) { $0.put(7, "third") }
    let ahead = try log.submitAhead(batch, .full, isAwaited: false, from: 2) { true }
    let content = Array("third".utf8)
    let reference = TextReference(record: 3, field: 7, digest: 0)
    #expect(try log.last == 1)
    #expect(try log.content(of: reference) == content)
    #expect(try log.content(of: TextReference(record: 3, field: 8, digest: 0)) == nil)
    #expect(try log.content(of: TextReference(record: 4, field: 7, digest: 0)) == nil)
    let records = try (1...4).map { try log.record($0) }
    #expect(records.map { $0?.number } == [1, 2, 3, nil])
    log.wakeWriter()
    #expect(try await #require(ahead).durable() == 2...3)
    #expect(try log.content(of: reference) == content)
    let written = try (1...4).map { try log.record($0) }
    #expect(written.map { $0?.payload } == records.map { $0?.payload })
    #expect(written.map { $0?.header.kind } == records.map { $0?.header.kind })
    #expect(records[2]?.header.cause == 2 && written[2]?.header.cause == 2)
    await log.close()
  }

  /// A batch that was resolved for one place and then comes to another refers to its own records.
  @Test func references_followTheirBatch() {
    var batch = Batch.of("first")
    for index in 0..<3 {
      var event = Event.note
      (event.cause, event.exchange) = (.sameBatch(index), .record(1))
      batch.add(event)
    }
    func references(from first: RecordNumber) -> [[RecordNumber?]] {
      var all: [[RecordNumber?]] = []
      batch.forEach(from: first) { all.append([$0.header.cause, $0.header.exchange]) }
      return all
    }
    #expect(references(from: 5) == [[nil, nil], [5, 1], [6, 1], [7, 1]])
    batch.resolve(from: 9)
    batch.resolve(from: 7)
    #expect(references(from: 7) == [[nil, nil], [7, 1], [8, 1], [9, 1]])
    #expect(references(from: 3) == [[nil, nil], [3, 1], [4, 1], [5, 1]])
    batch.resolve(from: 7)
    #expect(references(from: 7) == [[nil, nil], [7, 1], [8, 1], [9, 1]])
  }

  /// Opens a log in which batches that nobody awaits wait for company for as long as it takes.
  private func patientLog() async throws -> Log {
    var options = Log.Options()
    options.patience = .seconds(3600)
    return try await Log.open(at: folder.path, options: options)
  }

  /// Submits a batch after all records, as soon as nothing else is pending.
  private func submitAhead(
    _ text: String, _ durability: Durability, isAwaited: Bool = false, from first: RecordNumber,
    to log: Log
  ) throws -> Receipt {
    while true {
      let receipt = try log.submitAhead(
        .of(text), durability, isAwaited: isAwaited, from: first
      ) { true }
      guard let receipt else { continue }
      log.wakeWriter()
      return receipt
    }
  }

  /// A batch that nobody awaits is written with the next one.
  @Test func relaxedBatchAhead_waitsForCompany() async throws {
    let log = try await patientLog()
    let before = try log.file.environment.lastTransaction
    let relaxed = try submitAhead("relaxed", .relaxed, from: 1, to: log)
    WorkerThread.sleep(.milliseconds(5))
    #expect(try log.last == 0)
    let full = try submitAhead("full", .full, from: 2, to: log)
    #expect(try await relaxed.durable() == 1...1)
    #expect(try await full.durable() == 2...2)
    #expect(try log.file.environment.lastTransaction == before + 1)
    await log.close()
  }

  /// Following, flushing, or closing the log doesn't wait for company to come.
  @Test func relaxedBatchAhead_thatSomebodyWaitsFor_isWrittenAtOnce() async throws {
    let log = try await patientLog()
    let following = try submitAhead("following", .relaxed, from: 1, to: log)
    let follower = Task { try await log.records(from: 1).first { $0.text == "followed" } }
    #expect(try await following.durable() == 1...1)
    while log.head.waiterCount == 0 { await Task.yield() }
    let followed = try submitAhead("followed", .relaxed, from: 2, to: log)
    #expect(try await followed.durable() == 2...2)
    let found = try await follower.value
    #expect(found?.number == 2)
    let flushed = try submitAhead("flushed", .relaxed, from: 3, to: log)
    try await log.flush()
    #expect(try await flushed.durable() == 3...3)
    let awaited = try submitAhead("awaited", .relaxed, isAwaited: true, from: 4, to: log)
    #expect(try await awaited.durable() == 4...4)
    let closed = try submitAhead("closed", .relaxed, from: 5, to: log)
    await log.close()
    #expect(try await closed.durable() == 5...5)
  }

  /// A batch that doesn't follow all that the follower was told is not appended.
  @Test func batchAhead_refused_isNotAppended() async throws {
    let log = try await Log.open(at: folder.path)
    try await log.append(.of("first"))
    #expect(try log.submitAhead(.of("ahead"), .full, isAwaited: false, from: 2) { false } == nil)
    try await log.append(.of("second"))
    #expect(try log.texts() == ["first", "second"])
    await log.close()
  }

  /// A flush that arrived between two looks at the queue was once never answered.
  @Test func closing_whileTasksFlush() async throws {
    for _ in 0..<50 {
      let folder = try TemporaryFolder()
      let log = try await Log.open(at: folder.path)
      await withTaskGroup { group in
        for _ in 0..<8 { group.addTask { try? await log.flush() } }
        group.addTask { await log.close() }
      }
    }
  }

  @Test func cancellation_doesNotTakeAnAppendBack() async throws {
    let log = try await Log.open(at: folder.path)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await log.append(.of("a"))
    }
    #expect(try await task.value == 1...1)
    #expect(try log.texts() == ["a"])
    await log.close()
  }

  @Test func log_letGo_closesByItself() async throws {
    var log: Log? = try await Log.open(at: folder.path)
    try await log?.append(.of("a"), durability: .relaxed)
    log = nil
    var again: Log?
    while again == nil {
      do { again = try await Log.open(at: folder.path) } catch LogError.alreadyOpen {
        try await Task.sleep(for: .milliseconds(2))
      }
    }
    #expect(try again?.texts() == ["a"])
    await again?.close()
  }
}
