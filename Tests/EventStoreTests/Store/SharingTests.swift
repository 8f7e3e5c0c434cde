import EventStore
import Foundation
import LMDB
import Synchronization
import TestSupport
import Testing
import ToyDomains

/// Two processes that have one store open.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SharingTests {
  /// Takes several seconds: each history starts processes and kills them.
  ///
  /// To run one seed: `TIDELINE_SEED=7 swift test --filter SharingTests`.
  @Test func histories_ofTwoProcesses_areThoseOfThePlainModel() async throws {
    let isChosen = Campaign.chosenSeeds != nil
    let seeds = Campaign.seeds(4, long: 100)
    var (tally, takeovers, handovers) = (DriveTally(), 0, 0)
    var seed = seeds.lowerBound
    // How often processes take turns depends on their pace, so more histories may be needed.
    while seeds.contains(seed)
      || (!isChosen && seed < Self.seedMax && (takeovers == 0 || handovers == 0))
    {
      let store = try await SharedStore()
      do { tally += try await Self.run(seed, store) } catch {
        await store.close()
        throw Discrepancy("seed \(seed): \(error)")
      }
      await store.close()
      takeovers += store.takeovers.withLock { $0 }
      handovers += store.handovers.withLock { $0 }
      seed += 1
    }
    let range = "\(seeds.lowerBound)..<\(seed)"
    print("two processes, seeds \(range): \(tally), \(takeovers) takeovers, \(handovers) returns")
    #expect(isChosen || (takeovers > 0 && handovers > 0))
  }

  /// Takes several seconds, like the histories above.
  @Test func histories_ofHugeEvents_areThoseOfThePlainModel() async throws {
    for seed in 0..<UInt64(Campaign.size(2, long: 50)) {
      let store = try await SharedStore(eventRowsMax: Int(seed % 3))
      do {
        let tally = try await Self.run(seed, store)
        #expect(tally.resets > 0, "seed \(seed): \(tally)")
      } catch {
        await store.close()
        throw Discrepancy("seed \(seed): \(error)")
      }
      await store.close()
    }
  }

  /// The keeper asks for a flush of what only others write, as often as needed.
  ///
  /// Takes about a second: each of 200 appends goes to another process and back.
  @Test func whatOthersWrite_isCommitted() async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: Todo.rules(Todo.views))
    let worker = try Worker()
    #expect(try await worker.ask("store open \(folder.path)") == "follower")
    for turn in 0..<20 {
      for number in 0..<10 {
        let batch = [TodoHappening.put("t\(turn).\(number)", TodoPatch())]
        let answer = try await worker.ask("store append \(batch.spelled)")
        #expect(answer == "\(turn * 10 + number + 1)")
      }
      try await store.commitViews()
      #expect(try store.read { $0.position.number } == store.log.last)
    }
    await worker.killed()
    await store.close()
    let reopened = try await Store.open(at: folder.path, reducer: Todo.rules(Todo.views))
    #expect(try reopened.read { try $0.count(of: "titles") } == 200)
    await reopened.close()
  }

  /// A keeper that is stopped, as by a debugger, keeps the lease and commits nothing.
  @Test func keeperThatCommitsNothing_isNotWaitedForInVain() async throws {
    let folder = try TemporaryFolder()
    let worker = try Worker()
    #expect(try await worker.ask("store open \(folder.path)") == "keeper")
    var options = Store.Options()
    options.keeperPatience = .milliseconds(50)
    let store = try await Store.open(
      at: folder.path, reducer: Todo.rules(Todo.views), options: options)
    worker.signal(SIGSTOP)
    try await store.append(Batch([TodoHappening.put("a", TodoPatch())]))
    let error = StoreError.busy(path: folder.path(of: "views"))
    await #expect(throws: error) { try await store.commitViews() }
    #expect(try store.read { try $0.count(of: "titles") } == 1)
    worker.signal(SIGCONT)
    while (try? await store.commitViews()) == nil { try await Task.sleep(for: .milliseconds(1)) }
    await worker.killed()
    await store.close()
  }

  /// A process whose views failed leaves them to another one, even while it goes on.
  @Test func viewsThatFailed_areKeptByAnother() async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: Todo.rules(Todo.views))
    try await store.append(Batch([TodoHappening.put("a", TodoPatch())]))
    try await store.commitViews()
    try FileManager.default.removeItem(atPath: store.viewsEnvironment.path + "/data.mdb")
    try await store.append(Batch([TodoHappening.put("b", TodoPatch())]))
    await #expect(throws: StoreError.self) { try await store.commitViews() }
    let worker = try Worker()
    #expect(try await worker.ask("store open \(folder.path)") == "keeper")
    try await store.append(Batch([TodoHappening.put("c", TodoPatch())]))
    await store.suspend()
    try await store.resume()
    #expect(!store.isKeeping)
    #expect(try store.read { try $0.count(of: "titles") } == 3)
    await worker.killed()
    await store.close()
  }

  /// What is appended during a takeover is shown before `append` returns.
  ///
  /// Takes about a second, during which the takeover reduces slowly what was not committed.
  @Test func appendedDuringATakeover_isShown() async throws {
    let folder = try TemporaryFolder()
    let worker = try Worker()
    #expect(try await worker.ask("store open \(folder.path)") == "keeper")
    let plain = Todo.rules(Todo.views)
    let rules = Trouble(plain, version: plain.version) { WorkerThread.sleep(.milliseconds(50)) }
    let store = try await Store.open(at: folder.path, reducer: rules)
    #expect(!store.isKeeping)
    worker.signal(SIGSTOP)
    for _ in 0..<5 {
      var batch = Batch()
      batch.add(Event(kind: Trouble<TodoRules>.poisoned, recordedAt: Timestamp(rawValue: 0)))
      try await store.append(batch)
    }
    await worker.killed()
    var count = 0
    repeat {
      try await store.append(Batch([TodoHappening.put("\(count)", TodoPatch())]))
      count += 1
      #expect(try store.read { try $0.count(of: "titles") } == count)
    } while !store.isKeeping
    await store.close()
  }

  /// The seed at which the test gives up on seeing both kinds of turn.
  private static let seedMax: UInt64 = 200

  private static func run(_ seed: UInt64, _ store: SharedStore) async throws -> DriveTally {
    var generator = SeededGenerator(seed: seed)
    let mix = TodoMix.random(using: &generator)
    var drive = Drive(store, TodoModel(views: Todo.views), mix, generator)
    try await drive.run(steps: 1500)
    return drive.tally
  }
}
