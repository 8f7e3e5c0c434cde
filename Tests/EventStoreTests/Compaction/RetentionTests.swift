import EventStore
import LMDB
import TestSupport
import Testing

/// Which records are due for compaction, and how slices keep within their time.
@Suite struct RetentionTests {
  /// Computes the decision in another way: the longest prefix of old records that leaves enough
  /// bytes.
  private static func expected(
    _ records: [(age: Int64, bytes: Int)], _ retention: Retention
  ) -> RecordNumber? {
    let total = records.reduce(0) { $0 + $1.bytes }
    let limit = retention.age.components.seconds * 1000
    var best: Int?
    for count in stride(from: 1, through: records.count, by: 1) {
      let gone = records.prefix(count)
      let bytes = gone.reduce(0) { $0 + $1.bytes }
      let isDue = gone.allSatisfy { $0.age > limit } && total - bytes >= retention.bytes
      if isDue, Double(bytes) >= Double(total) * retention.shareMin { best = count }
    }
    return best.map { RecordNumber(rawValue: UInt64($0)) }
  }

  @Test(arguments: 0..<UInt64(200)) func decision_isTheLongestPrefix(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var retention = Retention()
    retention.age = .seconds(Int.random(in: 0...100, using: &generator))
    retention.bytes = Int.random(in: 0...5000, using: &generator)
    retention.shareMin = Double.random(in: 0...0.5, using: &generator)
    let now = Timestamp(rawValue: 1_000_000)
    var age = Int64.random(in: 0...200_000, using: &generator)
    let records = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
      age -= Int64.random(in: -500...5000, using: &generator)
      return (age: age, bytes: Int.random(in: 28...300, using: &generator))
    }
    var search = Retention.Search(
      retention, now: now, bytes: records.reduce(0) { $0 + $1.bytes })
    for (index, record) in records.enumerated() {
      let number = RecordNumber(rawValue: UInt64(index + 1))
      let recordedAt = Timestamp(rawValue: now.rawValue - record.age)
      guard search.take(number, recordedAt: recordedAt, bytes: record.bytes) else { break }
    }
    #expect(search.floor == Self.expected(records, retention), "seed \(seed)")
    if search.floor != nil { #expect(search.isWorthwhile, "seed \(seed)") }
  }

  @Test func log_isDueWhenOldAndLarge() async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    try await log.append(.of((0..<200).map { "\($0)".padded(to: 1000) }))
    var retention = Retention()
    let later = Timestamp(rawValue: Event.note.recordedAt.rawValue + 31 * 86_400_000)
    #expect(try log.due(retention, now: later) == nil, "it is small")
    retention.bytes = 50_000
    #expect(try log.due(retention, now: Event.note.recordedAt) == nil, "it is young")
    let floor = try #require(try log.due(retention, now: later))
    // Each record has 1,033 bytes here: a header of 28, and five before the text.
    #expect((200 - floor.rawValue) * 1033 - 50_000 < 1033, "\(floor)")
    try await log.compact(through: floor) { _ in [] }
    #expect(try log.due(retention, now: later) == nil, "it was done")
    await log.close()
  }

  @Test func pace_findsTurnsThatKeepTheLimit() {
    // A commit takes as long as the work before it plus two milliseconds.
    var pace = SlicePace()
    var held: [Duration] = []
    for _ in 0..<100 {
      held.append(pace.turn * 2 + .milliseconds(2))
      pace.note(held: held[held.count - 1])
    }
    #expect(held.allSatisfy { $0 <= SlicePace.holdMax })
    #expect(pace.turn >= .microseconds(900), "it does not become slower than it must")
    // Every slice is too slow, however short its turn.
    for _ in 0..<100 { pace.note(held: .seconds(1)) }
    #expect(pace.turn > .zero)
  }
}
