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

  private struct Shelf {
    /// The batches, in the order of their numbers.
    var entries: [Entry] = []
    /// Room for batches, where there were some that were let go.
    var spare: [Entry] = []

    /// Puts a batch in its place; most often it is behind all others, or there already.
    mutating func put(_ entry: Entry) {
      let place = entries.firstIndex(notBefore: { $0.end <= entry.first })
      let end = entries.firstIndex(notBefore: { $0.first < entry.end })
      if end - place == 1, entries[place].first == entry.first, entries[place].end == entry.end {
        entries[place] = entry
      } else {
        entries.replaceSubrange(place..<end, with: CollectionOfOne(entry))
      }
    }

    /// Takes out what begins up to a record.
    mutating func take(upTo last: RecordNumber) -> [Entry] {
      let count = entries.firstIndex(notBefore: { $0.first <= last })
      spare.append(contentsOf: entries[count...])
      entries.removeLast(entries.count - count)
      swap(&entries, &spare)
      defer { spare = [] }
      return spare
    }
  }

  private let shelf = Mutex(Shelf())

  /// Notes batches that are going to stand in the log one behind the other, in place of whatever
  /// was thought to stand there.
  ///
  /// Those who submit are let in between two of them.
  func note(_ batches: some Sequence<Batch>, from first: RecordNumber) {
    var next = first
    for batch in batches {
      let entry = Entry(first: next, batch: batch)
      next = entry.end
      shelf.withLock { $0.put(entry) }
    }
  }

  /// Forgets those that can be read by now.
  ///
  /// They are let go when nobody who submits can be waiting for it.
  func committed(upTo last: RecordNumber) {
    var gone = shelf.withLock { $0.take(upTo: last) }
    gone.removeAll(keepingCapacity: gone.count <= Self.spareMax)
    shelf.withLock { $0.spare = gone }
  }

  /// Forgets all, as what was being written did not get into the log.
  func failed() { shelf.withLock { $0 = Shelf() } }

  /// For how many batches room is kept.
  private static let spareMax = 1024

  /// Calls `body` with the payload of a record that is under way; `nil` where it isn't.
  func withPayload<R>(of number: RecordNumber, _ body: (RawSpan) -> R) -> R? {
    let found = shelf.withLock { $0.entries.last { $0.first <= number && number < $0.end } }
    return found.map { $0.batch.withPayload(at: $0.first.distance(to: number), body) }
  }
}
