import EventStore
import Foundation
import LMDB
import TestSupport
import Testing

/// A log of notes that is compacted now and then, and a model of its records.
struct CompactedHistory {
  let folder: TemporaryFolder
  var log: Log
  /// The baseline that stands for the records up to the floor; `tail` has the texts after it.
  private(set) var baseline: [(number: UInt64, text: String)] = []
  private(set) var tail: [String] = []
  private(set) var floor: UInt64 = 0
  private var generator: SeededGenerator
  private let countMax: Int

  init(seed: UInt64, countMax: Int = 300) async throws {
    folder = try TemporaryFolder()
    log = try await Log.open(at: folder.path)
    generator = SeededGenerator(seed: seed)
    self.countMax = countMax
  }

  private var message: Comment { "seed \(generator.seed)" }

  /// All records, as number and text.
  var everything: [String] {
    let behind = tail.enumerated().map { "\(floor + 1 + UInt64($0)) \($1)" }
    return baseline.map { "\($0.number) \($0.text)" } + behind
  }

  /// Appends some notes, a few of them long.
  mutating func append() async throws {
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let texts = (0..<Int.random(in: 1...countMax, using: &generator)).map { _ in text() }
      try await log.append(
        .of(texts), durability: Bool.random(using: &generator) ? .full : .relaxed)
      tail += texts
    }
  }

  private mutating func text() -> String {
    let word = String(UInt32.random(in: 0 ... .max, using: &generator), radix: 36)
    let isLong = Int.random(in: 0..<20, using: &generator) == 0
    return isLong ? word.padded(to: Int.random(in: 100...9000, using: &generator)) : word
  }

  /// Compacts to a random floor, with a baseline of kept and of newly written records.
  mutating func compact(
    holdMax: Duration = SlicePace.holdMax, clock: @escaping @Sendable () -> Instant = { .now }
  ) async throws {
    let next = floor + UInt64.random(in: 1...UInt64(tail.count), using: &generator)
    let share = Double.random(in: 0...1, using: &generator)
    var (kept, records): ([(number: UInt64, text: String)], [BaselineRecord]) = ([], [])
    for number in 1...next {
      let known =
        number > floor
        ? tail[Int(number - floor) - 1] : baseline.first { $0.number == number }?.text
      let record = RecordNumber(rawValue: number)
      guard Double.random(in: 0..<1, using: &generator) < share else { continue }
      if let known, Bool.random(using: &generator) {
        kept.append((number, known))
        records.append(.kept(record))
      } else {
        let text = text()
        kept.append((number, text))
        records.append(.written(.note, as: record) { $0.put(1, text) })
      }
    }
    let step = Int.random(in: 1...100, using: &generator)
    let report = try await log.compact(
      through: RecordNumber(rawValue: next), holdMax: holdMax, clock: clock
    ) { [records] last in Array(records.drop { $0.number <= last }.prefix(step)) }
    #expect(report.recordCount == kept.count && report.floor.rawValue == next, message)
    tail.removeFirst(Int(next - floor))
    (baseline, floor) = (kept, next)
  }

  mutating func reopen() async throws {
    await log.close()
    log = try await Log.open(at: folder.path)
  }

  /// Returns the positions of every seventh record, from the floor.
  func positions() async throws -> [Position] {
    var positions: [Position] = []
    for number in stride(from: floor, through: floor + UInt64(tail.count), by: 7) {
      positions.append(try await log.position(at: RecordNumber(rawValue: number)))
    }
    return positions
  }

  /// Expects the log to hold each position unless it is below the floor.
  func expectPositions(_ positions: [Position]) throws {
    for position in positions {
      let isHeld = position.number.rawValue >= floor
      #expect(try log.holds(position) == isHeld, message)
    }
  }

  /// Expects every way of reading to match the model.
  func expectEverything() throws {
    #expect(try log.numberedTexts() == everything, message)
    #expect(log.floor.rawValue == floor, message)
    try log.checkInvariants()
    try log.read { snapshot in
      #expect(snapshot.last.rawValue == floor + UInt64(tail.count), message)
      for (number, text) in baseline {
        let record = try snapshot.record(RecordNumber(rawValue: number))
        #expect(record?.text == text, message)
      }
      let numbers = Set(baseline.map(\.number))
      if let gone = (1...max(floor, 1)).first(where: { $0 <= floor && !numbers.contains($0) }) {
        #expect(throws: LogError.compacted(floor: snapshot.floor), message) {
          try snapshot.record(RecordNumber(rawValue: gone))
        }
      }
    }
  }
}

extension Log {
  /// Returns the numbers and texts of all notes, read with every check.
  func numberedTexts() throws -> [String] {
    try read { snapshot throws(LogError) in
      var texts: [String] = []
      var cursor = try snapshot.records()
      while try cursor.next() { texts.append("\(cursor.number) \(cursor.record.record.text)") }
      return texts
    }
  }
}
