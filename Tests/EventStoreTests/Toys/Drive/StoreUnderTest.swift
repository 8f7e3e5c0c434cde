import EventStore
import Foundation
import Synchronization
import TestSupport
import ToyDomains

/// The real store, as histories drive it.
final class StoreUnderTest<T: Toy>: DrivenStore {
  let folder: TemporaryFolder
  private let rules: T.Rules
  private let options: Store.Options
  private let grouped: Set<String>
  private let current: Mutex<Store>

  /// The number from which on the journal knows everything.
  private let floor = Mutex(0)

  let abilities: Set<StoreAbility> = [.catchUp, .refusals, .travel]
  let trials: [StoreTrial] = [.suspension, .reopening, .rebuild]

  var store: Store { current.withLock { $0 } }

  /// - Parameters:
  ///   - eventRowsMax: The most rows that an event may touch, if not the usual number; then the
  ///     journal keeps little as well, and any requested change may turn out to be a reset.
  ///   - journal: The limits of the journal, which otherwise keeps everything.
  init(
    _ rules: T.Rules, in folder: TemporaryFolder? = nil, eventRowsMax: Int? = nil,
    journal: JournalLimits? = nil
  ) async throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    var options = Store.Options()
    if let eventRowsMax {
      options.eventRowsMax = eventRowsMax
      (options.journal.bytesMax, options.journal.blockBytesMax) = (64 << 10, 2 << 10)
      floor.withLock { $0 = .max }
    } else {
      options.journal.bytesMax = .max
    }
    if let journal { options.journal = journal }
    self.options = options
    self.rules = rules
    grouped = Set(rules.views.filter { $0.grouping != nil }.map(\.name))
    current = Mutex(try await Store.open(at: folder.path, reducer: rules, options: options))
  }

  func append(_ batches: [[T.Model.Happening]]) async throws -> [Int] {
    let store = store
    let numbers = try await withThrowingTaskGroup { group in
      for (index, batch) in batches.enumerated() {
        group.addTask { (index, try await store.appendOrShow(Batch(batch))) }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    try await settle(numbers.values.map(\.upperBound).max() ?? 0)
    return batches.indices.map { numbers[$0].map { Int($0.lowerBound.rawValue) } ?? 0 }
  }

  /// Returns once the views show a record, which may be in the log earlier.
  func settle(_ last: RecordNumber) async throws {
    while try store.read({ $0.position.number }) < last {
      try await Task.sleep(for: .microseconds(20))
    }
  }

  func position(at number: Int) async throws -> Position {
    try await store.log.position(at: RecordNumber(rawValue: UInt64(number)))
  }

  func show(
    _ pane: Pane, handing body: (@Sendable (Delivery) -> Void)?
  ) async throws -> ShownView {
    var onChange: (@Sendable (Change) -> Void)?
    if let body { onChange = { body(Delivery($0)) } }
    return ShownView(try look(at: pane, onChange))
  }

  private func look(
    at pane: Pane, _ onChange: (@Sendable (Change) -> Void)? = nil
  ) throws -> LiveView {
    let window = pane.window.lowerBound..<pane.window.upperBound
    guard pane.source == .kept else { return try lookTransiently(at: pane, window, onChange) }
    return try store.live(
      name(of: pane), window: window, countsExactly: pane.window.hasTotal, onChange: onChange)
  }

  /// Opens a view that does what the reducer's does, without the store being able to know.
  private func lookTransiently(
    at pane: Pane, _ window: Range<Int>, _ onChange: (@Sendable (Change) -> Void)?
  ) throws -> LiveView {
    let (definition, residue) = transientView(pane)
    return try store.live(
      definition, group: name(of: pane).group, window: window, countsExactly: pane.window.hasTotal,
      onChange: onChange, residue: residue)
  }

  private func transientView(
    _ pane: Pane
  ) -> (definition: ViewDefinition, residue: (@Sendable (Row) -> Bool)?) {
    guard let kept = rules.views.first(where: { $0.name == pane.view }) else {
      preconditionFailure("there is no view \(pane.view)")
    }
    let isPlanned = pane.source == .transient
    let view = ViewDefinition(
      "transient", of: kept.collection, where: isPlanned ? kept.condition : .always,
      orderedBy: kept.order, version: 99)
    let grouped = kept.grouping.map { field in view.grouped(by: field) } ?? view
    guard !isPlanned else { return (grouped, nil) }
    let plan = ViewPlan(kept, seed: 0)
    let residue: @Sendable (Row) -> Bool = { row in plan.matches(row.view) }
    return (grouped, residue)
  }

  func change(_ shown: ShownView, to pane: Pane) async throws { try shown.show(pane.window) }

  func watch(
    _ id: String, handing body: (@Sendable (RowChange) -> Void)?
  ) async throws -> LiveRow {
    try store.watch(id, in: T.collection, onChange: body)
  }

  func sight(of pane: Pane) async throws -> Sight {
    let (list, window) = (name(of: pane), pane.window.lowerBound..<pane.window.upperBound)
    if pane.source != .kept {
      let live = try look(at: pane)
      let sight = Sight(rows: Array(live.start.rows), total: live.start.total)
      let again = try store.read { snapshot in
        let count = pane.window.hasTotal ? try snapshot.count(of: live) : nil
        return Sight(rows: try snapshot.rows(of: live, in: window), total: count)
      }
      try Discrepancy.require(sight == again, "\(pane) reads otherwise than it looks: \(again)")
      return sight
    }
    return try store.read { snapshot in
      let (rows, count) = (try snapshot.rows(of: list, in: window), try snapshot.count(of: list))
      return Sight(rows: rows, total: pane.window.hasTotal ? count : nil)
    }
  }

  func rank(of id: String, in pane: Pane) async throws -> Int? {
    let list = name(of: pane)
    if pane.source != .kept {
      let live = try look(at: pane)
      return try store.read { try $0.index(of: id, in: live) }
    }
    return try store.read { try $0.index(of: id, in: list) }
  }

  private func name(of pane: Pane) -> ListName {
    pane.name(isGrouped: grouped.contains(pane.view))
  }

  func sight(of pane: Pane, at number: Int) async throws -> Sight {
    let past = try store.replay(at: RecordNumber(rawValue: UInt64(number)))
    let list = name(of: pane)
    let rows = try past.rows(of: list, in: pane.window.lowerBound..<pane.window.upperBound)
    return Sight(rows: rows, total: pane.window.hasTotal ? try past.count(of: list) : nil)
  }

  func changes(of pane: Pane, since position: Position) async throws -> ChangeSet? {
    let window = pane.window.lowerBound..<pane.window.upperBound
    return try store.changes(
      of: name(of: pane), window: window, countsExactly: pane.window.hasTotal, since: position)
  }

  func journalFloor() async throws -> Int { floor.withLock { $0 } }

  func refused() async throws -> [Int] {
    try store.refused().map { Int($0.number.rawValue) }
  }

  func checkInvariants() async throws { try store.checkInvariants() }

  func undergo(_ trial: StoreTrial, missing batches: [[T.Model.Happening]]) async throws {
    if trial == .suspension {
      await store.suspend()
      try await append(batches, inPlaceOf: trial)
      try await store.resume()
    } else {
      await store.close()
      try await append(batches, inPlaceOf: trial)
      let opened = try await Store.open(at: folder.path, reducer: rules, options: options)
      current.withLock { $0 = opened }
    }
    try await settle(try store.log.last)
  }

  /// Appends as another process would, while the store is closed.
  private func append(
    _ batches: [[T.Model.Happening]], inPlaceOf trial: StoreTrial
  ) async throws {
    let log = try await Log.open(at: folder.path(of: "log"))
    for batch in batches { try await log.append(Batch(batch)) }
    if trial == .rebuild {
      try FileManager.default.removeItem(atPath: folder.path(of: "views"))
      let last = try log.last
      floor.withLock { $0 = max($0, Int(last.rawValue)) }
    }
    await log.close()
  }

  func close() async { await store.close() }
}

/// A live view of the real store.
struct ShownView: ShownPane {
  private let view: LiveView
  let start: Sight

  init(_ view: LiveView) {
    self.view = view
    start = Sight(rows: Array(view.start.rows), total: view.start.total)
  }

  func next() async throws -> Delivery? {
    var iterator = view.changes.makeAsyncIterator()
    return await iterator.next().map { Delivery($0) }
  }

  func show(_ window: ListWindow) throws {
    try view.show(window.lowerBound..<window.upperBound)
  }

  func close() async { view.end() }
}

extension LiveRow: WatchedRow {
  var first: Row? { start.row }

  func next() async throws -> RowChange? {
    var iterator = changes.makeAsyncIterator()
    return await iterator.next()
  }

  func close() async { end() }
}

extension Delivery {
  fileprivate init(_ change: Change) {
    self.init(set: change.set, list: change.list, total: change.total)
  }
}

extension Store {
  /// Appends a batch; a batch of even size is shown by the submitter, where that is possible.
  fileprivate func appendOrShow(_ batch: Batch) async throws -> ClosedRange<RecordNumber> {
    guard batch.byteCount.isMultiple(of: 2) else { return try await append(batch) }
    return try await taken(submitAndShow(batch))
  }
}
