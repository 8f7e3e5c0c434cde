import EventStore
import Foundation
import LMDB
import TestSupport
import Testing

/// Logs that are compacted at random floors with random baselines read as their model does.
@Suite(.timeLimit(.minutes(5))) struct CompactionTests {
  private static let seeds = 0..<UInt64(Campaign.size(30, long: 1000))

  @Test(arguments: seeds) func compacted_readsAsTheBaselineAndTheTail(_ seed: UInt64) async throws {
    var history = try await CompactedHistory(seed: seed)
    for _ in 0..<3 {
      try await history.append()
      let positions = try await history.positions()
      try await history.compact()
      try history.expectPositions(positions)
      try history.expectEverything()
      try await history.append()
      try history.expectEverything()
      try await history.reopen()
      try history.expectEverything()
    }
    let report = try Log.check(at: history.folder.path)
    #expect(report.isSound && report.baselineCount == history.baseline.count, "\(seed): \(report)")
    await history.log.close()
  }

  @Test(arguments: seeds) func copies_haveTheBaseline(_ seed: UInt64) async throws {
    var history = try await CompactedHistory(seed: seed)
    for _ in 0..<2 {
      try await history.append()
      try await history.compact()
    }
    let backup = try TemporaryFolder()
    try await history.log.backup(to: backup.path, compacting: seed % 2 == 0)
    await history.log.close()
    let salvaged = try TemporaryFolder()
    let report = try Log.salvage(from: history.folder.path, into: salvaged.path)
    #expect(report.lostCount == 0 && report.isBaselineWhole, "\(seed): \(report)")
    for copy in [backup, salvaged] {
      #expect(try Log.check(at: copy.path).isSound)
      var copied = history
      copied.log = try await Log.open(at: copy.path)
      try copied.expectEverything()
      try await copied.append()
      try copied.expectEverything()
      await copied.log.close()
    }
  }

  /// Takes about a second: the log is copied and checked for each commit of the compaction.
  @Test(arguments: 0..<UInt64(Campaign.size(3, long: 100)))
  func crash_behindAnyCommit_leavesOneOrTheOther(_ seed: UInt64) async throws {
    var history = try await CompactedHistory(seed: seed, countMax: 12)
    try await history.append()
    if seed % 2 == 1 { try await history.compact() }
    try await history.append()
    let (before, images) = (history.everything, CrashImages(of: history.folder.path))
    try await history.compact(holdMax: .nanoseconds(1), clock: images.clock)
    let after = history.everything
    await history.log.close()
    var outcomes: Set<[String]> = []
    for image in try images.all() {
      #expect(try Log.check(at: image.path).isSound, "seed \(seed)")
      let log = try await Log.open(at: image.path)
      try await log.finishUpkeep()
      let texts = try log.numberedTexts()
      #expect(texts == before || texts == after, "seed \(seed)")
      outcomes.insert(texts)
      try log.checkInvariants()
      try await log.append(.of("more"))
      #expect(try log.numberedTexts().dropLast() == texts[...], "seed \(seed)")
      await log.close()
      let report = try Log.check(at: image.path)
      #expect(report.isSound && report.recordCount == UInt64(texts.count) + 1, "\(report)")
    }
    #expect(outcomes == [before, after], "seed \(seed): \(images.count) images")
  }

  /// A reader of a baseline can't continue in its replacement, even if that has the same numbers.
  @Test func reading_endsWhereTheBaselineIsReplaced() async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    try await log.append(.of((1...1000).map { "\($0)" }))
    let keepAll: @Sendable (RecordNumber) -> [BaselineRecord] = { last in
      last < 900 ? (1...100).map { .kept(last.advanced(by: $0)) } : []
    }
    try await log.compact(through: 900, keepAll)
    var records = log.records(from: 1).makeAsyncIterator()
    #expect(try await records.next()?.number == 1)
    var others = log.records(from: 1).makeAsyncIterator()
    for number in 1...900 { #expect(try await others.next()?.number.rawValue == UInt64(number)) }
    try await log.append(.of("more"))
    try await log.compact(through: 901) { last in
      keepAll(last).filter { $0.number != 7 }
    }
    await #expect(throws: LogError.compacted(floor: 901)) {
      while let record = try await records.next(), record.number < 901 {}
    }
    await log.close()
  }

  /// A reader past a baseline's last record continues after the floor, even if the numbers are
  /// equal.
  @Test func baseline_mayEndWithItsFloor() async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    try await log.append(.of("a", "b", "c"))
    try await log.compact(through: 3) { last in last == .zero ? [.kept(1), .kept(3)] : [] }
    var records = log.records(from: 1).makeAsyncIterator()
    for number in [1, 3] { #expect(try await records.next()?.number.rawValue == UInt64(number)) }
    try await log.append(.of("d"))
    #expect(try await records.next()?.text == "d")
    await log.close()
  }

  @Test func failingSource_changesNothing() async throws {
    var history = try await CompactedHistory(seed: 7)
    try await history.append()
    let floor = try history.log.last
    await #expect(throws: CancellationError.self) {
      try await history.log.compact(through: floor) { last in
        guard last == .zero else { throw CancellationError() }
        return [.kept(1)]
      }
    }
    await #expect(throws: LogError.damagedRecord(floor.advanced(by: 1), .absent)) {
      try await history.log.compact(through: floor.advanced(by: 1)) { _ in [] }
    }
    await #expect(throws: LogError.compacted(floor: 0)) {
      try await history.log.compact(through: 0) { _ in [] }
    }
    try history.expectEverything()
    try await history.append()
    try await history.compact()
    try history.expectEverything()
    await history.log.close()
  }

  @Test func compaction_isOneAtATime() async throws {
    let history = try await CompactedHistory(seed: 8)
    try await history.log.append(.of("a", "b", "c"))
    let log = history.log
    try await log.compact(through: 2) { last in
      guard last == .zero else { return [] }
      let other = Task { try await log.compact(through: 1) { _ in [] } }
      let isBusy = Blocking.result { await other.result }
      #expect(throws: LogError.busy(path: log.path)) { try isBusy.get() }
      return [.kept(2)]
    }
    #expect(try log.numberedTexts() == ["2 b", "3 c"])
    await log.close()
  }
}

/// Waits for the result of a task on a thread that may block.
private enum Blocking {
  static func result<T: Sendable>(_ body: @escaping @Sendable () async -> T) -> T {
    let answer = Monitor<T?>(nil)
    Task {
      let value = await body()
      answer.withLock { $0 = value }
      answer.notify()
    }
    let result = answer.withLock(when: { $0 != nil }) { $0 }
    guard let result, let result else { preconditionFailure("it waits for as long as it takes") }
    return result
  }
}
