import EventStore
import TestSupport
import Testing

@Suite struct LogTests {
  @Test func append_givesConsecutiveNumbers() async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    #expect(try await log.append(.of("a", "b")) == 1...2)
    #expect(try await log.append(.of("c")) == 3...3)
    #expect(try log.texts() == ["a", "b", "c"])
    await log.close()

    let again = try await Log.open(at: folder.path)
    #expect(again.store == log.store && again.incarnation == log.incarnation)
    #expect(try again.texts() == ["a", "b", "c"])
    #expect(try await again.append(.of("d"), durability: .relaxed) == 4...4)
    #expect(try again.last == 4)
    await again.close()
  }

  @Test func append_isRefusedOnceClosed() async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    await log.close()
    await #expect(throws: LogError.closed(path: folder.path)) { try await log.append(.of("a")) }
  }

  @Test func records_followsWhatIsAppended() async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    try await log.append(.of("a"))
    let reader = Task {
      var texts: [String] = []
      for try await record in log.records(from: 1) {
        texts.append(record.text)
        if texts.count == 3 { break }
      }
      return texts
    }
    try await log.append(.of("b"))
    try await log.append(.of("c"))
    #expect(try await reader.value == ["a", "b", "c"])
    await log.close()
  }

  @Test func appends_ofManyTasksAreAllThere() async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    await withTaskGroup { group in
      for task in 0..<32 {
        group.addTask {
          for index in 0..<20 { _ = try? await log.append(.of("\(task).\(index)")) }
        }
      }
    }
    let texts = try log.texts()
    #expect(texts.count == 640)
    for task in 0..<32 {
      #expect(texts.filter { $0.hasPrefix("\(task).") } == (0..<20).map { "\(task).\($0)" })
    }
    await log.close()
  }
}
