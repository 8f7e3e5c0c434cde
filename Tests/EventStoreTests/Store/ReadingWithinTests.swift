import EventStore
import Synchronization
import TestSupport
import Testing
import ToyDomains

/// Asking for the views while having them would wait forever, and so traps.
@Suite(.timeLimit(.minutes(5))) struct ReadingWithinTests {
  /// What is done within `onChange`.
  private enum Deed: Int {
    case read, look, show, watch
  }

  /// Performs the deed when a list changes, which must end the process.
  private static func change(_ deed: Deed) async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: Todo.rules(Todo.views))
    let other = try store.live("titles", window: 0..<2)
    let live = try store.live("titles", window: 0...) { _ in
      switch deed {
      case .read: _ = try? store.read { $0.position }
      case .look: _ = try? store.live("titles", window: 0...)
      case .show: try? other.show(0..<3)
      case .watch: _ = try? store.watch("t1", in: Todo.tasks)
      }
    }
    try await store.append(Batch([TodoHappening.put("t1", TodoPatch())]))
    withExtendedLifetime((live, other)) {}
  }

  @Test func reading_withinOnChange_isAMistake() async {
    await #expect(processExitsWith: .failure) { try await Self.change(.read) }
    await #expect(processExitsWith: .failure) { try await Self.change(.look) }
    await #expect(processExitsWith: .failure) { try await Self.change(.show) }
    await #expect(processExitsWith: .failure) { try await Self.change(.watch) }
  }

  @Test func reading_withinReading_isAMistake() async {
    await #expect(processExitsWith: .failure) {
      let folder = try TemporaryFolder()
      let store = try await Store.open(at: folder.path, reducer: Todo.rules(Todo.views))
      _ = try store.read { _ in try store.read { $0.position } }
    }
  }
}
