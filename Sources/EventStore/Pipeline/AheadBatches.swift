/// The batches that were reduced before the log's thread has written them, in the order in which it
/// is going to.
package struct AheadBatches {
  /// How many there may be; the next goes the usual way.
  ///
  /// As many come while a disk takes some milliseconds for a commit.
  package static let countMax = 512

  private struct Entry {
    /// Where the log is to end before it.
    let start: Applied
    /// Where the log is to end behind it.
    let end: Applied
    /// The bytes of the frame with it, once it is reduced.
    var bytes: Int?
  }

  /// What was found of a group that has been written.
  package struct Taken {
    /// How many of its batches were reduced ahead.
    package var count = 0
    /// Where they end.
    package var end: Applied
    /// The bytes of the frame with them.
    package var bytes = 0
  }

  private var entries: [Entry] = []

  /// No batches.
  package init() {}

  /// Whether there are none.
  package var isEmpty: Bool { entries.isEmpty }

  /// Whether no more may be reduced ahead.
  package var isFull: Bool { entries.count >= Self.countMax }

  /// Where the log is to end behind them.
  package var end: Applied? { entries.last?.end }

  /// Whether one of them ends at a record or before it.
  package func hasAny(upTo number: RecordNumber) -> Bool {
    entries.first.map { $0.end.number <= number } ?? false
  }

  /// Whether the log's thread waits for the last to be reduced.
  var isAwaited = false

  /// Whether the last is being reduced.
  private var isReducing: Bool { entries.last.map { $0.bytes == nil } ?? false }

  /// Whether so many of them are reduced, or all where there aren't as many.
  package func areReduced(first count: Int) -> Bool { !isReducing || count < entries.count }

  /// Whether the first of them is to stand right behind where the log ends.
  package func begin(behind end: Applied) -> Bool { entries.first?.start == end }

  /// Notes that a batch is going to be reduced, so that the log is to end there.
  package mutating func begin(from start: Applied, endingAt end: Applied) {
    entries.append(Entry(start: start, end: end))
  }

  /// Notes that the last is reduced.
  package mutating func reduced(bytes: Int) {
    guard isReducing else { return }
    entries[entries.count - 1].bytes = bytes
  }

  /// Notes that a frame ends behind them.
  package mutating func beginFrame() {
    for index in entries.indices where entries[index].bytes != nil { entries[index].bytes = 0 }
  }

  /// Forgets all.
  package mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

  /// How many there are.
  var count: Int { entries.count }

  /// Takes out those that have been written; `nil` where they don't stand where they were to.
  ///
  /// - Parameters:
  ///   - start: Where the log ended before what was written.
  ///   - ends: Where each batch of that ends.
  package mutating func take(from start: Applied, _ ends: [Applied]) -> Taken? {
    var taken = Taken(end: start)
    for (end, entry) in zip(ends, entries) {
      guard let bytes = entry.bytes else { break }
      guard end == entry.end else { return nil }
      taken = Taken(count: taken.count + 1, end: end, bytes: bytes)
    }
    entries.removeFirst(taken.count)
    return taken
  }
}
