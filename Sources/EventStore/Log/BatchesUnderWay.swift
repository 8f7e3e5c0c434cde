import Synchronization

/// Batches that lists may show and nobody can read in the log yet, so that what their rows refer to
/// can be read at once.
final class BatchesUnderWay: Sendable {
  private struct Entry {
    let first: RecordNumber
    let batch: Batch

    /// The number behind its last record.
    var end: RecordNumber { first.advanced(by: batch.count) }
  }

  /// The batches, in the order of their numbers.
  private let entries = Mutex<[Entry]>([])

  /// Notes batches that are going to stand in the log one behind the other, in place of whatever
  /// was thought to stand there.
  ///
  /// Those who submit are let in between two of them.
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
    // Most often it is behind all others, or there already.
    if end - place == 1, entries[place].first == entry.first, entries[place].end == entry.end {
      entries[place] = entry
    } else {
      entries.replaceSubrange(place..<end, with: CollectionOfOne(entry))
    }
  }

  /// Forgets those that can be read by now.
  ///
  /// Their memory is freed when nobody who submits can be waiting for that.
  func committed(upTo last: RecordNumber) {
    let gone = entries.withLock { entries in
      let count = entries.lowerBound(where: { $0.first <= last })
      defer { entries.removeFirst(count) }
      return Array(entries.prefix(count))
    }
    withExtendedLifetime(gone) {}
  }

  /// Forgets all, as what was being written did not get into the log.
  func failed() { entries.withLock { $0 = [] } }

  /// Calls `body` with the payload of a record that is under way; `nil` where it isn't.
  func withPayload<R>(of number: RecordNumber, _ body: (RawSpan) -> R) -> R? {
    entry(of: number).map { $0.batch.withPayload(at: $0.first.distance(to: number), body) }
  }

  /// A record that is under way; `nil` where it isn't.
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
