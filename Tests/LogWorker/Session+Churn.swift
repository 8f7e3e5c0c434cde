import EventStore
import TestSupport

extension Session {
  /// `churn SEED`: appends notes of their own numbers, compacts and erases, and prints the last
  /// number after each batch, until the process is killed.
  static func churn(_ words: [String], _ log: Log) async throws -> String {
    var generator = SeededGenerator(seed: UInt64(words[0]) ?? 0)
    while true {
      let last = try log.last
      let count = Int.random(in: 1...40, using: &generator)
      let texts = (1...count).map { "n\(last.advanced(by: $0))".padded(to: $0 % 9 == 0 ? 3000 : 0) }
      tell("\(try await log.append(.of(texts)).upperBound)")
      do {
        if Bool.random(using: &generator) { try await compact(log, &generator) }
        if Bool.random(using: &generator) { try await erase(in: log, &generator) }
      } catch LogError.busy {
        // An interrupted operation is still being completed.
      }
    }
  }

  private static func compact(_ log: Log, _ generator: inout SeededGenerator) async throws {
    let (old, last) = (log.floor, try log.last)
    guard old < last else { return }
    let floor = RecordNumber(
      rawValue: .random(in: old.rawValue + 1...last.rawValue, using: &generator))
    let kept = try log.read { snapshot in
      var kept: [BaselineRecord] = []
      var cursor = try snapshot.records()
      while try cursor.next(), cursor.number <= floor {
        if cursor.number.rawValue % 5 != 0 { kept.append(.kept(cursor.number)) }
      }
      return kept
    }
    try await log.compact(through: floor) { last in
      Array(kept.drop { $0.number <= last }.prefix(50))
    }
  }

  private static func erase(in log: Log, _ generator: inout SeededGenerator) async throws {
    let last = try log.last.rawValue
    let first = RecordNumber(rawValue: .random(in: 1...last, using: &generator))
    try await log.erase(Erasure(numbers: [first...first.advanced(by: 3)]))
  }
}
