import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing
import ToyDomains

/// The views at any record, and the changes between two, compared with the plain models.
@Suite(.timeLimit(.minutes(5))) struct ReplayTests {
  private static let seeds = 0..<UInt64(Campaign.size(6, long: 200))

  @Test(arguments: seeds) func views_areThoseOfThePlainModel(_ seed: UInt64) async throws {
    if seed % 2 == 0 {
      try await Self.compareViews(Todo.self, seed)
    } else {
      try await Self.compareViews(Leaderboard.self, seed)
    }
  }

  /// A long fold reports its progress, and ends early if no one wants it any more.
  @Test func progress_isTold() async throws {
    var generator = SeededGenerator(seed: 2)
    let (folder, mix) = (try TemporaryFolder(), Todo.Mix.random(using: &generator))
    let log = try await Log.open(at: folder.path)
    try await log.append(Batch((0..<9000).map { _ in mix.happening(using: &generator) }))
    let rules = Todo.rules(Todo.views, version: 1)
    var (told, isWanted): ([RecordNumber], Bool) = ([], true)
    func progress(_ progress: Store.Progress) -> Bool {
      told.append(progress.done)
      return isWanted
    }
    let replay = try Replay(log, reducer: rules, at: 9000, progress: progress)
    #expect(told == [4096, 8192])
    isWanted = false
    #expect(throws: StoreError.cancelled) { try replay.advance(to: 8999) }
    #expect(throws: StoreError.cancelled) {
      try Replay(log, reducer: rules, at: 9000, progress: progress)
    }
    try replay.advance(to: 100)
    #expect(replay.position.number == 100)
    await log.close()
  }

  private static func compareViews<T: Toy>(_: T.Type, _ seed: UInt64) async throws {
    var history = try await ToyHistory<T>(seed: seed)
    for _ in 0..<30 { try await history.step() }
    let replay = try history.store.replay(at: RecordNumber(history.plain.count / 2))
    try expect(replay, history.plain.count / 2, of: &history)
    for _ in 0..<8 {
      let number = Int.random(in: 0...history.plain.count, using: &history.generator)
      try replay.advance(to: RecordNumber(number))
      try expect(replay, number, of: &history)
    }
    await history.store.close()
  }

  private static func expect<T: Toy>(
    _ replay: Replay, _ number: Int, of history: inout ToyHistory<T>
  ) throws {
    #expect(replay.position.number == RecordNumber(number))
    try replay.checkInvariants()
    for pane in history.allPanes(at: [number]) {
      let sight = try replay.views.sight(of: pane, history.name(of: pane))
      let expected = history.plain.sight(of: pane, at: number)
      #expect(sight == expected, "seed \(history.generator.seed), \(pane) at \(number)")
    }
  }

  @Test(arguments: seeds) func changes_areThoseThatWereTold(_ seed: UInt64) async throws {
    if seed % 2 == 0 {
      try await Self.compareChanges(Todo.self, seed)
    } else {
      try await Self.compareChanges(Leaderboard.self, seed)
    }
  }

  private static func compareChanges<T: Toy>(_: T.Type, _ seed: UInt64) async throws {
    var history = try await ToyHistory<T>(seed: seed)
    let listeners = try history.panes.flatMap { pane -> [Listener] in
      try history.windows(of: pane).map { pane in
        try Listener(pane, history.name(of: pane), in: history.store)
      }
    }
    var ends = [0]
    for _ in 0..<30 {
      try await history.step()
      ends.append(history.plain.count)
    }
    let replay = try history.store.replay(at: 0)
    for _ in 0..<10 {
      let (one, other) = (history.generator.one(of: ends), history.generator.one(of: ends))
      let (start, end) = (min(one, other), max(one, other))
      for listener in listeners {
        let set = try replay.changes(of: listener.pane, listener.list, from: start, to: end)
        try listener.expect(
          set, from: start, to: end, hasReferences: T.self is Todo.Type, "seed \(seed)")
        let (old, new) = (
          history.plain.sight(of: listener.pane, at: start),
          history.plain.sight(of: listener.pane, at: end)
        )
        if let set { #expect(set == old.changeSet(to: new, from: set.from, to: set.to)) }
        if set == nil { #expect(old == new) }
      }
    }
    listeners.forEach { $0.live.end() }
    await history.store.close()
  }

  @Test func log_thatMayOnlyBeRead_isEnough() async throws {
    var history = try await ToyHistory<Todo>(seed: 3)
    for _ in 0..<10 { try await history.step() }
    let position = try await history.store.log.position(at: 20)
    await history.store.close()
    var options = Log.Options()
    options.isReadOnly = true
    let log = try await Log.open(at: history.folder.path(of: "log"), options: options)
    let replay = try Replay(log, reducer: history.rules, at: position)
    #expect(replay.position == position)
    try Self.expect(replay, 20, of: &history)
    let last = try log.last
    #expect(throws: StoreError.log(.damagedRecord(last.advanced(by: 1), .absent))) {
      try replay.advance(to: last.advanced(by: 1))
    }
    await log.close()
  }

  @Test func position_ofAnotherStore_isRefused() async throws {
    var (one, other) = (try await ToyHistory<Todo>(seed: 1), try await ToyHistory<Todo>(seed: 2))
    for _ in 0..<3 {
      try await one.step()
      try await other.step()
    }
    let position = try await one.store.log.position(at: 2)
    #expect(throws: StoreError.elsewhere(position)) { try other.store.replay(at: position) }
    await one.store.close()
    await other.store.close()
  }
}

