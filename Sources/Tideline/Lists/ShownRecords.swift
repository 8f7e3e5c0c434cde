import EventStore

/// The records of a store's log that a filter is true of, each once views show what came of it.
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

  /// Whether there is no further record yet.
  var isAtEnd: Bool { store.lastNumber < number }

  /// The next record that can be read, once there is one; `nil` where there will be none, or the
  /// task was cancelled.
  mutating func next() async -> Record? {
    while !Task.isCancelled {
      do {
        if let record = try await read() { return record }
      } catch LogError.damagedRecord {
        // The next one is read behind it.
        continue
      } catch LogError.compacted(let floor) {
        // While it was suspended for long: what came then is shown, and is no news any more.
        (records, number) = (nil, floor.advanced(by: 1))
        continue
      } catch {
        // Suspended or closed, which is so where there is nothing more as well.
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
