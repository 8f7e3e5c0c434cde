import EventStore
import InboxHistories
import TestSupport
import Testing
import Tideline

/// The law of compaction for inboxes: a baseline and the records after it fold to the same state as
/// the whole log, to the last hidden field, and whatever happens next.
@Suite(.serialized) struct InboxCompactionTests {
  /// Takes some seconds: logs are written, compacted twice and folded anew at many records.
  @Test(.feature(97), .defect(.liveStore, 4)) func compacted_comesToTheSame() async throws {
    var shrunk = 0
    for seed in Campaign.seeds(12, long: 600) {
      var dice = SeededGenerator(seed: seed &+ 1000)
      let history = InboxAuthor.history(seed: seed, count: 250)
      let floors = (0..<2).map { _ in UInt64.random(in: 1...240, using: &dice) }.sorted()
      shrunk += try await Self.compare(history, floors: floors, "seed \(seed), floors \(floors)")
    }
    #expect(shrunk > 0, "nothing was ever compacted")
  }

  /// Compacts a log at floors while a history happens, and returns the number of baselines.
  private static func compare(
    _ history: InboxHistory, floors: [UInt64], _ comment: Comment
  ) async throws -> Int {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    let plain = try await Log.open(at: folder.path)
    let compacted = try await Log.open(at: other.path)
    try await plain.append(history.batch, durability: .relaxed)
    let expected = try Replay(plain, reducer: InboxReducer(), at: 0)
    var (last, count) = (0, 0)
    for end in floors.map(Int.init) + [history.steps.count] {
      if end > last {
        try await compacted.append(history.batch(last..<end), durability: .relaxed)
      }
      let isSame = try Self.same(plain, compacted, expected, from: last, to: end, comment)
      guard isSame else { return count }
      last = end
      let floor = RecordNumber(rawValue: UInt64(end))
      guard end < history.steps.count, compacted.floor < floor else { continue }
      guard try await compacted.compact(throughInbox: floor) else { continue }
      count += 1
      let (here, there) = (
        try WholeState(expected),
        try WholeState(Replay(compacted, reducer: InboxReducer(), at: floor))
      )
      let lines = here.differences(from: there)
      #expect(lines.isEmpty, "\(comment) at the floor \(end): \(lines.joined(separator: "\n"))")
      guard lines.isEmpty else { return count }
    }
    await plain.close()
    await compacted.close()
    return count
  }

  /// Returns whether both logs fold to the same state after some records of a range.
  private static func same(
    _ plain: Log, _ compacted: Log, _ expected: Replay, from first: Int, to last: Int,
    _ comment: Comment
  ) throws -> Bool {
    let other = try Replay(compacted, reducer: InboxReducer(), at: compacted.floor)
    for number in stride(from: first, through: last, by: 7) + [last] {
      try expected.advance(to: RecordNumber(rawValue: UInt64(number)))
      try other.advance(to: RecordNumber(rawValue: UInt64(number)))
      let lines = try WholeState(expected).differences(from: WholeState(other))
      #expect(
        lines.isEmpty,
        "\(comment) behind \(compacted.floor), at \(number): \(lines.joined(separator: "\n"))")
      guard lines.isEmpty else { return false }
    }
    return true
  }
}

extension InboxHistory {
  /// Returns some records as one batch.
  func batch(_ indices: Range<Int>) -> Batch {
    var batch = Batch()
    for step in steps[indices] { batch.add(step.header) { step.event?.encode(into: &$0) } }
    return batch
  }
}

private func + (stride: StrideThrough<Int>, more: [Int]) -> [Int] { Array(stride) + more }
