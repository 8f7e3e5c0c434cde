package import EventStore
package import Tideline

/// A device's storage in memory.
///
/// Writes are visible at once and durable later; a crash loses those that are not durable. The log
/// can be compacted; what it once contained is remembered for checks.
package final class VirtualStore {
  /// The properties of the medium.
  private enum Medium {
    static let fullDelay = 1...20
    static let relaxedDelay = 1...120
  }

  /// What replaces the first batches.
  private struct Baseline {
    /// The number of batches that it replaces.
    var batchCount = 0
    /// The last record that was compacted away.
    var floor = RecordNumber.zero
    /// The records, in ascending order.
    var records: [Record] = []
  }

  private let secrets: Dice
  private var memory: MemoryStore
  /// All batches, also those that were compacted away.
  private var batches: [Batch] = []
  /// The number of each batch's first record.
  private var starts: [RecordNumber] = []
  /// The number of durable batches.
  package private(set) var durableCount = 0
  /// The beginning of the log.
  private var baseline = Baseline()
  /// The beginning of the log when the store was opened, from which the rows have their numbers.
  private var firstBaseline = Baseline()
  /// The number of times the store was opened.
  package private(set) var openings = 1
  /// The number of times batches were lost.
  package private(set) var losses = 0

  /// Creates an empty store.
  package init(seed: UInt64) throws(StoreError) {
    secrets = Dice(seed: seed)
    memory = try Self.empty(secrets)
  }

  private static func empty(_ secrets: Dice) throws(StoreError) -> MemoryStore {
    var secrets = secrets
    return try MemoryStore(InboxReducer(), using: &secrets)
  }

  /// Folds a baseline and the following batches, through a number of them.
  private func opened(
    from baseline: Baseline, through count: Int
  ) throws(StoreError) -> MemoryStore {
    let memory = try Self.empty(secrets)
    if baseline.batchCount > 0 {
      try memory.restore(baseline.records, through: baseline.floor)
    }
    for batch in batches[baseline.batchCount..<count] { try memory.append(batch) }
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

  /// The first record that is not durable, if there is one.
  package var firstUnflushed: RecordNumber? { durableCount < count ? starts[durableCount] : nil }

  /// Loses the batches that are not durable, and stays open with the others; rows keep their
  /// numbers, as when a store takes records back.
  ///
  /// - Complexity: O(*n* log *n*) in the records, which are all folded.
  package func lose() throws(StoreError) {
    batches.removeLast(count - durableCount)
    starts.removeLast(starts.count - durableCount)
    losses += 1
    let former = memory
    memory = try opened(from: firstBaseline, through: count)
    memory.succeed(former)
  }

  /// Loses the batches that are not durable, and reopens with the others.
  ///
  /// - Complexity: As ``lose()``.
  package func crash() throws(StoreError) {
    firstBaseline = baseline
    try lose()
    openings += 1
  }

  /// Makes all batches durable, and reopens the store.
  package func suspend() {
    flush(through: count)
    openings += 1
  }

  /// Replaces durable batches, up to a number of them, by a baseline; returns whether that is
  /// possible.
  ///
  /// As on a device, what is shown stays as it is, and the baseline is folded when the store is
  /// opened anew.
  ///
  /// - Complexity: O(*n* log *n*) in the records to be replaced.
  /// - Throws: `LogError.damagedRecord` if a record to keep is not in the log.
  package func compact(through count: Int) throws -> Bool {
    guard baseline.batchCount < count, count <= durableCount else { return false }
    let past = try opened(from: baseline, through: count)
    let floor = starts[count - 1].advanced(by: batches[count - 1].count - 1)
    let source = try InboxBaseline(
      past.foldedRows, at: floor, fingerprint: past.fingerprint, lookUp: { self.record($0) })
    guard let source else { return false }
    var records: [Record] = []
    var end = RecordNumber.zero
    while true {
      let next = try source.records(after: end)
      guard let last = next.last else { break }
      for entry in next { records.append(try kept(entry)) }
      end = last.number
    }
    baseline = Baseline(batchCount: count, floor: floor, records: records)
    return true
  }

  private func kept(_ entry: BaselineRecord) throws(LogError) -> Record {
    let present = record(entry.number)
    guard let kept = entry.record(insteadOf: present) else {
      throw .damagedRecord(entry.number, .absent)
    }
    return kept
  }

  /// Folds the log anew, as it would be opened.
  package func reopened() throws(StoreError) -> MemoryStore {
    try opened(from: baseline, through: count)
  }

  /// Folds anew all records that the log has or had, each in a batch of its own.
  package func folded() throws(StoreError) -> MemoryStore {
    let memory = try Self.empty(secrets)
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

  /// Calls `body` with each record that the log has or had, as it was written.
  package func forEachRecord(_ body: (borrowing RecordView) -> Void) {
    for (batch, start) in zip(batches, starts) { batch.forEach(from: start, body) }
  }

  /// Returns the event of a record of the log, if there is one.
  ///
  /// - Complexity: O(log *n*), and O(records of its batch)
  package func event(_ number: RecordNumber) -> (any InboxEvent)? {
    record(number).flatMap { try? EventCatalog.event(of: $0) }
  }

  /// Returns the login of a record that the log has or had.
  func login(of number: RecordNumber) -> Login? {
    var login: Login?
    withWritten(number) { login = $0.header.login }
    return login
  }

  /// Returns a record of the log; below the floor, one of the baseline.
  private func record(_ number: RecordNumber) -> Record? {
    guard number <= baseline.floor else {
      var found: Record?
      withWritten(number) { found = $0.record }
      return found
    }
    let place = baseline.records.lowerBound(where: { $0.number < number })
    guard place < baseline.records.count, baseline.records[place].number == number else {
      return nil
    }
    return baseline.records[place]
  }

  private func withWritten(
    _ number: RecordNumber, _ body: (borrowing RecordView) -> Void
  ) {
    let next = starts.lowerBound(where: { $0 <= number })
    guard next > 0 else { return }
    batches[next - 1].forEach(from: starts[next - 1]) { record in
      if record.number == number { body(record) }
    }
  }
}
