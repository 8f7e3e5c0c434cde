import EventStore
import LMDB
import TestSupport
import Testing
import ToyDomains

/// The law of compaction: a fold of the baseline and the tail equals a fold of the whole log.
@Suite(.timeLimit(.minutes(5))) struct ToyCompactionTests {
  private static let seeds = 0..<UInt64(Campaign.size(6, long: 300))

  @Test(arguments: seeds) func fold_ofACompactedLog_isThatOfTheWhole(_ seed: UInt64) async throws {
    if seed % 2 == 0 {
      try await Self.compact(Todo.self, seed, Self.effective)
    } else {
      try await Self.compact(Leaderboard.self, seed, Self.players)
    }
  }

  /// Snapshots from before a compaction number rows otherwise than what is left; new ones are all
  /// behind the floor.
  @Test(arguments: seeds) func blame_afterACompaction_isOfTheSameRow(_ seed: UInt64) async throws {
    var history = try await ToyHistory<Leaderboard>(seed: seed)
    for _ in 0..<20 { try await history.step() }
    try SnapshotFolderTests.snapshots(of: &history, countMax: 5).close()
    let floor = RecordNumber(rawValue: try history.store.log.last.rawValue / 2)
    let records = try Self.players(history.store.log, floor, &history)
    try await history.store.compact(through: floor) { last in
      Array(records.drop { $0.number <= last })
    }
    for _ in 0..<10 { try await history.step() }
    let (log, path) = (try history.store.log, history.folder.path(of: "snapshots"))
    for isNew in [false, true] {
      let snapshots =
        try isNew
        ? SnapshotFolderTests.snapshots(of: &history, countMax: 5)
        : SnapshotFolder(at: path, of: log, reducer: history.rules)
      #expect(snapshots.numbers.allSatisfy { $0 >= floor }, "seed \(seed)")
      #expect(!isNew || snapshots.numbers.count > 2, "seed \(seed): \(snapshots.numbers)")
      let replays = try [snapshots, nil].map {
        try Replay(log, reducer: history.rules, at: log.last, from: $0)
      }
      var ids: [String] = []
      try replays[1].foldedRows.forEachRow(of: Leaderboard.collection) { ids.append($1.name) }
      for id in ids {
        let blames = try replays.map { replay in
          try replay.advance(to: log.last)
          return try replay.blame(id, in: Leaderboard.collection).map(\.record.number)
        }
        #expect(blames[0] == blames[1], "seed \(seed), \(id)")
      }
      snapshots.close()
    }
    await history.store.close()
  }

  private static func compact<T: Toy>(
    _: T.Type, _ seed: UInt64,
    _ baseline: (Log, RecordNumber, inout ToyHistory<T>) throws -> [BaselineRecord]
  ) async throws {
    var history = try await ToyHistory<T>(seed: seed)
    for _ in 0..<3 {
      for _ in 0..<12 { try await history.step() }
      var log = try history.store.log
      let (old, last) = (log.floor, try log.last)
      let range = old.rawValue + 1...last.rawValue
      let isWhole = history.generator.onceIn(3)
      let floor =
        isWhole ? last : RecordNumber(rawValue: .random(in: range, using: &history.generator))
      let records = try baseline(log, floor, &history)
      try await history.store.compact(through: floor) { last in
        Array(records.drop { $0.number <= last }.prefix(10))
      }
      if isWhole { try await history.reopen(withoutViews: true) }
      log = try history.store.log
      let position = try history.store.read { $0.position }
      #expect(try await position == history.store.log.position(), "seed \(seed)")
      try expect(&history)
      try await history.step()
      for number in [floor, try log.last] {
        let past = try history.store.replay(at: number)
        try past.checkInvariants()
        for pane in history.allPanes(at: [Int(number.rawValue)]) {
          let sight = try past.views.sight(of: pane, history.name(of: pane))
          #expect(
            sight == history.plain.sight(of: pane, at: Int(number.rawValue)),
            "seed \(seed), replay at \(number), \(pane)")
        }
      }
      let verified = try await history.store.verify()
      #expect(verified.isSound, "seed \(seed): \(verified)")
      try await history.reopen(withoutViews: Bool.random(using: &history.generator))
      try history.store.checkInvariants()
      try expect(&history)
      #expect(try await history.store.verify().isSound)
    }
    await history.store.close()
  }

  private static func expect<T: Toy>(_ history: inout ToyHistory<T>) throws {
    for pane in history.allPanes(at: [history.plain.count]) {
      let list = history.name(of: pane)
      let sight = try history.store.read { try $0.sight(of: pane, list) }
      #expect(
        sight == history.plain.sight(of: pane, at: history.plain.count),
        "seed \(history.generator.seed), \(pane)")
    }
  }

  /// Returns the old baseline, and the later records up to a floor, except refused ones.
  private static func effective<T: Toy>(
    _ log: Log, _ floor: RecordNumber, _ history: inout ToyHistory<T>
  ) throws -> [BaselineRecord] {
    let refused = Set(history.plain.timeline.refused.map { RecordNumber(rawValue: UInt64($0)) })
    return try log.read { snapshot in
      var records: [BaselineRecord] = []
      var cursor = try snapshot.records()
      while try cursor.next(), cursor.number <= floor {
        let isKept = cursor.number <= snapshot.floor || !refused.contains(cursor.number)
        if isKept { records.append(.kept(cursor.number)) }
      }
      return records
    }
  }

  /// Returns records that recreate each player, or, if those are too many, the effective ones.
  private static func players(
    _ log: Log, _ floor: RecordNumber, _ history: inout ToyHistory<Leaderboard>
  ) throws -> [BaselineRecord] {
    let pane = Pane(view: "everyone", group: nil, window: ListWindow(hasTotal: true))
    let rows = history.plain.rows(of: pane, at: Int(floor.rawValue))
    let happenings = rows.flatMap { PlayerHappening.making($0) }
    guard UInt64(happenings.count) <= floor.rawValue else {
      return try effective(log, floor, &history)
    }
    return happenings.enumerated().map { index, happening in
      let event = Event(kind: happening.kind, recordedAt: Timestamp(rawValue: 0))
      return .written(event, as: RecordNumber(rawValue: UInt64(index + 1))) { writer in
        happening.write(to: &writer)
      }
    }
  }
}

extension PlayerHappening {
  /// The happenings that create a player with a row's fields.
  fileprivate static func making(_ row: Row) -> [PlayerHappening] {
    var happenings: [PlayerHappening] = [.join(row.id, country: row[Leaderboard.country])]
    if let name = row[Leaderboard.name] { happenings.append(.rename(row.id, name)) }
    if let score = row[Leaderboard.score] { happenings.append(.score(row.id, score)) }
    if let rating = row[Leaderboard.rating] { happenings.append(.rate(row.id, rating)) }
    if let isRetired = row[Leaderboard.isRetired] {
      happenings.append(.retire(row.id, isRetired))
    }
    return happenings
  }
}
