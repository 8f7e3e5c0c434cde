import EventStore
import Foundation
import LMDB
import TestSupport
import Testing
import ToyDomains

/// Rows and lists at any record, reached from snapshots, compared with the plain models.
@Suite(.timeLimit(.minutes(5))) struct SnapshotFolderTests {
  private static let seeds = 0..<UInt64(Campaign.size(6, long: 200))

  @Test(arguments: seeds) func views_areThoseOfThePlainModel(_ seed: UInt64) async throws {
    if seed % 2 == 0 {
      try await Self.compare(Todo.self, seed)
    } else {
      try await Self.compare(Leaderboard.self, seed)
    }
  }

  private static func compare<T: Toy>(_: T.Type, _ seed: UInt64) async throws {
    var history = try await ToyHistory<T>(seed: seed, eventRowsMax: seed % 3 == 0 ? 3 : nil)
    for _ in 0..<30 { try await history.step() }
    let log = try history.store.log
    // With enough room all snapshots have their indexes; with little, most leave some behind.
    let snapshots = try snapshots(of: &history, countMax: 20, part: seed % 3 == 1 ? 1 : 0.8)
    #expect(snapshots.numbers.count > 8, "seed \(seed)")
    let lags = try LagEntry.all(at: snapshots.path, viewCount: history.rules.views.count)
    #expect(lags.contains { $0.isLagging } == (seed % 3 != 1), "seed \(seed)")
    let replay = try Replay(log, reducer: history.rules, at: 0, from: snapshots)
    for round in 0..<12 {
      let number = Int.random(in: 0...history.plain.count, using: &history.generator)
      try replay.advance(to: RecordNumber(number))
      if round % 4 == 0 { try replay.checkInvariants() }
      for pane in history.allPanes(at: [number]) {
        let sight = try replay.views.sight(of: pane, history.name(of: pane))
        #expect(
          sight == history.plain.sight(of: pane, at: number), "seed \(seed), \(pane) at \(number)")
      }
    }
    try replay.advance(to: RecordNumber(history.plain.count))
    for number in snapshots.numbers.reversed() {
      try replay.advance(to: number)
      try replay.checkInvariants()
    }
    let (start, end) = (history.plain.count / 3, history.plain.count)
    for pane in history.allPanes(at: [start, end]) where !history.isGrouped(pane.view) {
      let set = try replay.changes(
        of: ListName(pane.view), window: 0..., countsExactly: true, from: RecordNumber(start),
        to: RecordNumber(end))
      let (old, new) = (
        history.plain.sight(of: pane, at: start), history.plain.sight(of: pane, at: end)
      )
      if let set, !set.isReset {
        #expect(set == old.changeSet(to: new, from: set.from, to: set.to), "seed \(seed)")
      } else if set == nil {
        #expect(old == new, "seed \(seed), \(pane)")
      }
    }
    snapshots.close()
    await history.store.close()
  }

  /// Makes snapshots at records of a history, in a part of the room that they would take.
  static func snapshots<T: Toy>(
    of history: inout ToyHistory<T>, countMax: Int, part: Double = 1
  ) throws -> SnapshotFolder {
    var limits = SnapshotLimits()
    (limits.countMax, limits.spacingMin) = (countMax, 3)
    let path = history.folder.path(of: "snapshots")
    let log = try history.store.log
    try SnapshotFolder.make(of: log, reducer: history.rules, at: path, limits: limits)
    let all = try SnapshotFolder(at: path, of: log, reducer: history.rules)
    guard part < 1 else { return all }
    limits.bytesMax = Int(Double(all.byteCount) * part)
    all.close()
    try SnapshotFolder.make(of: log, reducer: history.rules, at: path, limits: limits)
    return try SnapshotFolder(at: path, of: log, reducer: history.rules)
  }

  /// Two replays at the same time read the same snapshot, or do without.
  @Test func twoReplays_goOnFromTheSameFolder() async throws {
    var history = try await ToyHistory<Todo>(seed: 7)
    for _ in 0..<20 { try await history.step() }
    let snapshots = try Self.snapshots(of: &history, countMax: 5)
    let (log, last) = (try history.store.log, RecordNumber(history.plain.count))
    let first = try Replay(log, reducer: history.rules, at: last, from: snapshots)
    let second = try Replay(log, reducer: history.rules, at: 4, from: snapshots)
    try second.advance(to: last)
    #expect(try second.differences(from: first).isEmpty)
    try first.checkInvariants()
    try second.checkInvariants()
    await history.store.close()
  }

  /// Neither a what-if nor a replay that has ended keeps its snapshot from others.
  @Test func whatIf_leavesItsSnapshot() async throws {
    var history = try await ToyHistory<Todo>(seed: 7)
    for _ in 0..<20 { try await history.step() }
    let snapshots = try Self.snapshots(of: &history, countMax: 5)
    let (log, last) = (try history.store.log, RecordNumber(history.plain.count))
    let first = try #require(snapshots.numbers.first)
    let visits = try Replay(log, reducer: history.rules, at: first, from: snapshots).visits
    let replay = try Replay(log, reducer: history.rules, at: last, from: snapshots)
    #expect(replay.visits < last.rawValue, "it goes on from a later one")
    _ = try replay.whatIf(EditedLog(log, [.skip(last)]), at: last)
    try replay.advance(to: first)
    #expect(replay.visits == visits)
    snapshots.close()
    await history.store.close()
  }

  /// Refusals from before a snapshot are known wherever a replay begins.
  @Test func refusals_areKnownBehindSnapshots() async throws {
    var history = try await ToyHistory<Todo>(seed: 15)
    try await history.store.append(
      Batch([TodoHappening.put("1", TodoPatch()), TodoHappening.spoil("1")]))
    try await history.store.append(
      Batch((3...60).map { TodoHappening.put("\($0)", TodoPatch()) }))
    let snapshots = try Self.snapshots(of: &history, countMax: 5)
    #expect(snapshots.numbers.first.map { $0 > 2 } == true)
    for from in [snapshots, nil] {
      let replay = try Replay(history.store.log, reducer: history.rules, at: 60, from: from)
      #expect(try replay.refused().map(\.number) == [2])
      let question = try PastQuestion("refused", of: replay)
      var bisection = Bisection(after: 0, through: 60)
      #expect(try replay.bisect(&bisection) { try question.isSo($0) } == 2)
    }
    snapshots.close()
    await history.store.close()
  }

  /// A folder that others are just writing is not read.
  @Test func busyFolder_isNotRead() async throws {
    var history = try await ToyHistory<Todo>(seed: 9)
    for _ in 0..<10 { try await history.step() }
    let snapshots = try Self.snapshots(of: &history, countMax: 4)
    let log = try history.store.log
    try Folder(snapshots.path).replace("roots", with: [1, 2, 3])
    #expect(throws: SnapshotError.busy(path: snapshots.path)) {
      try SnapshotFolder(at: snapshots.path, of: log, reducer: history.rules)
    }
    snapshots.close()
    await history.store.close()
  }

  /// A folder whose data can't be written is refused at once, not by the first replay.
  @Test func dataThatCanNotBeWritten_isRefused() async throws {
    var history = try await ToyHistory<Todo>(seed: 9)
    for _ in 0..<10 { try await history.step() }
    try Self.snapshots(of: &history, countMax: 4).close()
    let (log, path) = (try history.store.log, history.folder.path(of: "snapshots"))
    // Not even the superuser can write to a folder as to a file.
    let data = "\(path)/\(Environment.dataFile)"
    try FileManager.default.removeItem(atPath: data)
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
    for _ in 0..<2 {
      let error = #expect(throws: SnapshotError.self) {
        try SnapshotFolder(at: path, of: log, reducer: history.rules)
      }
      guard case .failed(.views)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
    await history.store.close()
  }

  /// A replay does without a snapshot that can't be written any more, and says so.
  @Test func dataThatCanNoLongerBeWritten_isDoneWithout() async throws {
    var history = try await ToyHistory<Todo>(seed: 9)
    for _ in 0..<20 { try await history.step() }
    let snapshots = try Self.snapshots(of: &history, countMax: 4)
    let (log, last) = (try history.store.log, RecordNumber(history.plain.count))
    let first = try #require(snapshots.numbers.first)
    #expect(snapshots.numbers.count > 1 && snapshots.failure == nil)
    let data = "\(snapshots.path)/\(Environment.dataFile)"
    try FileManager.default.removeItem(atPath: data)
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
    let replay = try Replay(log, reducer: history.rules, at: first, from: snapshots)
    let plain = try Replay(log, reducer: history.rules, at: first)
    for number in [first, last, first] {
      try replay.advance(to: number)
      try plain.advance(to: number)
      #expect(try replay.differences(from: plain).isEmpty)
    }
    try replay.checkInvariants()
    #expect(snapshots.numbers == [])
    guard case .views(snapshots.path, _)? = snapshots.failure else {
      Issue.record("\(String(describing: snapshots.failure))")
      return
    }
    snapshots.close()
    await history.store.close()
  }

  @Test func limits_areKept() async throws {
    var history = try await ToyHistory<Todo>(seed: 8)
    for _ in 0..<20 { try await history.step() }
    let (log, path) = (try history.store.log, history.folder.path(of: "snapshots"))
    var limits = SnapshotLimits()
    (limits.countMax, limits.spacingMin) = (4, 1)
    try SnapshotFolder.make(of: log, reducer: history.rules, at: path, limits: limits)
    var numbers = try SnapshotFolder(at: path, of: log, reducer: history.rules).numbers
    #expect(numbers.count == 4 && numbers == numbers.sorted())
    limits.bytesMax = 1
    try SnapshotFolder.make(of: log, reducer: history.rules, at: path, limits: limits)
    numbers = try SnapshotFolder(at: path, of: log, reducer: history.rules).numbers
    #expect(numbers.count == 1, "the first goes beyond, and there is no other")
    await history.store.close()
  }

  /// With little room snapshots lie farther apart, but evenly: no record is far from one, however
  /// late it came.
  ///
  /// They take no more room than they may.
  @Test(arguments: [2, 3, 5, 8]) func scarceRoom_isUsedEvenly(_ part: Int) async throws {
    var history = try await ToyHistory<Todo>(seed: 11)
    for _ in 0..<60 { try await history.step() }
    let (log, path) = (try history.store.log, history.folder.path(of: "snapshots"))
    var limits = SnapshotLimits()
    (limits.countMax, limits.spacingMin) = (40, 1)
    func made() throws -> (numbers: [Int], bytes: Int) {
      try SnapshotFolder.make(of: log, reducer: history.rules, at: path, limits: limits)
      let snapshots = try SnapshotFolder(at: path, of: log, reducer: history.rules)
      return (snapshots.numbers.map { Int($0.rawValue) }, snapshots.byteCount)
    }
    let all = try made()
    limits.bytesMax = all.bytes / part
    let few = try made()
    #expect(few.numbers.count < all.numbers.count && few.bytes <= limits.bytesMax, "\(few)")
    let places = [0] + few.numbers + [history.plain.count]
    let ways = zip(places, places.dropFirst()).map { $1 - $0 }
    #expect(Set(ways.dropLast()).count == 1 && ways.last ?? 0 <= ways[0], "\(few.numbers)")
    await history.store.close()
  }

  /// A lag of indexes is refused if it is not what was written.
  @Test(arguments: [4, 8, 12]) func damagedLag_isRefused(_ byte: Int) async throws {
    var history = try await ToyHistory<Todo>(seed: 13)
    for _ in 0..<20 { try await history.step() }
    try Self.snapshots(of: &history, countMax: 4).close()
    let (log, path) = (try history.store.log, history.folder.path(of: "snapshots"))
    for entry in try LagEntry.all(at: path, viewCount: history.rules.views.count) {
      try entry.flip(byte)
    }
    let snapshots = try SnapshotFolder(at: path, of: log, reducer: history.rules)
    #expect(snapshots.numbers.count == 4)
    for number in snapshots.numbers {
      let error = #expect(throws: StoreError.self) {
        try Replay(log, reducer: history.rules, at: number, from: snapshots)
      }
      #expect(error?.description.contains("how far indexes lag behind") == true)
    }
    await history.store.close()
  }

  /// With slightly too little room the snapshots are as many, and indexes are left behind.
  @Test func indexes_giveWayFirst() async throws {
    var history = try await ToyHistory<Todo>(seed: 14)
    for _ in 0..<60 { try await history.step() }
    let all = try Self.snapshots(of: &history, countMax: 20)
    let (numbers, bytes) = (all.numbers, all.byteCount)
    all.close()
    let few = try Self.snapshots(of: &history, countMax: 20, part: 0.9)
    #expect(few.numbers == numbers, "\(few.numbers) of \(numbers)")
    #expect(few.byteCount <= bytes * 9 / 10)
    few.close()
    await history.store.close()
  }

  @Test func limits_mayBeAnything() async throws {
    var history = try await ToyHistory<Todo>(seed: 12)
    for _ in 0..<10 { try await history.step() }
    let (log, path) = (try history.store.log, history.folder.path(of: "snapshots"))
    for count in [Int.max, 3, 0, -1, .min] {
      var limits = SnapshotLimits()
      (limits.countMax, limits.bytesMax, limits.spacingMin) = (count, .max, 8)
      try SnapshotFolder.make(of: log, reducer: history.rules, at: path, limits: limits)
      let folder = try SnapshotFolder(at: path, of: log, reducer: history.rules)
      #expect(folder.numbers.isEmpty == (count <= 0) && folder.numbers.count <= max(count, 0))
      folder.close()
    }
    await history.store.close()
  }

  @Test func making_canBeGivenUp() async throws {
    var history = try await ToyHistory<Todo>(seed: 12)
    for _ in 0..<10 { try await history.step() }
    let (log, path) = (try history.store.log, history.folder.path(of: "snapshots"))
    var limits = SnapshotLimits()
    (limits.countMax, limits.spacingMin) = (4, 1)
    #expect(throws: SnapshotError.failed(.cancelled)) {
      try SnapshotFolder.make(
        of: log, reducer: history.rules, at: path, limits: limits, progress: { $0.done < 20 })
    }
    #expect(throws: SnapshotError.missing(path: path)) {
      try SnapshotFolder(at: path, of: log, reducer: history.rules)
    }
    await history.store.close()
  }

  /// Opening an unusable folder reports why it is unusable, and does nothing else.
  @Test func foreignAndDamaged_areRefused() async throws {
    var history = try await ToyHistory<Todo>(seed: 9)
    for _ in 0..<10 { try await history.step() }
    let (log, path) = (try history.store.log, history.folder.path(of: "snapshots"))
    #expect(throws: SnapshotError.missing(path: path)) {
      try SnapshotFolder(at: path, of: log, reducer: history.rules)
    }
    let snapshots = try Self.snapshots(of: &history, countMax: 4)
    #expect(throws: SnapshotError.busy(path: path)) {
      try SnapshotFolder(at: path, of: log, reducer: history.rules)
    }
    snapshots.close()
    let other = Todo.rules(Todo.views, version: 2)
    #expect(throws: SnapshotError.foreign(path: path)) {
      try SnapshotFolder(at: path, of: log, reducer: other)
    }
    let file = URL(filePath: path).appending(path: "roots")
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: file)
    #expect(
      throws: SnapshotError.damaged(path: path, detail: "its roots are not whole")
    ) { try SnapshotFolder(at: path, of: log, reducer: history.rules) }
    await history.store.close()
  }
}

