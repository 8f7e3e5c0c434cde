import EventStore
import Foundation
import LMDB
import Synchronization
import TestSupport
import Testing
import ToyDomains

/// Readers that hold on to an old state of the views, and what is shown before a store is open.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HoldTests {
  /// Another process, which knows nothing of views, reads the first state throughout.
  ///
  /// Takes some seconds, since the effect on the file shows only after many commits.
  @Test(.defect(.lmdb, 1)) func heldReader_doesNotMakeTheViewsGrow() async throws {
    let count = Campaign.size(4_000, long: 200_000)
    let free = try await Self.ingest(count, isHeld: false)
    let held = try await Self.ingest(count, isHeld: true)
    print("views of \(count) items: \(free.bytes) bytes, beside a held reader \(held.bytes)")
    #expect(held.rows == free.rows)
    #expect(held.generation > free.generation, "the file was not left to the reader")
    #expect(held.bytes < 2 * free.bytes)
  }

  private struct Outcome {
    let rows: Int
    let bytes: Int
    let generation: UInt64
  }

  private static func ingest(_ count: Int, isHeld: Bool) async throws -> Outcome {
    let folder = try TemporaryFolder()
    var options = Store.Options()
    options.frame.interactive = .zero
    (options.hold.pagesMin, options.hold.lagMax) = (64, 16)
    let store = try await Store.open(
      at: folder.path, reducer: Todo.rules(Todo.views), options: options)
    try await store.append(Self.batch(0, 50))
    try await store.commitViews()
    let reader = try Worker()
    if isHeld {
      let answer = try await reader.ask("store hold \(folder.path)/views")
      #expect(answer.hasPrefix("holding"))
      reader.signal(SIGSTOP)
    }
    for start in stride(from: 50, to: count, by: 50) {
      try await store.append(Self.batch(start, 50), durability: .relaxed)
      if start % 250 == 0 { try await store.commitViews() }
    }
    try await store.commitViews()
    let rows = try store.read { try $0.count(of: "titles") }
    let pointer = try ViewsPointer.read(in: Folder(folder.path).folder("views"))
    let generation = pointer?.generation ?? 0
    await store.close()
    let bytes = try Self.bytes(of: folder.path(of: "views"))
    await reader.killed()
    return Outcome(rows: rows, bytes: bytes, generation: generation)
  }

  /// Returns the bytes of all the views' files, including generations still in use.
  private static func bytes(of path: String) throws -> Int {
    let files = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return try files.filter { $0.hasSuffix("data.mdb") }.reduce(0) { sum, file in
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(file)")
      return sum + (attributes[.size] as? Int ?? 0)
    }
  }

  /// Returns tasks whose titles are in no order.
  private static func batch(_ start: Int, _ count: Int) -> Batch {
    var batch = Batch()
    for index in start..<(start + count) {
      let mixed = UInt64(index) &* 0x9E37_79B9_7F4A_7C15
      batch.add(Event(kind: EventKind(rawValue: 1), recordedAt: Timestamp(rawValue: 0))) {
        $0.put(1, "task\(mixed)")
        $0.put(2, "Title \(mixed >> 20)")
        $0.put(3, Int64(mixed >> 30))
      }
    }
    return batch
  }

  @Test func firstScreen_isThereBeforeTheStoreIs() async throws {
    let (folder, rules) = (try TemporaryFolder(), Todo.rules(Todo.views))
    #expect(Store.firstScreen(at: folder.path, reducer: rules, of: "titles") == nil)
    let store = try await Store.open(at: folder.path, reducer: rules)
    let titles = try store.live("titles", window: 0..<10, countsExactly: true)
    let list = ListName("list", group: .text("inbox"))
    let inbox = try store.live(list, window: 0..<10)
    try await store.append(Self.batch(0, 70))
    let rows = try store.read { try $0.rows(of: "titles", in: 0..<50) }
    await store.close()
    let screen = try #require(
      Store.firstScreen(at: folder.path, reducer: rules, of: "titles"))
    #expect(screen.rows == rows && screen.total == 70 && screen.number == 70)
    let group = Store.firstScreen(at: folder.path, reducer: rules, of: list)
    #expect(group?.rows == [] && group?.total == 0)
    #expect(Store.firstScreen(at: folder.path, reducer: rules, of: "lists") == nil)
    titles.end()
    inbox.end()
  }
}
