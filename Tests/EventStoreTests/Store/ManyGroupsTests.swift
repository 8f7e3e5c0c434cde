import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing
import ToyDomains

/// Windows on very many groups of one view.
@Suite(.timeLimit(.minutes(5))) struct ManyGroupsTests {
  /// The processor time that this thread has used.
  private var worked: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Takes over a second: a window is opened on each of 10,000 groups.
  ///
  /// If each window that ends searched all others for its group, ten times as many would take a
  /// hundred times as long.
  @Test func ends_ofVeryMany_takeTimeForEachAlone() async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: Todo.rules(Todo.views))
    let rounds = try (0..<3).map { _ in
      (few: try timeOfEnds(1_000, in: store), many: try timeOfEnds(10_000, in: store))
    }
    // Other load on the machine only adds time, so the minimum is what the windows take.
    let (few, many) = (rounds.map(\.few).min() ?? 0, rounds.map(\.many).min() ?? .infinity)
    #expect(many < few * 30, "\(rounds)")
    await store.close()
  }

  /// Returns how long `count` windows, each on a group of its own, take to end.
  private func timeOfEnds(_ count: Int, in store: Store) throws -> Double {
    let live = try (0..<count).map { number in
      try store.live(ListName("list", group: .text("g\(number)")), window: 0..<1)
    }
    let before = worked
    for live in live { live.end() }
    return worked - before
  }

  /// A few subscribers are told in the order in which they began, whoever ended between them.
  @Test func few_areToldInTheirOrder() async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: Todo.rules(Todo.views))
    let told = Mutex<[String]>([])
    let live = try (0..<12).map { number in
      try store.live(
        ListName("list", group: .text("g\(number)")), window: 0...
      ) { _ in told.withLock { $0.append("g\(number)") } }
    }
    for number in [0, 3, 4, 7, 8] { live[number].end() }
    let left = [1, 2, 5, 6, 9, 10, 11].map { "g\($0)" }
    for round in 0..<3 {
      let puts = left.reversed().flatMap { list -> [TodoHappening] in
        let id = "\(list) \(round)"
        return [.put(id, TodoPatch()), .move(id, to: list)]
      }
      try await store.append(Batch(puts))
      #expect(told.withLock { $0 } == left)
      told.withLock { $0 = [] }
    }
    withExtendedLifetime(live) {}
    await store.close()
  }
}
