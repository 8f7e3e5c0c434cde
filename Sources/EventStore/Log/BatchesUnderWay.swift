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

  private let entries = Mutex<[Entry]>([])

  /// Notes batches that are going to stand in the log one behind the other, in place of whatever
  /// was thought to stand there.
  func note(_ batches: some Sequence<Batch>, from first: RecordNumber) {
    entries.withLock { entries in
      var next = first
      for batch in batches {
        let entry = Entry(first: next, batch: batch)
        next = entry.end
        Self.put(entry, into: &entries)
      }
    }
  }

  private static func put(_ entry: Entry, into entries: inout [Entry]) {
    // Most often it is behind all others.
    if let last = entries.last, last.end > entry.first {
      entries.removeAll { $0.first < entry.end && entry.first < $0.end }
      let place = entries.firstIndex { $0.first >= entry.end } ?? entries.endIndex
      entries.insert(entry, at: place)
    } else {
      entries.append(entry)
    }
  }

  /// Forgets those that can be read by now.
  func committed(upTo last: RecordNumber) {
    entries.withLock { $0.removeAll { $0.first <= last } }
  }

  /// Forgets all, as what was being written did not get into the log.
  func failed() { entries.withLock { $0 = [] } }

  /// Calls `body` with the payload of a record that is under way; `nil` where it isn't.
  func withPayload<R>(of number: RecordNumber, _ body: (RawSpan) -> R) -> R? {
    let found = entries.withLock { $0.last { $0.first <= number && number < $0.end } }
    return found.map { $0.batch.withPayload(at: $0.first.distance(to: number), body) }
  }
}