extension ToyHistory {
  /// Returns the whole of a list, and a part of it.
  fileprivate func windows(of pane: Pane) -> [Pane] {
    [
      pane,
      Pane(view: pane.view, group: pane.group, window: ListWindow(lowerBound: 2, upperBound: 7)),
    ]
  }
}

extension Replay {
  fileprivate func changes(
    of pane: Pane, _ list: ListName, from start: Int, to end: Int
  ) throws -> ChangeSet? {
    try changes(
      of: list, window: pane.window.lowerBound..<pane.window.upperBound,
      countsExactly: pane.window.hasTotal, from: RecordNumber(start), to: RecordNumber(end))
  }
}

/// A viewer of a pane of a store, which keeps everything that it is told.
private final class Listener: Sendable {
  let pane: Pane
  let list: ListName
  let live: LiveView
  private let inbox: Inbox

  private final class Inbox: Sendable { let sets = Mutex<[ChangeSet]>([]) }

  init(_ pane: Pane, _ list: ListName, in store: Store) throws {
    let inbox = Inbox()
    (self.pane, self.list, self.inbox) = (pane, list, inbox)
    let window = pane.window.lowerBound..<pane.window.upperBound
    let onChange: @Sendable (Change) -> Void = { change in
      inbox.sets.withLock { $0.append(change.set) }
    }
    live = try store.live(
      list, window: window, countsExactly: pane.window.hasTotal, onChange: onChange)
  }

  /// Checks that all change sets of a stretch, merged, equal the set.
  func expect(
    _ set: ChangeSet?, from start: Int, to end: Int, hasReferences: Bool, _ comment: Comment
  ) throws {
    let told = inbox.sets.withLock { sets in
      sets.filter { $0.to.index > start && $0.to.index <= end }
    }
    var merged = told.first
    for next in told.dropFirst() { merged = merged?.merging(next) }
    guard let merged, !merged.isEmpty else {
      #expect(set == nil, comment)
      return
    }
    let found = try #require(set, comment)
    let expected = ChangeSet(
      from: found.from, to: found.to, oldCount: merged.oldCount, newCount: merged.newCount,
      oldTotal: merged.oldTotal, newTotal: merged.newTotal, edits: merged.edits)
    #expect(found == expected, "\(comment), \(pane) from \(start) to \(end)")
    // Rows are compared without the places of their references, but encoded with them.
    guard !hasReferences else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let isSame = try encoder.encode(found) == encoder.encode(expected)
    #expect(isSame, "\(comment), \(pane) from \(start) to \(end)")
  }
}
