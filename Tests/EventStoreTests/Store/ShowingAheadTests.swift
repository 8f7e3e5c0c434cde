import EventStore
import LMDB
import Synchronization
import TestSupport
import Testing
import ToyDomains

/// Batches shown by the thread that submits them, before the log's thread has them.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ShowingAheadTests {
  private static let mix = TodoMix()

  /// What a subscriber was told, and on which threads.
  private final class Told: Sendable {
    struct State {
      var rows: [Row] = []
      var resets = 0
      var threads: Set<UInt> = []
    }

    let state = Mutex(State())

    func take(_ change: Change) {
      state.withLock { state in
        state.rows = Array(change.list)
        state.resets += change.set.isReset ? 1 : 0
        state.threads.insert(WorkerThread.current)
      }
    }
  }

  @Test func batch_isShownWhenItIsSubmitted() async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: Todo.rules(Todo.views))
    var generator = SeededGenerator(seed: 1)
    var ahead = 0
    for _ in 0..<200 {
      // Whatever was on its way is in the log once something after it is.
      try await store.commitViews()
      let last = try store.log.last
      let receipt = try store.submitAndShow(Batch([Self.mix.happening(using: &generator)]))
      let shown = try store.read { $0.position.number }
      if shown > last { ahead += 1 }
      #expect(try await receipt.durable().upperBound == last.advanced(by: 1))
      try await receipt.visible()
      let position = try await store.log.position(at: last.advanced(by: 1))
      #expect(try store.read { $0.position } == position)
    }
    #expect(ahead > 0)
    #expect(try await store.verify().isSound)
    await store.close()
  }

  /// Several batches in quick succession do not wait for the log either, even while others take the
  /// usual way and frames end.
  ///
  /// Takes over a second: each round waits for the disk.
  @Test(arguments: 1...3) func batchesInARow_areShownWhenTheyAreSubmitted(
    seed: UInt64
  ) async throws {
    let folder = try TemporaryFolder()
    var store = try await Store.open(at: folder.path, reducer: Todo.rules(Todo.views))
    let told = Told()
    let live = try store.live("titles", window: 0..., holdsRows: true) { told.take($0) }
    var generator = SeededGenerator(seed: seed)
    var ahead = 0
    for _ in 0..<20 {
      if Bool.random(using: &generator) { try await store.commitViews() }
      let last = try store.log.last
      var receipts: [Receipt] = []
      for _ in 0..<Int.random(in: 1...100, using: &generator) {
        let batch = Batch([Self.mix.happening(using: &generator)])
        let durability = Bool.random(using: &generator) ? Durability.full : .relaxed
        let isAhead = Int.random(in: 0..<50, using: &generator) > 0
        receipts.append(
          try isAhead
            ? store.submitAndShow(batch, durability: durability)
            : store.submit(batch, durability: durability))
        let shown = try store.read { $0.position.number }
        ahead = max(ahead, shown.rawValue > last.rawValue ? last.distance(to: shown) : 0)
      }
      for (index, receipt) in receipts.enumerated() {
        #expect(try await receipt.durable().upperBound == last.advanced(by: index + 1))
        try await receipt.visible()
      }
      try store.checkInvariants()
    }
    #expect(ahead > 1, "seed \(seed)")
    let rows = try store.read { try $0.rows(of: "titles", in: 0...) }
    #expect(told.state.withLock { $0.rows } == rows, "seed \(seed)")
    #expect(told.state.withLock { $0.resets } == 0, "seed \(seed)")
    #expect(try await store.verify().isSound, "seed \(seed)")
    live.end()
    await store.close()
    store = try await Store.open(at: folder.path, reducer: Todo.rules(Todo.views))
    #expect(try store.read { try $0.rows(of: "titles", in: 0...) } == rows, "seed \(seed)")
    await store.close()
  }

  @Test func subscribers_areToldWhereItIsSubmitted() async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: Todo.rules(Todo.views))
    let told = Told()
    let live = try store.live("titles", window: 0..., holdsRows: true) { told.take($0) }
    var here = false
    for number in 0..<200 where !here {
      let batch = Batch([TodoHappening.put("t\(number)", TodoPatch())])
      let thread = WorkerThread.current
      let receipt = try store.submitAndShow(batch)
      here = told.state.withLock { $0.threads.contains(thread) }
      try await receipt.durable()
    }
    #expect(here)
    live.end()
    await store.close()
  }

  /// Where a caller waits for both, reducing and flushing overlap, also for batches after this one.
  @Test func awaitedBatch_isWrittenWhileItIsReduced() async throws {
    let folder = try TemporaryFolder()
    let opened = Mutex<Store?>(nil)
    let last = Mutex<RecordNumber?>(nil)
    let rules = Trouble(Todo.rules(Todo.views)) {
      guard let log = try? opened.withLock({ $0 })?.log else { return }
      Self.wait { log.head.last == 3 }
      _ = try? log.submit(Batch([TodoHappening.put("behind", TodoPatch())]))
      Self.wait { log.head.last == 4 }
      last.withLock { $0 = log.head.last }
    }
    var options = Store.Options()
    // No frame ends meanwhile.
    options.frame.interactive = .seconds(600)
    let store = try await Store.open(at: folder.path, reducer: rules, options: options)
    try await store.append(Batch([TodoHappening.put("first", TodoPatch())]))
    opened.withLock { $0 = store }
    var batch = Batch([TodoHappening.put("second", TodoPatch())])
    batch.add(Event(kind: Trouble<TodoRules>.poisoned, recordedAt: Timestamp(rawValue: 0)))
    #expect(try await store.append(batch) == 2...3)
    #expect(last.withLock { $0 } == 4)
    try await store.show(upTo: 4)
    #expect(try store.read { try $0.rows(of: "titles", in: 0...).count } == 3)
    try store.checkInvariants()
    opened.withLock { $0 = nil }
    #expect(try await store.verify().isSound)
    await store.close()
  }

  /// Returns once a condition holds, or is unlikely to hold any more.
  private static func wait(until holds: () -> Bool) {
    let deadline = Instant.now + .ample
    while !holds(), Instant.now < deadline { WorkerThread.sleep(.milliseconds(1)) }
  }

  /// Two processes write at once: what one shows before it has the lock may get another number.
  ///
  /// Takes over a second, so that the processes get in each other's way.
  @Test func others_mayComeInBetween() async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: Todo.rules(Todo.views))
    let worker = try Worker()
    #expect(try await worker.ask("store open \(folder.path)") == "follower")
    let told = Told()
    let live = try store.live("titles", window: 0..., holdsRows: true) { told.take($0) }
    try await withThrowingTaskGroup { group in
      group.addTask {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<400 {
          let batch = [Self.mix.happening(using: &generator)]
          _ = try await worker.ask("store append \(batch.spelled)")
        }
      }
      group.addTask {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<200 {
          // The second batch is reduced where the first may have been refused its place.
          let receipts = try (0..<2).map { _ in
            try store.submitAndShow(Batch([Self.mix.happening(using: &generator)]))
          }
          for receipt in receipts {
            try await receipt.visible()
            let number = try await receipt.durable().upperBound
            try await store.show(upTo: number)
            #expect(try store.read { $0.position.number } >= number)
          }
        }
      }
      try await group.waitForAll()
    }
    try await store.show(upTo: try store.log.last)
    #expect(try store.log.last == 800)
    try store.checkInvariants()
    let rows = try store.read { try $0.rows(of: "titles", in: 0...) }
    #expect(told.state.withLock { $0.rows } == rows)
    #expect(try await store.verify().isSound)
    print("shown ahead beside another process: \(told.state.withLock { $0.resets }) resets")
    live.end()
    await worker.killed()
    await store.close()
  }
}
