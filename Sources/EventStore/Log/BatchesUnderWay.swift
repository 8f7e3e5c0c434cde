import Synchronization

/// Batches that lists may show before they can be read in the log, held so that references from
/// their rows can be resolved at once.
final class BatchesUnderWay: Sendable {
  private struct Entry {
    let first: RecordNumber
    let batch: Batch

    /// The number after its last record.
    var end: RecordNumber { first.advanced(by: batch.count) }
  }

  /// The batches, in number order.
  private let entries = Mutex<[Entry]>([])

  /// Adds batches that will follow each other in the log, replacing whatever was expected there.
  ///
  /// Submitters get a turn between two of them.
  func note(_ batches: some Sequence<Batch>, from first: RecordNumber) {
    var next = first
    for batch in batches {
      let entry = Entry(first: next, batch: batch)
      next = entry.end
      entries.withLock { Self.put(entry, into: &$0) }
    }
  }

  private static func put(_ entry: Entry, into entries: inout [Entry]) {
    let place = entries.lowerBound(where: { $0.end <= entry.first })
    let end = entries.lowerBound(where: { $0.first < entry.end })
    // The usual case is that it comes last, or is already there.
    if end - place == 1, entries[place].first == entry.first, entries[place].end == entry.end {
      entries[place] = entry
    } else {
      entries.replaceSubrange(place..<end, with: CollectionOfOne(entry))
    }
  }

  /// Removes the batches that can now be read in the log.
  ///
  /// Frees their memory outside the lock, so that no submitter waits for that.
  func committed(upTo last: RecordNumber) {
    let gone = entries.withLock { entries in
      let count = entries.lowerBound(where: { $0.first <= last })
      defer { entries.removeFirst(count) }
      return Array(entries.prefix(count))
    }
    withExtendedLifetime(gone) {}
  }

  /// Removes all batches, because what was being written did not reach the log.
  func failed() { entries.withLock { $0 = [] } }

  /// Calls `body` with the payload of a record under way; returns `nil` if it isn't under way.
  func withPayload<R>(of number: RecordNumber, _ body: (RawSpan) -> R) -> R? {
    entry(of: number).map { $0.batch.withPayload(at: $0.first.distance(to: number), body) }
  }

  /// Returns a record under way, or `nil` if it isn't under way.
  func record(_ number: RecordNumber) -> Record? {
    entry(of: number).map { $0.batch.record(at: $0.first.distance(to: number), from: $0.first) }
  }

  private func entry(of number: RecordNumber) -> Entry? {
    entries.withLock { entries in
      let place = entries.lowerBound(where: { $0.end <= number })
      return place < entries.count && entries[place].first <= number ? entries[place] : nil
    }
  }
}
