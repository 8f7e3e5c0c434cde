import EventStore
import LMDB
import TestSupport
import Testing
import ToyDomains

/// A new process shows the rows that the one before noted last, as long as they are unchanged.
@Suite struct RowsAtHandTests {
  private let folder: TemporaryFolder
  private let rules = Todo.rules(Todo.views)
  /// What was noted when the store was closed.
  private let screen: FirstScreen
  /// The titles in their order.
  private let titles: [String]

  init() async throws {
    folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: rules)
    let titles = try store.live("titles", window: 0..<10)
    let list = try store.live(ListName("list", group: .text("work")), window: 0..<10)
    try await store.append(Self.tasks(0..<70))
    self.titles = try store.read { try $0.rows(of: "titles", in: 0...).map(\.id) }
    await store.close()
    titles.end()
    list.end()
    let views = Folder(folder.path).folder("views")
    let pointer = try #require(try ViewsPointer.read(in: views))
    screen = FirstScreen.read(
      in: views, store: pointer.store, incarnation: pointer.incarnation)
  }

  private static func tasks(_ numbers: Range<Int>) -> Batch {
    var batch = Batch()
    for number in numbers {
      batch.add(Event(kind: EventKind(rawValue: 1), recordedAt: Timestamp(rawValue: 0))) {
        $0.put(1, "task\(number)")
        $0.put(2, "Title \(number * 37 % 100)")
        $0.put(3, Int64(number))
      }
    }
    return batch
  }

  /// Returns the rows shown of the titles once the first screen was changed.
  ///
  /// The screen then has only the second row, twice, which no list can have.
  private func shown(
    in window: Range<Int> = 0..<2, _ change: (inout FirstScreen.Window) -> Void = { _ in }
  ) async throws -> [String] {
    let views = Folder(folder.path).folder("views")
    var screen = screen
    let key = try #require(screen.keys.first { $0.view == "titles" })
    var changed = try #require(screen[key])
    changed.rows = [changed.rows[1], changed.rows[1]]
    change(&changed)
    screen.set(changed, for: key)
    try screen.write(in: views)
    let store = try await Store.open(at: folder.path, reducer: rules)
    let shown = try store.read { try $0.rows(of: "titles", in: window).map(\.id) }
    await store.close()
    return shown
  }

  @Test func rows_areThoseNoted_whileTheViewsStandThere() async throws {
    #expect(try await shown() == [titles[1], titles[1]])
  }

  @Test func rows_beyondThoseNoted_areLookedFor() async throws {
    #expect(try await shown(in: 0..<3) == Array(titles[0..<3]))
    #expect(try await shown(in: 1..<3) == Array(titles[1..<3]))
  }

  @Test func rows_ofAnotherTime_orGeneration_areLookedFor() async throws {
    let changes: [(inout FirstScreen.Window) -> Void] = [
      { $0.applied.number = $0.applied.number.advanced(by: -1) }, { $0.applied.chain ^= 1 },
      { $0.generation += 1 }, { $0.group += 1 }, { $0.rows[0] = [1, 2, 3] },
    ]
    for change in changes {
      #expect(try await shown(change) == Array(titles[0..<2]))
    }
  }

  @Test func rows_areLookedFor_onceSomethingIsReduced() async throws {
    let store = try await Store.open(at: folder.path, reducer: rules)
    let before = try store.read { try $0.rows(of: "titles", in: 0..<50) }
    try await store.append(Self.tasks(1_000..<1_001))
    let after = try store.read { try $0.rows(of: "titles", in: 0..<51) }
    #expect(after.count == before.count + 1 && Set(before).isSubset(of: after))
    await store.close()
  }
}
