import EventStore
import LMDB
import Synchronization
import TestSupport
import Testing
import ToyDomains

/// Erasures from a store that another process also has open.
@Suite(.timeLimit(.minutes(5))) struct SharedErasureTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open() async throws -> Store {
    try await Store.open(at: folder.path, reducer: Todo.rules(Todo.views))
  }

  /// Returns a batch of tasks that belong to an account.
  private func tasks(_ name: String, of account: UInt32, count: Int = 20) -> Batch {
    var batch = Batch()
    for index in 0..<count {
      let happening = TodoHappening.put("\(name)\(index)", TodoPatch())
      let login = Login(account: account, epoch: 1)
      let event = Event(kind: happening.kind, recordedAt: Timestamp(rawValue: 0), login: login)
      batch.add(event) { happening.write(to: &$0) }
    }
    return batch
  }

  private func ids(_ store: Store) throws -> [String] {
    try store.read { try $0.rows(of: "titles", in: 0...).map(\.id) }
  }

  /// Nobody makes views of a half-erased log, and what an idle process shows goes away.
  ///
  /// Takes about a second: each round erases, and reopens two stores.
  @Test func eraser_keepsTheViews_andAFollowerClosesItsOwn() async throws {
    let store = try await open()
    let worker = try Worker()
    for round in 0..<8 {
      try await store.append(tasks(PlantedLog.mark, of: 3))
      try await store.append(tasks("r\(round).", of: 4, count: 2))
      try await store.commitViews()
      #expect(try await worker.ask("store open \(folder.path)") == "follower")
      var report = try await store.erase(Erasure(accounts: [3]))
      #expect(report.recordCount > 0, "round \(round)")
      #expect(store.isKeeping && store.failure == nil, "round \(round)")
      while try await worker.ask("store failure") == "none" {
        try await Task.sleep(for: .milliseconds(1))
      }
      // On a busy machine, the other process may close its views too late for the first erasure.
      while !report.isWiped { report = try await store.erase(Erasure(accounts: [3])) }
      #expect(try PlantedLog.marks(in: folder.path) == [], "round \(round)")
      #expect(try ids(store).count == 2 * (round + 1), "round \(round)")
      #expect(try await worker.ask("store close") == "done")
    }
    #expect(try await worker.ask("store open \(folder.path)") == "follower")
    #expect(try await worker.ask("store titles") == ids(store).joined(separator: " "))
    await worker.killed()
    await store.close()
  }

  /// A list that is not the reducer's own has no journal that would tell of the erasure.
  @Test func observer_ofASuspendedStore_isResetAfterAnErasureElsewhere() async throws {
    let store = try await open()
    try await store.append(tasks(PlantedLog.mark, of: 3))
    try await store.append(tasks("kept", of: 4, count: 3))
    let byTitle = ViewDefinition(
      "transient", of: Todo.tasks, orderedBy: [Todo.title.descending], version: 7)
    let shown = Mutex<[[String]]>([])
    let live = try store.live(byTitle, window: 0...) { change in
      shown.withLock { $0.append(change.list.map(\.id)) }
    }
    #expect(live.start.rows.count == 23)
    await store.suspend()
    let worker = try Worker()
    #expect(try await worker.ask("store open \(folder.path)") == "keeper")
    #expect(try await worker.ask("store erase 3") == "wiped")
    #expect(try await worker.ask("store close") == "done")
    try await store.resume()
    let kept = ["kept0", "kept1", "kept2"]
    #expect(shown.withLock(\.self).map { $0.sorted() } == [kept])
    try await store.append(tasks("late", of: 4, count: 1))
    #expect(shown.withLock(\.self).last?.sorted() == kept + ["late0"])
    live.end()
    await store.close()
    await worker.killed()
  }
}
