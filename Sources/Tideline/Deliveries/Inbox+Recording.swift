package import EventStore
import Synchronization

/// What synchronization records of a login, whether it is the present one or not.
extension Inbox {
  /// Records events, in this order; they can be seen once the receipt says so, which for a few may
  /// be before this returns.
  package func record(
    _ events: [any InboxEvent], for login: Login, durability: Durability
  ) throws -> Receipt {
    let circumstances = try store.circumstances(of: login)
    var batch = Batch()
    for event in events { batch.add(event, in: circumstances) }
    return try submit(batch, durability)
  }

  /// Takes in what a server has told, with events behind it; returns the receipt of the last, how
  /// many records there are besides those of answers, and the objects of which it leaves open
  /// whether they are there, by their ids at the server.
  ///
  /// Of very much each part is made while that before it is being written, and submitted once that
  /// is in the log, while it is being shown.
  package func take(
    _ delivery: Delivery, with events: [any InboxEvent] = [], for login: Login,
    durability: Durability
  ) async throws -> (receipt: Receipt, count: Int, doubtful: [ObjectName]) {
    let (batches, doubtful) = try batches(of: delivery, with: events, for: login)
    var (last, count): (Receipt?, Int) = (nil, 0)
    for batch in batches {
      try await last?.durable()
      last = try submit(batch, durability)
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

  /// What is recorded of a delivery, at least one batch; and the objects of which it leaves open
  /// whether they are there.
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
