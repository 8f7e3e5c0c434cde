import BenchmarkHarness
import BenchmarkPeers
import EventStore
import LMDB

/// Stores that contain mail.
enum MailStore {
  /// The number of batches in flight while the next is made.
  static let inFlight = 6

  static func open(
    _ folder: String, _ reducer: MailReducer = MailReducer()
  ) async throws -> Store {
    var options = Store.Options()
    options.log.mapSize = 1 << 30
    options.viewsMapSize = 1 << 30
    return try await Store.open(at: folder, reducer: reducer, options: options)
  }

  /// Returns a batch of items.
  static func batch(_ mailbox: Mailbox, _ numbers: Range<Int>, _ payload: MailPayload) -> Batch {
    var batch = Batch()
    batch.reserveCapacity(
      events: numbers.count, payloadBytes: numbers.count * MailPayload.size)
    for number in numbers {
      unsafe withUnsafeTemporaryAllocation(byteCount: MailPayload.size, alignment: 8) { bytes in
        unsafe payload.write(mailbox[number], to: bytes)
        let event = Event(
          kind: MailReducer.put, recordedAt: Timestamp(rawValue: 1_700_000_000_000))
        unsafe batch.add(event, payload: bytes.bytes)
      }
    }
    return batch
  }

  /// Returns a batch that marks one item.
  static func mark(_ item: MailItem, isUnread: Bool) -> Batch {
    var batch = Batch()
    let event = Event(kind: MailReducer.mark, recordedAt: Timestamp(rawValue: 1_700_000_000_000))
    batch.add(event) { writer in
      writer.put(1, String(decoding: item.id.text, as: UTF8.self))
      writer.put(2, isUnread)
    }
    return batch
  }

  /// Returns a batch that changes one item in place.
  static func edit(_ item: MailItem) -> Batch {
    var batch = Batch()
    let event = Event(kind: MailReducer.edit, recordedAt: Timestamp(rawValue: 1_700_000_000_000))
    batch.add(event) { $0.put(1, String(decoding: item.id.text, as: UTF8.self)) }
    return batch
  }

  /// A batch of one event that marks all items.
  static var markAll: Batch { bare(MailReducer.markAll) }

  /// A batch of one event that marks all items one by one.
  static var markEach: Batch { bare(MailReducer.markEach) }

  /// A batch of one event that changes nothing.
  static var probe: Batch { bare(MailReducer.probe) }

  private static func bare(_ kind: EventKind) -> Batch {
    var batch = Batch()
    batch.add(Event(kind: kind, recordedAt: Timestamp(rawValue: 1_700_000_000_000))) { _ in
    }
    return batch
  }

  /// Creates a closed store with a mailbox in a new folder, and returns the folder.
  static func filled(
    _ mailbox: Mailbox, in parent: String, _ reducer: MailReducer = MailReducer()
  ) async throws -> String {
    let folder = try TemporaryFolder.made(in: parent, "store-\(mailbox.count)")
    let store = try await open(folder, reducer)
    try await fill(store, mailbox)
    await store.close()
    return folder
  }

  /// Appends all items of a mailbox.
  static func fill(_ store: Store, _ mailbox: Mailbox) async throws {
    let payload = MailPayload()
    var receipts: [Receipt] = []
    for (index, numbers) in MailSizes.batches(mailbox.count).enumerated() {
      receipts.append(try store.submit(batch(mailbox, numbers, payload)))
      if index >= inFlight { try await receipts[index - inFlight].durable() }
    }
    for receipt in receipts.suffix(inFlight) { try await receipt.durable() }
    try await store.commitViews()
  }
}