/// The entry of a snapshot's file that says how far indexes lag behind, found by its checksum.
private struct LagEntry {
  let file: URL
  let start: Int
  let bytes: [UInt8]

  /// Returns all entries of a folder's file.
  static func all(at path: String, viewCount: Int) throws -> [LagEntry] {
    let file = URL(filePath: path).appending(path: "data.mdb")
    let (data, count) = ([UInt8](try Data(contentsOf: file)), 8 + 8 * viewCount)
    return stride(from: 0, through: data.count - count, by: 2).compactMap { start in
      let entry = LagEntry(file: file, start: start, bytes: Array(data[start..<(start + count)]))
      guard 1...128 ~= entry.word(4) else { return nil }
      let checksum = Checksum.of(entry.bytes.raw.extracting(4...))
      return entry.word(0) == checksum ? entry : nil
    }
  }

  /// Whether some index is older than the last frame.
  var isLagging: Bool {
    stride(from: 8, to: bytes.count, by: 8).contains { word($0) != word(4) }
  }

  private func word(_ offset: Int) -> UInt32 { bytes.raw.integer(UInt32.self, at: offset) }

  func flip(_ byte: Int) throws {
    let handle = try FileHandle(forUpdating: file)
    try handle.seek(toOffset: UInt64(start + byte))
    try handle.write(contentsOf: [bytes[byte] ^ 1])
    try handle.close()
  }
}
