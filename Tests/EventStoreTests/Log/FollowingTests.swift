import EventStore
import LMDB
import TestSupport
import Testing

/// Tasks that follow a log.
@Suite(.timeLimit(.minutes(5))) struct FollowingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(.defect(.marten, 1)) func followers_manyOfThem_seeAllInOrder() async throws {
    let log = try await Log.open(at: folder.path)
    let texts = (0..<300).map { "\($0)" }
    try await withThrowingTaskGroup { group in
      for follower in 0..<40 {
        let first = follower % 4 * 50
        group.addTask {
          var followed: [String] = []
          for try await record in log.records(from: RecordNumber(rawValue: UInt64(first + 1))) {
            followed.append(record.text)
            if followed.count == texts.count - first { break }
          }
          #expect(followed == Array(texts.dropFirst(first)))
        }
      }
      for text in texts { try await log.append(.of(text), durability: .relaxed) }
      try await group.waitForAll()
    }
    #expect(log.head.waiterCount == 0)
    await log.close()
  }

  /// A follower that asks for the next record only after many more were appended holds no
  /// transaction meanwhile, and then finds all of them.
  @Test func follower_slow_readsOnFromWhereItIs() async throws {
    let log = try await Log.open(at: folder.path)
    try await log.append(.of("0"))
    var iterator = log.records(from: 1).makeAsyncIterator()
    #expect(try await iterator.next()?.text == "0")
    for start in stride(from: 1, to: 2001, by: 100) {
      try await log.append(.of((start..<start + 100).map { "\($0)" }), durability: .relaxed)
      #expect(log.file.environment.oldestReaderAge == nil)
    }
    #expect(log.head.waiterCount == 0)
    for expected in 1...2000 { #expect(try await iterator.next()?.text == "\(expected)") }
    await log.close()
  }

  /// A filtered follower sees only the matching records, however many others there are.
  @Test func follower_ofSome_seesThoseAlone() async throws {
    let log = try await Log.open(at: folder.path)
    let texts = (0..<1000).map { "\($0)" }
    try await log.append(.of(texts), durability: .relaxed)
    var filter = RecordFilter()
    filter.text = "77"
    var iterator = log.records(from: 1, matching: filter).makeAsyncIterator()
    for expected in texts where expected.contains("77") {
      #expect(try await iterator.next()?.text == expected)
    }
    async let appended: Void = {
      for text in ["a", "b", "77!"] { try await log.append(.of(text), durability: .relaxed) }
    }()
    #expect(try await iterator.next()?.text == "77!")
    try await appended
    await log.close()
    #expect(try await iterator.next() == nil)
  }

  @Test func follower_cancelled_ends() async throws {
    let log = try await Log.open(at: folder.path)
    try await log.append(.of("a"))
    for delay in [0, 1, 10] {
      let follower = Task {
        var count = 0
        for try await _ in log.records(from: 1) { count += 1 }
        return count
      }
      try await Task.sleep(for: .milliseconds(delay))
      follower.cancel()
      #expect(try await follower.value <= 1)
    }
    #expect(log.head.waiterCount == 0)
    #expect(try await log.append(.of("b")) == 2...2)
    await log.close()
  }

  /// Records that were already read are not delivered after cancellation.
  @Test func follower_cancelledOnTheWay_endsAtOnce() async throws {
    let log = try await Log.open(at: folder.path)
    try await log.append(.of((0..<100).map { "\($0)" }))
    let follower = Task {
      var count = 0
      for try await _ in log.records(from: 1) {
        count += 1
        if count == 10 { withUnsafeCurrentTask { $0?.cancel() } }
      }
      return count
    }
    #expect(try await follower.value == 10)
    await log.close()
  }

  @Test func followers_endWhenTheLogIsClosed() async throws {
    let log = try await Log.open(at: folder.path)
    try await log.append(.of("a", "b"))
    await withTaskGroup { group in
      for _ in 0..<20 {
        group.addTask {
          var texts: [String] = []
          do {
            for try await record in log.records(from: 1) { texts.append(record.text) }
          } catch {
            Issue.record(error)
          }
          #expect(texts == ["a", "b"] || texts.isEmpty)
        }
      }
      try? await Task.sleep(for: .milliseconds(20))
      await log.close()
    }
    #expect(log.head.waiterCount == 0)
  }

  @Test func following_fromBelowTheFirst_isRefused() async throws {
    let log = try await Log.open(at: folder.path)
    try await log.append(.of("a"))
    var iterator = log.records(from: 0).makeAsyncIterator()
    await #expect(throws: LogError.compacted(floor: 0)) { _ = try await iterator.next() }
    await log.close()
  }
}
