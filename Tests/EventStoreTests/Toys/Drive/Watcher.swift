import EventStore
import Foundation
import TestSupport
import ToyDomains

/// The owner of an open pane, which compares each delivery with the history.
final class Watcher<Store: DrivenStore> {
  /// The pane that is looked at.
  private(set) var pane: Pane
  /// The panes that were looked at since the last change was received.
  ///
  /// Changes that came to nothing were not received, so the next may begin at any of these panes.
  private var panes: [Pane]
  /// Whether the watcher asks for changes now and then, rather than being handed them.
  let isPulling: Bool
  private let inbox: Inbox<Delivery>
  private let shown: Store.Shown
  private var list: RowList
  private var table: TableModel
  /// What was shown a while ago, and the change sets since.
  private var past: Sight
  private var sets: [ChangeSet] = []

  init(_ pane: Pane, isPulling: Bool, in store: Store) async throws {
    self.pane = pane
    panes = [pane]
    self.isPulling = isPulling
    let inbox = Inbox<Delivery>()
    self.inbox = inbox
    let body: @Sendable (Delivery) -> Void = { inbox.put($0) }
    shown = try await store.show(pane, handing: isPulling ? nil : body)
    past = shown.start
    list = RowList(past.rows)
    table = TableModel(rows: past.rows)
    total = past.total
  }

  private(set) var total: Int?

  /// What the pane shows.
  var sight: Sight { Sight(rows: table.cells, total: total) }

  func close() async { await shown.close() }

  /// Whether the watcher was told of every move of its window.
  var isTold: Bool { panes.count == 1 }

  /// Looks at another window of the list, which must lead to a delivery.
  func look(at window: ListWindow, in store: Store) async throws {
    guard window != pane.window else { return try await store.change(shown, to: pane) }
    pane.window = window
    panes.append(pane)
    try await store.change(shown, to: pane)
  }

  /// Returns everything that was handed over.
  func taken() -> [Delivery] { inbox.takeAll() }

  /// Asks for a delivery, which must exist.
  func pulled() async throws -> Delivery {
    guard let delivery = try await shown.next() else {
      throw Discrepancy("\(pane): the changes have ended")
    }
    return delivery
  }

  /// Compares a delivery with the history, and shows what it brings.
  func receive<Model>(
    _ delivery: Delivery, _ history: inout PlainHistory<Model>, isThorough: Bool
  ) throws {
    let set = delivery.set
    let past = panes.map { history.sight(of: $0, at: set.from.index) }
    let old = past.first { $0 == sight } ?? past[0]
    let isMoved = panes.count > 1
    panes = [pane]
    let new = history.sight(of: pane, at: set.to.index)
    if !set.isReset {
      try require(sight == old, "was shown something else than was there before", set)
      let direct = old.changeSet(to: new, from: set.from, to: set.to)
      try require(set == direct, "is not\n\(direct)\nbut", set)
    }
    if isThorough { try checkEncoding(set, old, new) }
    try require(!set.isEmpty || isMoved, "is empty", set)
    try require(set.applying(to: list) == delivery.list, "does not lead to its list", set)
    try require(delivery.list.elementsEqual(new.rows), "has another list", set)
    try require(delivery.total == new.total, "has another total", set)
    try show(set, new)
    list = delivery.list
  }

  private func show(_ set: ChangeSet, _ new: Sight) throws {
    if let updates = set.batchUpdates() {
      try table.perform(updates, rows: new.rows)
      try require(table.cells == new.rows, "leaves cells behind", set)
    } else {
      table = TableModel(rows: new.rows)
    }
    total = new.total
    sets.append(set)
  }

  /// Checks that equal change sets have equal bytes, and decode to what was encoded.
  ///
  /// The first of several deliveries that were pulled as one may have brought a row whose reference
  /// has since moved to the same content elsewhere, which is not reported.
  private func checkEncoding(_ set: ChangeSet, _ old: Sight, _ new: Sight) throws {
    guard !set.isReset else { return }
    let direct = old.changeSet(to: new, from: set.from, to: set.to)
    let bytes = try Self.encoder.encode(set)
    if !isPulling || set.rowBytes == direct.rowBytes {
      try require(
        try bytes == Self.encoder.encode(direct), "has other bytes than the direct one", set)
    }
    try require(try JSONDecoder().decode(ChangeSet.self, from: bytes) == set, "is read wrong", set)
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return encoder
  }

  /// Merges all change sets of a while, pair by pair in a random order; returns how many.
  ///
  /// The result must be exactly what lies between the first list and the last.
  func mergePast(using generator: inout SeededGenerator) throws -> Int {
    let count = sets.count
    guard let first = sets.first, let last = sets.last else { return 0 }
    while sets.count > 1 {
      let index = Int.random(in: 0..<(sets.count - 1), using: &generator)
      sets[index] = sets[index].merging(sets.remove(at: index + 1))
    }
    let merged = sets[0]
    if !merged.isReset {
      let direct = past.changeSet(to: sight, from: first.from, to: last.to)
      try require(merged == direct, "is not the direct one, merged of \(count)", merged)
    }
    try require(
      Array(merged.applying(to: RowList(past.rows))) == table.cells, "is merged wrong", merged)
    sets = []
    past = sight
    return count
  }

  private func require(
    _ condition: Bool, _ what: String, _ set: ChangeSet
  ) throws(Discrepancy) {
    try Discrepancy.require(condition, "\(pane): the change set \(what): \(set)")
  }
}

extension ChangeSet {
  /// The bytes of the rows that the change set brings.
  fileprivate var rowBytes: [[UInt8]] {
    edits.insertions.map(\.row.storage) + edits.updates.map(\.row.storage)
  }
}

extension Position {
  /// The number of events before the position.
  var index: Int { Int(number.rawValue) }
}
