import EventStore
import PowerLossSupport

/// An author appends batches, and tracks those not yet promised to the user.
struct Author: Sendable {
  let number: Int
  private var batchCount = 0
  private var unpromised: [(last: RecordNumber, promise: Promise)] = []

  init(_ number: Int) { self.number = number }

  /// Appends the next batch, and returns the number of its last record.
  mutating func append(to log: Log, _ durability: Durability) async throws -> RecordNumber {
    let count = 1 + (number * 5 + batchCount * 3) % 7
    var batch = Batch()
    for index in 0..<count {
      Note(author: number, batch: batchCount, index: index, count: count).add(to: &batch)
    }
    let numbers = try await log.append(batch, durability: durability)
    let promise = Promise.batch(
      numbers.lowerBound, count: count, author: number, batch: batchCount)
    unpromised.append((numbers.upperBound, promise))
    batchCount += 1
    return numbers.upperBound
  }

  /// Promises the author's batches that end at or before `last`.
  mutating func promise(upTo last: RecordNumber, _ acknowledge: Acknowledgement) throws {
    for entry in unpromised where entry.last <= last {
      try acknowledge(entry.promise.description)
    }
    unpromised.removeAll { $0.last <= last }
  }
}
