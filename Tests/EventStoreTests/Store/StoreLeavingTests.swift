import EventStore
import Foundation
import LMDB
import Synchronization
import TestSupport
import Testing
import ToyDomains

/// Stores and views that are released, left behind or unusable.
@Suite(.timeLimit(.minutes(5))) struct StoreLeavingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(
    version: Int = 1, isReadOnly: Bool = false,
    progress: @escaping @Sendable (Store.Progress) -> Bool = { _ in true }
  ) async throws -> Store {
    var options = Store.Options()
    options.progress = progress
    options.log.isReadOnly = isReadOnly
    let rules = Trouble(Todo.rules(Todo.views), version: version)
    return try await Store.open(at: folder.path, reducer: rules, options: options)
  }

  private func batch(_ seed: UInt64, _ count: Int) -> Batch {
    var generator = SeededGenerator(seed: seed)
    return Batch((0..<count).map { _ in TodoMix().happening(using: &generator) })
  }

  /// What other rules told is no base for changes from now on.
  @Test(arguments: [1, 2]) func viewsOfOtherRules_tellNothing_ofAPositionBefore(
    version: Int
  ) async throws {
    let first = try await open()
    try await first.append(batch(1, 60))
    let known = try first.read { $0.position }
    await first.close()
    let store = try await open(version: version)
    let isNew = version != 1
    for round in 0..<2 {
      let set = try store.changes(of: "titles", window: 0..., since: known)
      #expect(set?.isReset == (isNew ? true : round == 0 ? nil : false), "round \(round)")
      let rows = try store.read { try $0.rows(of: "titles", in: 0...) }
      if isNew { #expect(set.map { Array($0.applying(to: RowList())) } == rows) }
      if round == 0 { try await store.append(batch(2, 5)) }
    }
    await store.close()
  }

  /// What these very views showed is known, even where their journal begins.
  @Test func suspension_afterARebuild_changesNothing() async throws {
    let first = try await open()
    try await first.append(batch(1, 60))
    await first.close()
    let store = try await open(version: 2)
    let resets = Mutex<[Bool]>([])
    let live = try store.live("titles", window: 0...) { change in
      resets.withLock { $0.append(change.set.isReset) }
    }
    for _ in 0..<2 {
      await store.suspend()
      try await store.resume()
    }
    #expect(resets.withLock(\.self) == [])
    await store.suspend()
    let other = try Worker(.init(program: "StoreWorker"))
    #expect(try await other.ask("open \(folder.path) next") == "done")
    #expect(try await other.ask("append 2 40") == "100")
    #expect(try await other.ask("close") == "done")
    try await store.resume()
    #expect(resets.withLock(\.self) == [false])
    live.end()
    await store.close()
    await other.killed()
  }

  /// Anything that is shown may contain what was erased.
  @Test func erasing_tellsNothing_ofAPositionBefore() async throws {
    let store = try await open()
    try await store.append(batch(1, 60))
    let known = try store.read { $0.position }
    try await store.erase(Erasure(accounts: [7]))
    let set = try store.changes(of: "titles", window: 0..., since: known)
    #expect(set?.isReset == true)
    await store.close()
  }

  private final class Holder: Sendable {
    let view = Mutex<LiveView?>(nil)
    let count = Mutex(0)
  }

  /// The receiver of a change may hold the last reference to the live view that reports it.
  @Test func view_isLetGoOf_byWhomItTells() async throws {
    let store = try await open()
    let holder = Holder()
    let live = try store.live("titles", window: 0...) { _ in
      holder.count.withLock { $0 += 1 }
      let last = holder.view.withLock { $0.take() }
      _ = last
    }
    holder.view.withLock { $0 = live }
    _ = consume live
    for seed in 1...3 { try await store.append(batch(UInt64(seed), 40)) }
    #expect(holder.count.withLock(\.self) == 1)
    try store.checkInvariants()
    await store.close()
  }

  /// A released store gives back what it holds, so that it can be opened again.
  @Test func store_thatIsLetGoOf_ends() async throws {
    var store: Store? = try await open()
    try await store?.append(batch(1, 30))
    store = nil
    var reopened: Store?
    while reopened == nil {
      do { reopened = try await open() } catch StoreError.log(.alreadyOpen) {
        try await Task.sleep(for: .milliseconds(10))
      }
    }
    #expect(try reopened?.log.last == 30)
    await reopened?.close()
  }

  /// The damaged record will never yield anything, so no one waits for it.
  @Test(.defect(.marten, 2)) func damageAtTheEndOfTheLog_isNotWaitedFor() async throws {
    let store = try await open()
    try await store.append(batch(1, 30))
    await store.close()
    try FileManager.default.removeItem(atPath: folder.path(of: "views"))
    try Damage.flip(30, bit: 300).inflict(on: folder, in: "log")
    let damaged = try await open()
    let (last, shown) = (try damaged.log.last, try damaged.read { $0.position.number })
    #expect(last == 30 && shown == 29)
    try await damaged.commitViews()
    try await damaged.show(upTo: last)
    try await damaged.append(batch(2, 1))
    try await damaged.commitViews()
    #expect(try damaged.read { $0.position.number } == 31)
    await damaged.close()
  }

  /// Abandoned views would take the room that is missing.
  @Test func viewsThatCameToNothing_areRemoved() async throws {
    let store = try await open()
    try await store.append(batch(1, 60))
    await store.close()
    for _ in 0..<3 {
      await #expect(throws: StoreError.cancelled) {
        try await open(version: 2) { $0.done == .zero }
      }
    }
    #expect(try generations == ["1"])
    let rebuilt = try await open(version: 2)
    await rebuilt.close()
    #expect(try generations.count == 1)
  }

  private var generations: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "views"))
        .filter { Int($0) != nil }.sorted()
    }
  }

  /// A follower whose log can't be written goes on showing what exists.
  @Test func readOnlyFollower_doesNotTakeOver() async throws {
    let worker = try Worker()
    #expect(try await worker.ask("store open \(folder.path)") == "keeper")
    let happenings = [TodoHappening.put("t1", TodoPatch())]
    _ = try await worker.ask("store append \(happenings.spelled)")
    var options = Store.Options()
    options.log.isReadOnly = true
    let store = try await Store.open(
      at: folder.path, reducer: Todo.rules(Todo.views), options: options)
    await worker.killed()
    try await Task.sleep(for: .milliseconds(200))
    #expect(!store.isKeeping && store.failure == nil)
    #expect(try store.read { $0.position.number } == 1)
    await store.close()
  }
}
