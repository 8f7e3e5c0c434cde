import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing
import ToyDomains

/// Views made for a subscriber; the random histories cover what they show.
@Suite(.timeLimit(.minutes(5))) struct TransientViewTests {
  private static let kept = Todo.views.definitions[2]

  /// The same as one of the reducer's views, in the opposite order.
  private static let reversed = ViewDefinition(
    "reversed", of: Todo.tasks, orderedBy: [Todo.title.descending])

  /// Events happen between any two slices, and some of them touch very many rows.
  @Test(arguments: [nil, 6])
  func view_thatIsBuiltMeanwhile_isWhole(eventRowsMax: Int?) async throws {
    var options = Store.Options()
    options.sliceRowsMax = 2
    if let eventRowsMax { options.eventRowsMax = eventRowsMax }
    let folder = try TemporaryFolder()
    let store = try await Store.open(
      at: folder.path, reducer: Todo.rules(Todo.views), options: options)
    try await store.append(Batch((0..<60).map { TodoHappening.put("t\($0)", TodoPatch()) }))
    let appending = Appending(to: store)
    var (meanwhile, round) = (0, 0)
    // How often events happen meanwhile depends on the pace of both.
    while meanwhile < Campaign.size(10, long: 500), round < 2000 {
      round += 1
      let before = try store.read { $0.position }
      let view = ViewDefinition(
        "again", of: Todo.tasks, where: Self.kept.condition, orderedBy: Self.kept.order,
        version: UInt32(round + 1))
      let live = try store.live(view, window: 0...)
      meanwhile += before == live.start.position ? 0 : 1
      try store.read { snapshot in
        let rows = try snapshot.rows(of: ListName(Self.kept.name), in: 0...)
        #expect(try snapshot.rows(of: live, in: 0...) == rows, "round \(round)")
      }
      try store.checkInvariants()
    }
    await appending.end()
    #expect(meanwhile >= 10, "nothing happened while views were built")
    await store.close()
  }

  @Test func view_isSharedAndGoes_withWhoLooks() async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: Todo.rules(Todo.views))
    try await store.append(Batch((0..<9).map { TodoHappening.put("t\($0)", TodoPatch()) }))
    let first = try store.live(Self.reversed, window: 0..<2)
    let second = try store.live(Self.reversed, window: 0..<5)
    #expect(store.transientCount == 1)
    let residue = try store.live(Self.reversed, window: 0..<5, residue: { $0.id < "t3" })
    let other = try store.live(Self.reversed, window: 0..<5, residue: { $0.id < "t4" })
    #expect(store.transientCount == 3, "closures can't be told apart")
    #expect(residue.start.rows.map(\.id) == ["t0", "t1", "t2"])
    residue.end()
    other.end()
    first.end()
    first.end()
    #expect(store.transientCount == 1)
    #expect(try store.read { try $0.rows(of: first, in: 0...) } == [])
    #expect(try store.read { try $0.count(of: second) } == 9)
    second.end()
    #expect(store.transientCount == 0)
    try store.checkInvariants()
    await store.close()
  }

  @Test func view_thatTheReducerHas_isNotBuiltAgain() async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: Todo.rules(Todo.views))
    let same = ViewDefinition(
      "of another name", of: Self.kept.collection, where: Self.kept.condition && .always,
      orderedBy: Self.kept.order)
    let live = try store.live(same, window: 0..<5)
    #expect(store.transientCount == 0)
    let asked = try store.live(same, window: 0..<5, residue: { _ in true })
    #expect(store.transientCount == 1)
    withExtendedLifetime((live, asked)) {}
    await store.close()
  }

  /// The views' file holds nothing of the view, which is there again once the store resumes.
  @Test func view_isInMemoryAlone() async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: Todo.rules(Todo.views))
    let live = try store.live(Self.reversed, window: 0...)
    try await store.append(Batch((0..<9).map { TodoHappening.put("t\($0)", TodoPatch()) }))
    try await store.commitViews()
    #expect(try await store.verify().isSound)
    await store.suspend()
    #expect(throws: StoreError.self) { _ = try store.live(Self.reversed, window: 0...) }
    try await store.resume()
    #expect(store.transientCount == 1)
    let rows = try store.read { try $0.rows(of: "titles", in: 0...) }
    #expect(try store.read { try $0.rows(of: live, in: 0...) } == rows)
    try await store.append(Batch([TodoHappening.delete("t3")]))
    var changes = live.changes.makeAsyncIterator()
    let list = await changes.next()?.list
    #expect(list.map { Array($0) } == rows.filter { $0.id != "t3" })
    try store.checkInvariants()
    await store.close()
  }
}

/// Appends happenings to a to-do list all the time, on a thread of its own.
private final class Appending: Sendable {
  private let isDone = Atomic(false)
  private let hasEnded = Atomic(false)

  init(to store: Store) {
    Thread.detachNewThread { [self] in
      var generator = SeededGenerator(seed: 1)
      while !isDone.load(ordering: .relaxed) {
        let mix = TodoMix.random(using: &generator)
        _ = try? store.submit(Batch((0..<3).map { _ in mix.happening(using: &generator) }))
        Thread.sleep(forTimeInterval: 0.000_5)
      }
      hasEnded.store(true, ordering: .releasing)
    }
  }

  func end() async {
    isDone.store(true, ordering: .relaxed)
    while !hasEnded.load(ordering: .acquiring), !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(1))
    }
  }
}
