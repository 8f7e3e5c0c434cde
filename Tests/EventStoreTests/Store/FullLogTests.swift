import EventStore
import TestSupport
import Testing
import ToyDomains

/// A store whose log has reached the ceiling of its map.
@Suite(.timeLimit(.minutes(5))) struct FullLogTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(ceiling: Int) async throws -> Store {
    var options = Store.Options()
    (options.log.mapSize, options.log.mapSizeMax) = (1 << 16, ceiling)
    return try await Store.open(
      at: folder.path, reducer: Todo.rules(Todo.views), options: options)
  }

  private func count(_ store: Store) throws -> Int {
    try store.read { try $0.count(of: "titles") }
  }

  private func batch(_ number: Int) -> Batch {
    Batch((0..<200).map { TodoHappening.put("\(number) \($0)", TodoPatch()) })
  }

  /// A full log stays readable and refuses every append, also several at once, until it gets a
  /// higher ceiling.
  ///
  /// Takes over a second, since the log is filled.
  @Test(arguments: [Durability.full, .relaxed])
  func fullLog_refusesAndStaysReadable(durability: Durability) async throws {
    let reason = LogError.mapFull(path: folder.path(of: "log"))
    let full = StoreError.log(reason)
    var store = try await open(ceiling: 1 << 19)
    let live = try store.live("titles", window: 0..<10)
    var filled = 0
    await #expect(throws: full) {
      while true {
        try await store.append(batch(filled), durability: durability)
        filled += 1
      }
    }
    #expect(filled > 10)
    let receipts = try (0..<20).map { number in
      try number == 0
        ? store.submitAndShow(batch(filled), durability: durability)
        : store.submit(batch(filled + number), durability: durability)
    }
    for receipt in receipts {
      await #expect(throws: reason) { try await receipt.durable() }
      // What was visible for a moment is not any more.
      await #expect(throws: reason) { try await receipt.visible() }
    }
    // The rows shown for the refused batches are taken back.
    while try count(store) != 200 * filled { await Task.yield() }
    #expect(store.failure == nil)
    #expect(try await store.verify().isSound)
    try store.checkInvariants()
    live.end()
    await store.close()

    store = try await open(ceiling: 1 << 19)
    #expect(try count(store) == 200 * filled)
    await #expect(throws: full) { try await store.append(batch(filled)) }
    await store.close()

    store = try await open(ceiling: 1 << 22)
    try await store.append(batch(filled))
    #expect(try count(store) == 200 * (filled + 1))
    #expect(try await store.verify().isSound)
    await store.close()
  }
}
