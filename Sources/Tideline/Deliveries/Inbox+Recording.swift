package import EventStore
import Synchronization

/// Recording on behalf of synchronization, for the current login or an earlier one.
extension Inbox {
  /// Records events in order; the receipt says when they are visible, which for a few events may be
  /// before this method returns.
  package func record(
    _ events: [any InboxEvent], for login: Login, durability: Durability
  ) throws -> Receipt {
    let circumstances = try store.circumstances(of: login)
    var batch = Batch()
    for event in events { batch.add(event, in: circumstances) }
    return try submit(batch, durability)
  }

  /// Records a delivery followed by events.
  ///
  /// A large delivery is recorded in parts: while one is written, the next waits in the log's
  /// queue. Only the last one, which has the cursors, waits until all others are in the log.
  ///
  /// - Returns: The receipt of the last part, the number of records besides those of answers, and
  ///   the objects, by their server ids, whose existence the delivery leaves open.
  package func take(
    _ delivery: Delivery, with events: [any InboxEvent] = [], for login: Login,
    durability: Durability
  ) async throws -> (receipt: Receipt, count: Int, doubtful: [ObjectName]) {
    var (batches, doubtful) = try batches(of: delivery, with: events, for: login)
    var (previous, last, count): (Receipt?, Receipt?, Int) = (nil, nil, 0)
    while let batch = batches.next() {
      try await previous?.durable()
      if batches.isEmpty { try await last?.durable() }
      (previous, last) = (last, try submit(batch, durability))
      count += batch.count - 1
    }
    guard let last else { preconditionFailure("the record of an answer is always there") }
    return (last, count, doubtful)
  }

  private func submit(_ batch: Batch, _ durability: Durability) throws -> Receipt {
    store.caretaker.note(batch.count, in: store)
    return batch.isLittle
      ? try store.core.submitAndShow(batch, durability: durability)
      : try store.core.submit(batch, durability: durability)
  }

  /// Returns the batches of a delivery, at least one, and the objects whose existence it leaves
  /// open.
  func batches(
    of delivery: Delivery, with events: [any InboxEvent] = [], for login: Login
  ) throws -> (batches: DeliveryBatches, doubtful: [ObjectName]) {
    let circumstances = try store.circumstances(of: login)
    let isLong = delivery.isLong
    return try store.intake.withLock { intake in
      try intake.batches(
        of: delivery, for: login, in: circumstances, key: store.randomness.key, with: events
      ) { body in
        try store.core.read(givingWay: isLong, body)
      }
    }
  }
}
