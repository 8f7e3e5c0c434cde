package import EventStore

/// The batches of a delivery: each begins with the record of the response, to which its other
/// records refer.
///
/// Usually a delivery is a single batch. A very large one, such as a first response with
/// everything, is split into parts that are made on demand: one is shown while the next is written.
/// If only some of the facts are recorded, the cursor, which comes after them, is not.
package struct DeliveryBatches: Sequence, IteratorProtocol, Sendable {
  /// The maximum number of records in a batch.
  private static let countMax = 1 << 10
  /// The maximum number of records in the first batch of several: those of the second are sketched
  /// while the first is shown, so the first ones are small.
  private static let firstMax = 1 << 9
  /// The number of records in one of the last of several batches: each has half of what is left, so
  /// little is still to be shown once all are written.
  private static let lastMin = 1 << 8
  /// The size in bytes at which a batch is complete.
  private static let bytesMax = 1 << 24

  /// The events before the facts and after them.
  private let (head, tail): ([any InboxEvent], [any InboxEvent])
  private let facts: [ObjectFact]
  /// Events recorded in the same batch as a fact, by the fact's index.
  private let receipts: [Int: MessageDownloaded]
  private let circumstances: Circumstances
  private var exchange: Exchange
  private var isBegun = false
  /// The number of records with which the next batch is complete.
  private var limit: Int
  /// How many of all these events have been recorded.
  private var done = 0

  /// Creates the batches of a response's facts, with the events before and after them.
  ///
  /// - Parameter receipts: Receipts of messages, by the index of the message's fact, if a server
  ///   wants them; so a recorded fact never lacks its receipt.
  init(
    of exchange: Exchange, _ head: [any InboxEvent], _ facts: [ObjectFact],
    receipts: [Int: MessageDownloaded], _ tail: [any InboxEvent], in circumstances: Circumstances
  ) {
    (self.exchange, self.circumstances) = (exchange, circumstances)
    (self.head, self.facts, self.receipts, self.tail) = (head, facts, receipts, tail)
    let isOne = head.count + facts.count + tail.count < Self.countMax
    limit = isOne ? Self.countMax : Self.firstMax
  }

  /// Whether no batch is left.
  package var isEmpty: Bool { isBegun && done == count }

  /// The number of all events.
  private var count: Int { head.count + facts.count + tail.count }

  /// Returns the next batch; there is at least one.
  package mutating func next() -> Batch? {
    guard !isEmpty else { return nil }
    let count = count
    var batch = Batch()
    let coming = facts.dropFirst(Swift.max(done - head.count, 0)).prefix(limit)
    batch.reserveCapacity(
      events: coming.count + 1, payloadBytes: coming.reduce(0) { $0 + $1.fields.byteCount })
    batch.add(exchange, in: circumstances)
    (isBegun, exchange.unchanged) = (true, [])
    // A fact may come with one more record.
    while done < count, batch.count + 1 < limit, batch.byteCount < Self.bytesMax {
      addNext(to: &batch)
      done += 1
    }
    limit = Swift.min(limit * 2, Self.countMax, Swift.max((count - done) / 2, Self.lastMin))
    return batch
  }

  private func addNext(to batch: inout Batch) {
    let place = done - head.count
    guard place >= facts.count || place < 0 else { return addFact(at: place, to: &batch) }
    let event: any InboxEvent = place < 0 ? head[done] : tail[place - facts.count]
    add(event, to: &batch)
  }

  private func addFact(at place: Int, to batch: inout Batch) {
    let fact = facts[place]
    let isAdded = add(fact, to: &batch)
    if isAdded, let receipt = receipts[place] { record(receipt, in: &batch) }
  }

  /// Adds an event or, if no record can hold it, its refusal; returns whether the event was added.
  @discardableResult
  private func add(_ event: some InboxEvent, to batch: inout Batch) -> Bool {
    record(event, in: &batch)
    guard batch.longestPayload > Log.payloadBytesMax else { return true }
    batch.takeBackLast()
    let refusal = ItemRefused {
      $0.objectClass = event.entity?.objectClass
      $0.id = event.entity.flatMap { $0.id.utf8.count <= Self.idBytesMax ? $0.id : nil }
      $0.reason = "It exceeds the limit of \(Log.payloadBytesMax) bytes."
    }
    record(refusal, in: &batch)
    return false
  }

  private func record(_ event: some InboxEvent, in batch: inout Batch) {
    batch.add(event, in: circumstances, exchange: .sameBatch(0))
  }

  /// The maximum size in bytes of an id that a refusal repeats.
  private static let idBytesMax = 1 << 10
}
