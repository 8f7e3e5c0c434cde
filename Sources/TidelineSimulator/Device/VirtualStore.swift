package import EventStore
package import Tideline

/// A device's storage in memory.
///
/// Writes are visible at once and durable later; a crash loses those that are not durable.
package final class VirtualStore {
  /// The properties of the medium.
  private enum Medium {
    static let fullDelay = 1...20
    static let relaxedDelay = 1...120
  }

  private let secrets: Dice
  private var memory: MemoryStore
  private var batches: [Batch] = []
  /// The number of each batch's first record.
  private var starts: [RecordNumber] = []
  /// The number of durable batches.
  package private(set) var durableCount = 0
  /// The number of times the store was opened.
  package private(set) var openings = 1

  /// Creates an empty store.
  package init(seed: UInt64) throws(StoreError) {
    secrets = Dice(seed: seed)
    memory = try Self.open([], secrets)
  }

  private static func open(_ batches: [Batch], _ secrets: Dice) throws(StoreError) -> MemoryStore {
    var secrets = secrets
    let memory = try MemoryStore(InboxReducer(), using: &secrets)
    for batch in batches { try memory.append(batch) }
    return memory
  }

  /// The number of batches written.
  package var count: Int { batches.count }

  /// The visible state.
  package var views: StoreSnapshot { memory.views }

  /// The last record.
  package var last: RecordNumber { memory.last }

  /// A mark of the rows and views together.
  package var mark: FrameMark { memory.mark }

  /// The refused events.
  package var refused: [RefusedEvent] { memory.refused }

  /// The function that computes the fingerprint by which a record names its subject.
  package var fingerprint: @Sendable (String) -> Fingerprint { memory.fingerprint }

  /// Writes records and returns their numbers.
  @discardableResult
  package func append(_ batch: Batch) throws(StoreError) -> ClosedRange<RecordNumber> {
    let numbers = try memory.append(batch)
    batches.append(batch)
    starts.append(numbers.lowerBound)
    return numbers
  }

  /// Returns the time until a write is durable.
  package static func delay(_ durability: Durability, _ dice: inout Dice) -> Duration {
    switch durability {
    case .full: dice.milliseconds(Medium.fullDelay)
    default: dice.milliseconds(Medium.relaxedDelay)
    }
  }

  /// Makes the first batches durable.
  package func flush(through count: Int) {
    durableCount = max(durableCount, min(count, self.count))
  }

  /// Whether a record is durable.
  package func hasFlushed(_ number: RecordNumber) -> Bool {
    durableCount == count || number < starts[durableCount]
  }

  /// Loses the batches that are not durable, and reopens with the others.
  ///
  /// - Complexity: O(*n* log *n*) in the records, which are all folded.
  package func crash() throws(StoreError) {
    batches.removeLast(count - durableCount)
    starts.removeLast(starts.count - durableCount)
    memory = try Self.open(batches, secrets)
    openings += 1
  }

  /// Makes all batches durable, and reopens the store.
  package func suspend() {
    flush(through: count)
    openings += 1
  }

  /// Folds the same records anew, each in a batch of its own.
  package func folded() throws(StoreError) -> MemoryStore {
    let memory = try Self.open([], secrets)
    for (batch, start) in zip(batches, starts) {
      try batch.forEach(from: start) { (record) throws(StoreError) in
        var single = Batch()
        single.add(Event(record.header), payload: record.payload)
        try memory.append(single)
      }
    }
    return memory
  }

  /// Checks all invariants of the rows and views.
  package func checkInvariants() throws(StoreError) { try memory.checkInvariants() }

  /// Calls `body` with each written record.
  package func forEachRecord(_ body: (borrowing RecordView) -> Void) {
    for (batch, start) in zip(batches, starts) { batch.forEach(from: start, body) }
  }

  /// Returns the event of a record, if there is one.
  ///
  /// - Complexity: O(log *n*), and O(records of its batch)
  package func event(_ number: RecordNumber) -> (any InboxEvent)? {
    var event: (any InboxEvent)?
    withRecord(number) { event = try? EventCatalog.event(of: $0) }
    return event
  }

  /// Returns the login of a record.
  func login(of number: RecordNumber) -> Login? {
    var login: Login?
    withRecord(number) { login = $0.header.login }
    return login
  }

  private func withRecord(
    _ number: RecordNumber, _ body: (borrowing RecordView) -> Void
  ) {
    let next = starts.lowerBound(where: { $0 <= number })
    guard next > 0 else { return }
    batches[next - 1].forEach(from: starts[next - 1]) { record in
      if record.number == number { body(record) }
    }
  }
}
