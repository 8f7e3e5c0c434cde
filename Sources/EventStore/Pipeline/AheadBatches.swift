/// The batches that are reduced but not yet written by the log's thread, in the order in which it
/// will write them, or that are written but still being reduced.
package struct AheadBatches {
  /// The maximum number of batches; the next one goes the usual way.
  ///
  /// This many arrive while a disk takes some milliseconds for a commit.
  package static let countMax = 512

  private struct Entry {
    /// The expected end of the log before the batch.
    let start: LogPoint
    /// The expected end of the log after the batch.
    let end: LogPoint
    /// The bytes of the frame including the batch, once it is reduced.
    var bytes: Int?
    /// Whether the log's thread has written the batch where expected: it is then the only entry, as
    /// it is still being reduced, and no other begins after it until it is.
    var isWritten = false
  }

  /// The result of matching a group that has been written.
  package struct Taken {
    /// The number of its batches that were reduced ahead, or are being reduced.
    package var count = 0
    /// The end of those batches.
    package var end: LogPoint
    /// The end of those that are reduced, with the frame's bytes; `nil` if none is.
    package var reduced: Reduced?
  }

  /// Batches that are reduced and written.
  package struct Reduced {
    /// Their last record.
    package let last: RecordNumber
    /// The bytes of the frame including them.
    package let bytes: Int
  }

  private var entries: [Entry] = []

  /// Creates an empty list.
  package init() {}

  /// Whether there are no batches.
  package var isEmpty: Bool { entries.isEmpty }

  /// Whether no more batches may be reduced ahead.
  package var isFull: Bool { entries.count >= Self.countMax }

  /// The expected end of the log after the batches.
  package var end: LogPoint? { entries.last?.end }

  /// Whether any batch ends at or before a record.
  package func hasAny(upTo number: RecordNumber) -> Bool {
    entries.first.map { $0.end.number <= number } ?? false
  }

  /// Whether the last batch is still being reduced.
  private var isReducing: Bool { entries.last.map { $0.bytes == nil } ?? false }

  /// Whether a group with this end was already reported: the first batch begins right after it, or
  /// is a written one that ends there.
  package func know(endingAt end: LogPoint) -> Bool {
    entries.first.map { $0.start == end || $0.isWritten && $0.end == end } ?? false
  }

  /// Adds a batch that is about to be reduced, with the expected end of the log.
  package mutating func begin(from start: LogPoint, endingAt end: LogPoint) {
    entries.append(Entry(start: start, end: end))
  }

  /// Notes that the last batch is reduced; if it was written before that, removes and returns it.
  package mutating func reduced(bytes: Int) -> Reduced? {
    guard isReducing, let last = entries.last else { return nil }
    guard last.isWritten else {
      entries[entries.count - 1].bytes = bytes
      return nil
    }
    entries.removeLast()
    return Reduced(last: last.end.number, bytes: bytes)
  }

  /// Notes that a frame ends after the reduced batches.
  package mutating func beginFrame() {
    for index in entries.indices where entries[index].bytes != nil { entries[index].bytes = 0 }
  }

  /// Removes all batches.
  package mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

  /// The number of batches that have not been written.
  package var unwrittenCount: Int { entries.last?.isWritten == true ? 0 : entries.count }

  /// Takes out the batches that are written and reduced, or returns `nil` if they are not where
  /// they were expected.
  ///
  /// A batch that is still being reduced stays until it is done.
  ///
  /// - Parameters:
  ///   - start: The end of the log before what was written.
  ///   - ends: The end of each batch written.
  package mutating func take(from start: LogPoint, _ ends: [LogPoint]) -> Taken? {
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
