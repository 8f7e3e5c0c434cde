import EventStore

/// The records in a store's log that match a filter, each once the views reflect it.
struct ShownRecords {
  private let store: InboxStore
  private let wakeup: Wakeup
  private let filter: RecordFilter
  private var number: RecordNumber
  private var records: RecordSequence.Iterator?

  init(
    of store: InboxStore, from first: RecordNumber, matching filter: RecordFilter = RecordFilter()
  ) {
    (self.store, self.filter) = (store, filter)
    wakeup = Wakeup(of: store)
    number = first
  }

  /// Whether no further record exists yet.
  var isAtEnd: Bool { store.lastNumber < number }

  /// Waits for the next readable record; returns `nil` if none can follow or the task is cancelled.
  mutating func next() async -> Record? {
    while !Task.isCancelled {
      do {
        if let record = try await read() { return record }
      } catch LogError.damagedRecord {
        // Continue with the record after the damaged one.
        continue
      } catch LogError.compacted(let floor) {
        // The store was suspended for long. The views show what the skipped records did; it is not
        // news.
        (records, number) = (nil, floor.advanced(by: 1))
        continue
      } catch {
        // The store is suspended, or closed, for an erasure or for good; wait, as at the log's end.
      }
      records = nil
      guard !Task.isCancelled, await wakeup.wait() else { return nil }
    }
    return nil
  }

  private mutating func read() async throws -> Record? {
    let log = try store.core.log
    var iterator = records ?? log.records(from: number, matching: filter).makeAsyncIterator()
    defer { records = iterator }
    guard let record = try await iterator.next() else { return nil }
    try await store.core.show(upTo: record.number)
    number = record.number.advanced(by: 1)
    return record
  }
}
