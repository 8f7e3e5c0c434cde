import EventStore
import LMDB
import Synchronization
import TestSupport
import ToyDomains

/// A to-do list that two processes have open: one keeps the views and the other follows, and they
/// change places.
final class SharedStore: DrivenStore {
  typealias Happening = TodoHappening

  private let own: StoreUnderTest<Todo>
  private let other: Mutex<Worker>
  private let turns = Mutex(0)

  let abilities: Set<StoreAbility> = [.catchUp]
  let trials: [StoreTrial] = [.suspension, .takeover]

  /// How often this process took over, and how often it became a follower again.
  let takeovers = Mutex(0)
  let handovers = Mutex(0)

  private let eventRowsMax: Int?

  /// - Parameter eventRowsMax: As for ``StoreUnderTest``, in both processes.
  init(eventRowsMax: Int? = nil) async throws {
    self.eventRowsMax = eventRowsMax
    let folder = try TemporaryFolder()
    let worker = try Worker()
    let role = try await worker.ask(Self.opening(folder, eventRowsMax))
    try Discrepancy.require(role == "keeper", "the first is no keeper")
    other = Mutex(worker)
    own = try await StoreUnderTest<Todo>(
      Todo.rules(Todo.views), in: folder, eventRowsMax: eventRowsMax)
    try Discrepancy.require(!own.store.isKeeping, "two keep the views")
  }

  private static func opening(_ folder: TemporaryFolder, _ eventRowsMax: Int?) -> String {
    "store open \(folder.path)" + (eventRowsMax.map { " \($0)" } ?? "")
  }

  private var peer: Worker { other.withLock { $0 } }

  /// Appends batches; the two processes append single ones in turn.
  func append(_ batches: [[TodoHappening]]) async throws -> [Int] {
    let turn = turns.withLock { turns in
      turns += 1
      return turns
    }
    guard batches.count == 1, turn.isMultiple(of: 2) else { return try await own.append(batches) }
    return [try await appendThere(batches[0])]
  }

  private func appendThere(_ batch: [TodoHappening]) async throws -> Int {
    let word = batch.count.isMultiple(of: 2) ? "append" : "show"
    let answer = try await peer.ask("store \(word) \(batch.spelled)")
    guard let first = Int(answer) else { throw Discrepancy("the other process says: \(answer)") }
    try await own.settle(RecordNumber(rawValue: UInt64(first + batch.count - 1)))
    return first
  }

  func undergo(_ trial: StoreTrial, missing batches: [[TodoHappening]]) async throws {
    if trial == .takeover { return try await takeOver(missing: batches) }
    await own.store.suspend()
    for batch in batches { _ = try await peer.ask("store append \(batch.spelled)") }
    try await own.store.resume()
    if !own.store.isKeeping { handovers.withLock { $0 += 1 } }
    try await own.settle(try own.store.log.last)
  }

  /// Kills the other process, and starts another one.
  private func takeOver(missing batches: [[TodoHappening]]) async throws {
    await peer.killed()
    if !own.store.isKeeping { takeovers.withLock { $0 += 1 } }
    while !own.store.isKeeping {
      try Discrepancy.require(own.store.failure == nil, "nobody takes over")
      try await Task.sleep(for: .milliseconds(1))
    }
    let worker = try Worker()
    let role = try await worker.ask(Self.opening(own.folder, eventRowsMax))
    try Discrepancy.require(role == "follower", "two keep the views")
    other.withLock { $0 = worker }
    for batch in batches { _ = try await appendThere(batch) }
  }

  func position(at number: Int) async throws -> Position { try await own.position(at: number) }

  func show(
    _ pane: Pane, handing body: (@Sendable (Delivery) -> Void)?
  ) async throws -> ShownView { try await own.show(pane, handing: body) }

  func change(_ shown: ShownView, to pane: Pane) async throws { try shown.show(pane.window) }

  func watch(
    _ id: String, handing body: (@Sendable (RowChange) -> Void)?
  ) async throws -> LiveRow { try await own.watch(id, handing: body) }

  func sight(of pane: Pane) async throws -> Sight { try await own.sight(of: pane) }

  func rank(of id: String, in pane: Pane) async throws -> Int? {
    try await own.rank(of: id, in: pane)
  }

  func sight(of pane: Pane, at number: Int) async throws -> Sight {
    try await own.sight(of: pane, at: number)
  }

  func changes(of pane: Pane, since position: Position) async throws -> ChangeSet? {
    try await own.changes(of: pane, since: position)
  }

  func journalFloor() async throws -> Int { eventRowsMax == nil ? 0 : .max }

  func refused() async throws -> [Int] { [] }

  func checkInvariants() async throws { try await own.checkInvariants() }

  func close() async {
    await peer.killed()
    await own.close()
  }
}

extension [TodoHappening] {
  /// The events in the form that the worker reads.
  var spelled: String {
    map { happening in
      let payload = PayloadWriter.bytes { happening.write(to: &$0) }
      let digits = payload.map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
      return "\(happening.kind.rawValue):\(digits.joined())"
    }.joined(separator: ",")
  }
}
