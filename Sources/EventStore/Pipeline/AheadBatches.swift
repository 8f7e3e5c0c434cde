/// The batches that are reduced and not written by the log's thread, in the order in which it is
/// going to, or that are written and being reduced.
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
    /// Whether the log's thread has written it where it was to stand: then it is the only one, as
    /// it is being reduced still, and none begins behind it before it is.
    var isWritten = false
  }

  /// What was found of a group that has been written.
  package struct Taken {
    /// How many of its batches were reduced ahead, or are being reduced.
    package var count = 0
    /// Where they end.
    package var end: Applied
    /// Where those end that are reduced, and the bytes of the frame with them; `nil` where none is.
    package var reduced: Reduced?
  }

  /// What is reduced and written.
  package struct Reduced {
    /// Its last record.
    package let last: RecordNumber
    /// The bytes of the frame with it.
    package let bytes: Int
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

  /// Whether the last is being reduced.
  private var isReducing: Bool { entries.last.map { $0.bytes == nil } ?? false }

  /// Whether what ends there was told of before: the first of them stands right behind it, or is
  /// what ends there.
  package func know(endingAt end: Applied) -> Bool {
    entries.first.map { $0.start == end || $0.isWritten && $0.end == end } ?? false
  }

  /// Notes that a batch is going to be reduced, so that the log is to end there.
  package mutating func begin(from start: Applied, endingAt end: Applied) {
    entries.append(Entry(start: start, end: end))
  }

  /// Notes that the last is reduced; what is returned was written before that, and is no longer
  /// among them.
  package mutating func reduced(bytes: Int) -> Reduced? {
    guard isReducing, let last = entries.last else { return nil }
    guard last.isWritten else {
      entries[entries.count - 1].bytes = bytes
      return nil
    }
    entries.removeLast()
    return Reduced(last: last.end.number, bytes: bytes)
  }

  /// Notes that a frame ends behind them.
  package mutating func beginFrame() {
    for index in entries.indices where entries[index].bytes != nil { entries[index].bytes = 0 }
  }

  /// Forgets all.
  package mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

  /// How many there are that have not been written.
  package var unwrittenCount: Int { entries.last?.isWritten == true ? 0 : entries.count }

  /// Takes out those that have been written and are reduced; `nil` where they don't stand where
  /// they were to.
  ///
  /// One that is being reduced stays until it is.
  ///
  /// - Parameters:
  ///   - start: Where the log ended before what was written.
  ///   - ends: Where each batch of that ends.
  package mutating func take(from start: Applied, _ ends: [Applied]) -> Taken? {
    var taken = Taken(end: start)
    guard unwrittenCount > 0 else { return taken }
    var reducedCount = 0
    for (end, place) in zip(ends, entries.indices) {
      let entry = entries[place]
      guard end == entry.end else { return nil }
      (taken.count, taken.end) = (taken.count + 1, end)
      guard let bytes = entry.bytes else {
        entries[place].isWritten = true
        break
      }
      reducedCount += 1
      taken.reduced = Reduced(last: end.number, bytes: bytes)
    }
    entries.removeFirst(reducedCount)
    return taken
  }
}
