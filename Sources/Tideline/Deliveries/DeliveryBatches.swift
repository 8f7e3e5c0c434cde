package import EventStore

/// The batches of what a server has told: each begins with the record of the answer, which the
/// others in it refer to.
///
/// Nearly always it is one. Of very much, such as of a first answer with all there is, each is a
/// part, and made when it is asked for: one is shown while the next is written. If only some of the
/// facts are recorded, the cursor, which comes behind them, is not.
package struct DeliveryBatches: Sequence, IteratorProtocol, Sendable {
  /// How many records go together at most.
  private static let countMax = 1 << 10
  /// How many bytes have to be there for another batch to be begun.
  private static let bytesMax = 1 << 24

  /// What stands before the facts and behind them.
  private let (head, tail): ([any InboxEvent], [any InboxEvent])
  private let facts: [ObjectFact]
  /// What is recorded with a fact, in the same batch, by the fact's place.
  private let receipts: [Int: MessageDownloaded]
  private let circumstances: Circumstances
  private var exchange: Exchange
  private var isBegun = false
  /// How much of all that has been recorded.
  private var done = 0

  /// The batches of an answer's facts, with what comes before and behind them.
  ///
  /// - Parameter receipts: That a message was received, by the place of its fact, where a server
  ///   is to be told: so a fact that is there never lacks that.
  init(
    of exchange: Exchange, _ head: [any InboxEvent], _ facts: [ObjectFact],
    receipts: [Int: MessageDownloaded], _ tail: [any InboxEvent], in circumstances: Circumstances
  ) {
    (self.exchange, self.circumstances) = (exchange, circumstances)
    (self.head, self.facts, self.receipts, self.tail) = (head, facts, receipts, tail)
  }

  /// The next of them: there is at least one.
  package mutating func next() -> Batch? {
    let count = head.count + facts.count + tail.count
    guard done < count || !isBegun else { return nil }
    var batch = Batch()
    batch.add(exchange, in: circumstances)
    (isBegun, exchange.unchanged) = (true, [])
    // A fact may come with one record more.
    while done < count, batch.count + 1 < Self.countMax, batch.byteCount < Self.bytesMax {
      addNext(to: &batch)
      done += 1
    }
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

  /// Adds an event, or, of what no record holds, that it is refused; returns whether it was added.
  @discardableResult
  private func add(_ event: some InboxEvent, to batch: inout Batch) -> Bool {
    record(event, in: &batch)
    guard batch.longestPayload > Log.payloadBytesMax else { return true }
    batch.takeBackLast()
    let refusal = ItemRefused {
      $0.objectClass = event.entity?.objectClass
      $0.id = event.entity.flatMap { $0.id.utf8.count <= Self.idBytesMax ? $0.id : nil }
      $0.reason = "It is over the limit of \(Log.payloadBytesMax) bytes."
    }
    record(refusal, in: &batch)
    return false
  }

  private func record(_ event: some InboxEvent, in batch: inout Batch) {
    batch.add(event, in: circumstances, exchange: .sameBatch(0))
  }

  /// The bytes of an id that is named of what is refused.
  private static let idBytesMax = 1 << 10
}
