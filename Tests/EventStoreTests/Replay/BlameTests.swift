import EventStore
import TestSupport
import Testing
import ToyDomains

/// The records that made rows and lists what they are, compared with the plain models.
@Suite(.timeLimit(.minutes(5))) struct BlameTests {
  private static let seeds = 0..<UInt64(Campaign.size(6, long: 200))

  @Test(arguments: seeds) func blame_ofRows(_ seed: UInt64) async throws {
    var history = try await ToyHistory<Todo>(seed: seed)
    for _ in 0..<20 { try await history.step() }
    let snapshots = try SnapshotFolderTests.snapshots(of: &history, countMax: 5)
    let log = try history.store.log
    for from in [snapshots, nil] {
      let end = Int.random(in: 1...history.plain.count, using: &history.generator)
      let replay = try Replay(log, reducer: history.rules, at: RecordNumber(end), from: from)
      var ids: [String] = []
      try replay.foldedRows.forEachRow(of: Todo.tasks) { ids.append($1.name) }
      for id in ids {
        try replay.advance(to: RecordNumber(end))
        let blames = try replay.blame(id, in: Todo.tasks)
        let (numbers, expected) = (
          blames.map(\.record.number), Self.changes(of: id, through: end, history)
        )
        #expect(numbers == expected, "seed \(seed), \(id) at \(end)")
        #expect(blames.last?.change.new == history.plain.timeline.model(at: end).row(id))
        let fields = FieldSet(field: Todo.isDone.number)
        let done = try replay.blame(id, in: Todo.tasks, fields: fields).map(\.record.number)
        #expect(done.allSatisfy(expected.contains) && replay.position.number == RecordNumber(end))
      }
    }
    snapshots.close()
    await history.store.close()
  }

  private static func changes(
    of id: String, through end: Int, _ history: ToyHistory<Todo>
  ) -> [RecordNumber] {
    func own(_ number: Int) -> Row? {
      let row = history.plain.timeline.model(at: number).row(id)
      return row?.id == id ? row : nil
    }
    return (1...end).filter { own($0 - 1) != own($0) }.map { RecordNumber($0) }
  }

  @Test(arguments: seeds) func blame_ofLists(_ seed: UInt64) async throws {
    var history = try await ToyHistory<Todo>(seed: seed)
    for _ in 0..<20 { try await history.step() }
    let snapshots = try SnapshotFolderTests.snapshots(of: &history, countMax: 5)
    let log = try history.store.log
    for from in [snapshots, nil] {
      let end = Int.random(in: 1...history.plain.count, using: &history.generator)
      for pane in history.allPanes(at: [end]) {
        guard let list = Self.list(pane, history) else { continue }
        let replay = try Replay(log, reducer: history.rules, at: RecordNumber(end), from: from)
        let blames = try replay.blame(list)
        let ids = history.plain.ids(of: pane, at: end)
        #expect(blames.map(\.change.id) == ids, "seed \(seed), \(pane) at \(end)")
        for blame in blames {
          let entry = history.plain.entry(of: blame.change.id, into: pane, through: end)
          #expect(blame.record.number == entry, "seed \(seed), \(blame.change.id) in \(pane)")
        }
        let steps = try replay.countSteps(of: list, after: 0, through: RecordNumber(end))
        #expect(steps.reduce(0) { $0 + $1.change } == ids.count)
      }
    }
    snapshots.close()
    await history.store.close()
  }

  private static func list(_ pane: Pane, _ history: ToyHistory<Todo>) -> ListName? {
    let list = history.name(of: pane)
    return list.group == .noValue ? nil : list
  }

  /// A search through all possible causes reports its progress, and can be cancelled.
  @Test func progress_isTold() async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.ofThousands(in: folder)
    var (told, isWanted): ([RecordNumber], Bool) = ([], true)
    let replay = try Replay(log, reducer: Todo.rules(Todo.views, version: 1), at: 3000) {
      told.append($0.done)
      return isWanted
    }
    _ = try replay.blame("1", in: Todo.tasks)
    #expect(told == [1024, 2048])
    isWanted = false
    #expect(throws: StoreError.cancelled) { try replay.blame("1", in: Todo.tasks) }
    await log.close()
  }

  @Test(arguments: seeds) func explanation_saysWhereRowsStand(_ seed: UInt64) async throws {
    var history = try await ToyHistory<Todo>(seed: seed)
    for _ in 0..<20 { try await history.step() }
    let end = history.plain.count
    let replay = try history.store.replay(at: RecordNumber(end))
    for pane in history.allPanes(at: [end]) {
      guard let list = Self.list(pane, history) else { continue }
      let ids = history.plain.ids(of: pane, at: end)
      var all: [String] = []
      let view = try #require(replay.viewDefinitions.first { $0.name == pane.view })
      try replay.foldedRows.forEachRow(of: view.collection) { all.append($1.name) }
      for id in all {
        let found = try replay.explain(id, in: list)
        let rank = ids.firstIndex(of: id)
        #expect(found.rank == rank && found.count == ids.count, "seed \(seed), \(id), \(pane)")
        #expect((found.condition.isMet && found.grouping?.isMet != false) == (rank != nil))
        #expect(found.previous?.id == rank.flatMap { $0 > 0 ? ids[$0 - 1] : nil })
        #expect(found.next?.id == rank.flatMap { $0 + 1 < ids.count ? ids[$0 + 1] : nil })
        #expect(found.key.last?.value == id)
      }
    }
    await history.store.close()
  }

  @Test(arguments: seeds) func rowChanges_areThoseOfThePlainModel(_ seed: UInt64) async throws {
    var history = try await ToyHistory<Todo>(seed: seed)
    for _ in 0..<20 { try await history.step() }
    let replay = try history.store.replay(at: 0)
    for _ in 0..<6 {
      let numbers = [0, 0].map { _ in
        Int.random(in: 0...history.plain.count, using: &history.generator)
      }.sorted()
      let changes = try replay.rowChanges(
        in: Todo.tasks, from: RecordNumber(numbers[0]), to: RecordNumber(numbers[1]))
      let models = numbers.map { history.plain.timeline.model(at: $0) }
      var ids: Set<String> = []
      try replay.foldedRows.forEachRow(of: Todo.tasks) { ids.insert($1.name) }
      let other = try history.store.replay(at: RecordNumber(numbers[0]))
      try other.foldedRows.forEachRow(of: Todo.tasks) { ids.insert($1.name) }
      let expected = ids.sorted().filter { models[0].own($0) != models[1].own($0) }
      #expect(changes.map(\.id) == expected, "seed \(seed) from \(numbers)")
      for change in changes {
        #expect(change.old == models[0].own(change.id) && change.new == models[1].own(change.id))
      }
    }
    await history.store.close()
  }
}

extension TodoModel {
  /// Returns the row whose own id this is.
  fileprivate func own(_ id: String) -> Row? { row(id).flatMap { $0.id == id ? $0 : nil } }
}

extension PlainHistory {
  /// Returns the ids of a list's rows.
  fileprivate mutating func ids(of pane: Pane, at number: Int) -> [String] {
    let whole = Pane(view: pane.view, group: pane.group, window: ListWindow())
    return sight(of: whole, at: number).rows.map(\.id)
  }

  /// Returns the record that last brought a row into a list.
  fileprivate mutating func entry(
    of id: String, into pane: Pane, through end: Int
  ) -> RecordNumber? {
    for number in stride(from: end, to: 0, by: -1) where !ids(of: pane, at: number - 1).contains(id)
    {
      return RecordNumber(number)
    }
    return nil
  }
}
