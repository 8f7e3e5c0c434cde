import EventStore
import TestSupport
import Testing

/// Places in a log as people write them, and the records that they follow.
@Suite struct PlaceTests {
  private static let seeds = 0..<UInt64(Campaign.size(10, long: 300))
  private static let noon: Int64 = 1_700_000_000_000

  /// Makes a log whose records were recorded at the given moments, in seconds after noon.
  private static func log(_ seconds: [Int64], in folder: TemporaryFolder) async throws -> Log {
    let log = try await Log.open(at: folder.path)
    var batch = Batch()
    for second in seconds {
      batch.add(Event(kind: .note, recordedAt: Timestamp(rawValue: noon + 1000 * second)))
    }
    if !seconds.isEmpty { try await log.append(batch) }
    return log
  }

  private static func moment(_ second: Int64) -> LogPlace {
    .moment(Timestamp(rawValue: noon + 1000 * second))
  }

  /// However the clock was set, a moment means the last record that is not later, and the search
  /// counts the earlier records whose times are later.
  @Test(arguments: seeds) func moments_areTheLastRecordNotLater(_ seed: UInt64) async throws {
    var dice = SeededGenerator(seed: seed)
    let count = Int.random(in: 0...30, using: &dice)
    let seconds = (0..<count).map { _ in Int64.random(in: 0...20, using: &dice) }
    let folder = try TemporaryFolder()
    let log = try await Self.log(seconds, in: folder)
    for second in Int64(-1)...21 {
      let found = try log.find(Self.moment(second), now: Timestamp(rawValue: 0))
      let index = seconds.lastIndex { $0 <= second }
      let number = index.map { $0 + 1 } ?? 0
      let later = seconds.prefix(number).count { $0 > second }
      #expect(found.number.rawValue == UInt64(number), "seed \(seed), \(second) of \(seconds)")
      #expect(found.laterCount == later, "seed \(seed), \(second) of \(seconds)")
      #expect((found.remark == nil) == (later == 0))
    }
    await log.close()
  }

  /// A record whose moment can't be read is skipped.
  @Test func moment_besideAnUnreadableHeader() async throws {
    let folder = try TemporaryFolder()
    await (try await Self.log([0, 10, 20, 30], in: folder)).close()
    try Damage.truncation(2, count: 3).inflict(on: folder)
    let log = try await Log.open(at: folder.path)
    let places = [(5, 1), (15, 1), (25, 3), (35, 4)] as [(Int64, UInt64)]
    for (second, number) in places {
      let found = try log.find(Self.moment(second), now: Timestamp(rawValue: 0))
      #expect(found.number.rawValue == number && found.laterCount == 0)
    }
    await log.close()
  }

  /// A text that is written as a number means a record or nothing, never a moment.
  @Test(arguments: ["1e3", "1.5", "+1e3", "0x10", ".5", "1E3", "-1e3", "18446744073709551616"])
  func numbers_areNoMoments(text: String) {
    #expect(LogPlace(text) { _ in Timestamp(rawValue: 0) } == nil)
    #expect(LogPlace("\(text) Nov") { _ in Timestamp(rawValue: 0) } != nil || text.first == "-")
  }

  /// A remark says that the clock was set back.
  @Test func ambiguity_isSaid() async throws {
    let folder = try TemporaryFolder()
    let log = try await Self.log([0, 10, 20, 5, 30], in: folder)
    let found = try log.find(Self.moment(7), now: Timestamp(rawValue: 0))
    #expect(
      found.remark == "2 records before #4 have later times: the clock was set back")
    await log.close()
  }

  @Test func numbersAndAges() async throws {
    let folder = try TemporaryFolder()
    let log = try await Self.log([0, 60, 120, 180], in: folder)
    let now = Timestamp(rawValue: Self.noon + 240_000)
    func number(_ text: String) throws -> UInt64? {
      guard let place = LogPlace(text, moment: { _ in nil }) else { return nil }
      return try log.find(place, now: now).number.rawValue
    }
    let known: [(String, UInt64?)] = [
      ("start", 0), ("end", 4), ("0", 0), ("3", 3), ("-1", 3), ("-9", 0), ("-60s", 4), ("-61s", 3),
      ("-2m", 3), ("-1h", 0), ("-1y", nil), ("-", nil), ("", nil), ("-99999999999999w", nil),
    ]
    for (text, expected) in known { #expect(try number(text) == expected, "\(text)") }
    #expect(throws: LogError.damagedRecord(5, .absent)) {
      try log.find(.number(5), now: now)
    }
    // An age too great for any moment means the place before, or after, all records.
    let first = Timestamp(rawValue: .min)
    #expect(try log.find(.ago(milliseconds: .max), now: first).number.rawValue == 0)
    #expect(try log.find(.ago(milliseconds: .min), now: now).number.rawValue == 4)
    await log.close()
  }
}
