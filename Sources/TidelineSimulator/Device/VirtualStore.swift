package import EventStore
package import Tideline

/// A device's storage in memory: what is written is seen at once, is durable some time later, and
/// is gone with a crash before.
package final class VirtualStore {
  /// What of it is on the medium.
  private enum Medium {
    static let fullDelay = 1...20
    static let relaxedDelay = 1...120
  }

  private let secrets: Dice
  private var memory: MemoryStore
  private var batches: [Batch] = []
  /// The number of the first record of each batch.
  private var starts: [RecordNumber] = []
  /// How many batches are durable.
  package private(set) var durableCount = 0
  /// How often it was opened.
  package private(set) var openings = 1

  /// An empty one.
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

  /// How many batches were written.
  package var count: Int { batches.count }

  /// What is shown.
  package var views: StoreSnapshot { memory.views }

  /// The last record.
  package var last: RecordNumber { memory.last }

  /// What rows and views are together.
  package var mark: FrameMark { memory.mark }

  /// The events that were refused.
  package var refused: [RefusedEvent] { memory.refused }

  /// By what a record names what it is about.
  package var fingerprint: @Sendable (String) -> Fingerprint { memory.fingerprint }

  /// Writes records; returns their numbers.
  @discardableResult
  package func append(_ batch: Batch) throws(StoreError) -> ClosedRange<RecordNumber> {
    let numbers = try memory.append(batch)
    batches.append(batch)
    starts.append(numbers.lowerBound)
    return numbers
  }

  /// After how long what was written is durable.
  package static func delay(_ durability: Durability, _ dice: inout Dice) -> Duration {
    switch durability {
    case .full: dice.milliseconds(Medium.fullDelay)
    default: dice.milliseconds(Medium.relaxedDelay)
    }
  }

  /// Has the first batches be durable.
  package func flush(through count: Int) {
    durableCount = max(durableCount, min(count, self.count))
  }

  /// Whether a record is on the medium.
  package func hasFlushed(_ number: RecordNumber) -> Bool {
    durableCount == count || number < starts[durableCount]
  }

  /// Loses what is not durable, and begins anew with what is.
  ///
  /// - Complexity: O(*n* log *n*) in the records, which are all folded.
  package func crash() throws(StoreError) {
    batches.removeLast(count - durableCount)
    starts.removeLast(starts.count - durableCount)
    memory = try Self.open(batches, secrets)
    openings += 1
  }

  /// The same records, folded anew.
  package func folded() throws(StoreError) -> MemoryStore { try Self.open(batches, secrets) }

  /// Checks everything that must hold of rows and views.
  package func checkInvariants() throws(StoreError) { try memory.checkInvariants() }

  /// Calls `body` with each record that was written.
  package func forEachRecord(_ body: (borrowing RecordView) -> Void) {
    for (batch, start) in zip(batches, starts) { batch.forEach(from: start, body) }
  }

  /// The event of a record, if there is such a one.
  ///
  /// - Complexity: O(log *n*), and O(records of its batch)
  package func event(_ number: RecordNumber) -> (any InboxEvent)? {
    var event: (any InboxEvent)?
    withRecord(number) { event = try? EventCatalog.event(of: $0) }
    return event
  }

  /// Under which login a record was written.
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
