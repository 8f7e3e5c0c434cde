import EventStore
import Foundation
import LMDB
import TestSupport
import Testing
import ToyDomains

/// After an erasure, a store shows what it would if the payloads had never been there.
@Suite(.timeLimit(.minutes(5))) struct StoreErasureTests {
  private static let seeds = 0..<UInt64(Campaign.size(4, long: 200))

  @Test(arguments: seeds) func erased_isAsIfItHadNeverBeen(_ seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    let rules = Leaderboard.rules(Leaderboard.views, version: 1)
    let store = try await Store.open(at: folder.path, reducer: rules)
    let mix = PlayerMix.random(using: &generator)
    var rest: [PlayerHappening] = []
    for _ in 0..<200 {
      let happening =
        generator.onceIn(4)
        ? .join(
          "\(PlantedLog.mark)\(UInt16.random(in: 0 ... .max, using: &generator))", country: nil)
        : mix.happening(using: &generator)
      if case .join(let id, _) = happening, id.hasPrefix(PlantedLog.mark) {
        var batch = Batch()
        batch.add(
          Event(
            kind: happening.kind, recordedAt: Timestamp(rawValue: 0),
            login: Login(account: 3, epoch: 1))
        ) { happening.write(to: &$0) }
        try await store.append(batch)
      } else {
        rest.append(happening)
        try await store.append(Batch([happening]))
      }
    }
    try await store.commitViews()
    let view = ListName(Leaderboard.views.definitions[0].name)
    let live = try store.live(view, window: 0...)
    let position = try await store.log.position()
    #expect(try !PlantedLog.marks(in: folder.path).isEmpty)

    let report = try await store.erase(Erasure(accounts: [3]))
    #expect(report.isWiped && report.recordCount == UInt64(200 - rest.count), "seed \(seed)")
    #expect(try PlantedLog.marks(in: folder.path) == [], "seed \(seed)")

    let plain = try await Store.open(at: other.path, reducer: rules)
    for happening in rest { try await plain.append(Batch([happening])) }
    for definition in Leaderboard.views.definitions where definition.grouping == nil {
      let name = ListName(definition.name)
      let rows = try store.read { try $0.rows(of: name, in: 0...) }
      #expect(try rows == plain.read { try $0.rows(of: name, in: 0...) }, "seed \(seed), \(name)")
    }
    var changes = live.changes.makeAsyncIterator()
    let change = try #require(await changes.next())
    let shown = try store.read { try $0.rows(of: view, in: 0...) }
    #expect(change.set.isReset && change.list.elementsEqual(shown), "seed \(seed)")
    #expect(try store.log.holds(position))
    #expect(try await store.verify().isSound)
    try await store.append(Batch([mix.happening(using: &generator)]))
    await store.close()
    #expect(try PlantedLog.marks(in: folder.path) == [], "seed \(seed)")
    await plain.close()
  }

  /// Suspending a store doesn't wait for an erasure to finish; resuming or reopening finishes it.
  @Test(arguments: [false, true]) func suspending_endsAnErasure_whichIsFinishedLater(
    isReopened: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let rules = Leaderboard.rules(Leaderboard.views, version: 1)
    var store = try await Store.open(at: folder.path, reducer: rules)
    var isInterrupted = false
    // On a busy machine, the erasure may finish before the store is suspended.
    while !isInterrupted {
      for turn in 0..<10 { try await store.append(Self.planted(1000, turn)) }
      let log = try store.log
      let erasing = Task { [store] in try await store.erase(Erasure(accounts: [3])) }
      while (try? log.isErasing) == false { await Task.yield() }
      await store.suspend()
      let outcome = await erasing.result
      isInterrupted = try !PlantedLog.marks(in: folder.path).isEmpty
      if isInterrupted {
        #expect(throws: StoreError.closed(path: folder.path)) { try outcome.get() }
      }
      if isReopened {
        store = try await Store.open(at: folder.path, reducer: rules)
      } else {
        try await store.resume()
      }
      #expect(try PlantedLog.marks(in: folder.path) == [])
      #expect(try store.read { try $0.count(of: "everyone") } == 0)
    }
    #expect(try await store.verify().isSound)
    await store.close()
  }

  /// Returns a batch of players whose names are to be erased.
  private static func planted(_ count: Int, _ turn: Int) -> Batch {
    var batch = Batch()
    for index in 0..<count {
      let happening = PlayerHappening.join("\(PlantedLog.mark)\(turn).\(index)", country: nil)
      batch.add(
        Event(
          kind: happening.kind, recordedAt: Timestamp(rawValue: 0),
          login: Login(account: 3, epoch: 1))
      ) { happening.write(to: &$0) }
    }
    return batch
  }

  /// Snapshots in the store's folder contain rows, so they are erased as well.
  @Test func snapshots_areErased_onceNobodyUsesThem() async throws {
    let folder = try TemporaryFolder()
    let rules = Leaderboard.rules(Leaderboard.views, version: 1)
    let store = try await Store.open(at: folder.path, reducer: rules)
    for index in 0..<20 {
      let happening = PlayerHappening.join("\(PlantedLog.mark)\(index)", country: nil)
      var batch = Batch()
      batch.add(
        Event(
          kind: happening.kind, recordedAt: Timestamp(rawValue: 0),
          login: Login(account: 3, epoch: 1))
      ) { happening.write(to: &$0) }
      try await store.append(batch)
    }
    let path = folder.path(of: SnapshotFolder.name)
    var limits = SnapshotLimits()
    (limits.countMax, limits.spacingMin) = (4, 1)
    try SnapshotFolder.make(of: store.log, reducer: rules, at: path, limits: limits)
    #expect(try !PlantedLog.marks(in: path).isEmpty)
    let snapshots = try SnapshotFolder(at: path, of: store.log, reducer: rules)
    let first = try await store.erase(Erasure(accounts: [3]))
    #expect(first == ErasureReport(recordCount: 20, isWiped: false))
    snapshots.close()
    #expect(try await store.erase(Erasure(accounts: [3])).isWiped)
    #expect(try PlantedLog.marks(in: folder.path) == [])
    await store.close()
  }
}
