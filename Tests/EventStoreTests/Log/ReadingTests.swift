import EventStore
import LMDB
import Synchronization
import TestSupport
import Testing

/// Readers of a log that grows, or is closed.
@Suite(.timeLimit(.minutes(5))) struct ReadingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A reader on its own thread, which stays until it is told to end.
  private final class HeldReader: Sendable {
    private let ending = Counter()
    private let seen = Monitor([RecordNumber]())
    private let thread = Mutex<WorkerThread?>(nil)

    init(_ log: Log) {
      let thread = WorkerThread { [self] in
        try? log.read { snapshot in
          note(snapshot.last)
          while ending.value == 0 { WorkerThread.sleep(.milliseconds(1)) }
          note(snapshot.last)
        }
      }
      self.thread.withLock { $0 = thread }
      _ = seen.withLock(when: { !$0.isEmpty }) { _ in }
    }

    private func note(_ last: RecordNumber) {
      seen.withLock { $0.append(last) }
      seen.notify()
    }

    /// Ends the reader; returns the last record as the reader saw it at first and in the end.
    func end() -> [RecordNumber] {
      ending.add()
      thread.withLock { $0 }?.join()
      return seen.withLock { $0 }
    }
  }

  @Test func reader_heldForLong_letsOthersAppend_andSeesNone() async throws {
    let log = try await Log.open(at: folder.path)
    try await log.append(.of("a"))
    let reader = HeldReader(log)
    for index in 0..<100 { try await log.append(.of("\(index)"), durability: .relaxed) }
    #expect(try log.last == 101)
    #expect(reader.end() == [1, 1])
    try log.checkInvariants()
    await log.close()
  }

  /// A search for what is rare returns now and then, so that it can be given up.
  @Test func search_returnsNowAndThen_andMissesNothing() async throws {
    let log = try await Log.open(at: folder.path)
    let texts = (1...10_000).map { "note \($0)" }
    try await log.append(.of(texts), durability: .relaxed)
    for sought in ["note 9999", "note 12", "4096", "nothing"] {
      var filter = RecordFilter()
      filter.text = sought
      var (search, found, parts) = (RecordSearch(log, matching: filter), [String](), 0)
      while let part = try search.part() {
        parts += 1
        for case .success(let record) in part { found.append(record.text) }
      }
      #expect(found == texts.filter { $0.contains(sought) })
      #expect(parts > 1, "\(sought)")
    }
    await log.close()
  }

  /// The map can't grow while a reader of the same process may be reading from it.
  ///
  /// Runs in long campaigns only: it takes over five seconds, as long as a writer waits for
  /// readers.
  @Test(.enabled(if: Campaign.isLong))
  func reader_heldForLong_keepsTheMapFromGrowing() async throws {
    let log = try await Log.open(at: folder.path)
    let large = Batch.of("".padded(to: 2 << 20))
    try await log.append(.of("a"))
    let reader = HeldReader(log)
    await #expect(throws: LogError.mapFull(path: folder.path)) { try await log.append(large) }
    #expect(reader.end() == [1, 1])
    #expect(try await log.append(large) == 2...2)
    try log.checkInvariants()
    await log.close()
  }

  @Test func closing_waitsForReaders() async throws {
    let log = try await Log.open(at: folder.path)
    try await log.append(.of("a"))
    let reader = HeldReader(log)
    let closed = Counter()
    await withTaskGroup { group in
      group.addTask {
        await log.close()
        closed.add()
      }
      try? await Task.sleep(for: .milliseconds(50))
      #expect(closed.value == 0)
      #expect(reader.end() == [1, 1])
    }
    #expect(closed.value == 1)
  }

  @Test func closed_everythingSaysSo() async throws {
    let log = try await Log.open(at: folder.path)
    try await log.append(.of("a"))
    let position = try await log.position()
    await log.close()
    await log.close()
    let closed = LogError.closed(path: folder.path)
    #expect(throws: closed) { try log.last }
    #expect(throws: closed) { try log.texts() }
    #expect(throws: closed) { try log.holds(position) }
    #expect(throws: closed) { try log.checkInvariants() }
    await #expect(throws: closed) { try await log.position() }
    await #expect(throws: closed) { try await log.flush() }
    await #expect(throws: closed) { try await log.append(.of("b")) }
    var iterator = log.records(from: 1).makeAsyncIterator()
    #expect(try await iterator.next() == nil)
  }

  @Test func closing_whileReadersRead() async throws {
    for _ in 0..<20 {
      let folder = try TemporaryFolder()
      let log = try await Log.open(at: folder.path)
      try await log.append(.of((0..<50).map { "\($0)" }))
      let threads = (0..<4).map { index in
        WorkerThread {
          let closed = LogError.closed(path: folder.path)
          #expect(throws: closed) {
            while true { if index % 2 == 0 { _ = try log.texts() } else { _ = try log.last } }
          }
        }
      }
      try await Task.sleep(for: .milliseconds(2))
      await log.close()
      threads.forEach { $0.join() }
    }
  }
}
