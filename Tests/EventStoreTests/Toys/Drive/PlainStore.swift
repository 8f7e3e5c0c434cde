import EventStore
import Foundation
import Synchronization
import ToyDomains

/// A store that does everything by the plain model, and one thing wrong on request, to show what
/// driving a store through histories finds.
final class PlainStore<Model: ToyModel>: DrivenStore {
  /// What the store does wrong.
  enum Fault: CaseIterable {
    case forgottenUpdate, needlessUpdate, forgottenMove, lateDelivery, wrongTotal, wrongRank
    case wrongPast, wrongCatchUp, forgottenRefusal, lostByReopening, staleList
    case forgottenRow, forgottenRedirection, wrongWindow
  }

  private struct State {
    var history: PlainHistory<Model>
    var shown: [Int: PlainPane] = [:]
    var watched: [PlainRow] = []
    var nextID = 0
  }

  let abilities = Set(StoreAbility.allCases)
  let trials = StoreTrial.allCases
  private let fault: Fault?
  private let state: Mutex<State>

  init(_ empty: Model, fault: Fault? = nil) {
    self.fault = fault
    state = Mutex(State(history: PlainHistory(empty)))
  }

  func append(_ batches: [[Model.Happening]]) async throws -> [Int] {
    batches.map(append)
  }

  private func append(_ happenings: [Model.Happening]) -> Int {
    state.withLock { state in
      let before = state.history.count
      state.history.append(happenings)
      let (from, to) = (Position.plain(before), Position.plain(state.history.count))
      for pane in state.shown.values.sorted(by: { $0.id < $1.id }) {
        let old = state.history.sight(of: pane.pane, at: before)
        let new = state.history.sight(of: pane.pane, at: state.history.count)
        guard let set = changeSet(old, new, from: from, to: to) else { continue }
        let list = fault == .staleList ? old : new
        pane.put(Delivery(set: set, list: RowList(list.rows), total: new.total))
      }
      for row in state.watched {
        let new = state.history.row(row.id, at: state.history.count)
        guard !isForgotten(row, new) else { continue }
        row.show(new, from, to)
      }
      return before + 1
    }
  }

  /// Returns what is told of a change, or `nil` where it came to nothing.
  private func changeSet(
    _ old: Sight, _ new: Sight, from: Position, to: Position
  ) -> ChangeSet? {
    var edits = FullDiff.changeSet(old.rows, new.rows, from: from, to: to).edits
    if fault == .lateDelivery, edits.insertions.isEmpty, !edits.removals.isEmpty { return nil }
    if fault == .forgottenUpdate { edits.updates = Array(edits.updates.prefix(2)) }
    if fault == .forgottenMove, edits.moves.count == 2 { edits.moves.removeLast() }
    if fault == .needlessUpdate, let row = new.rows.first, edits.updates.isEmpty,
      edits.insertions.first?.index != 0
    {
      edits.updates = [ChangeSet.Update(index: 0, row: row, difference: RowDifference())]
    }
    let total = fault == .wrongTotal && edits.isEmpty ? old.total : new.total
    let set = ChangeSet(
      from: from, to: to, oldCount: old.rows.count, newCount: new.rows.count,
      oldTotal: old.total, newTotal: total, edits: edits)
    return set.isEmpty ? nil : set
  }

  func change(_ shown: PlainPane, to pane: Pane) async throws {
    guard shown.pane.window != pane.window else { return }
    state.withLock { state in
      let number = state.history.count
      let old = state.history.sight(of: shown.pane, at: number)
      let new = state.history.sight(of: pane, at: number)
      shown.look(at: pane)
      let position = Position.plain(number)
      if fault == .wrongWindow, !shown.isPending, old.rows.count + 1 == new.rows.count { return }
      let set = old.changeSet(to: new, from: position, to: position)
      shown.put(
        Delivery(set: set, list: RowList(new.rows), total: new.total), movesWindow: true)
    }
  }

  private func isForgotten(_ row: PlainRow, _ new: Row?) -> Bool {
    guard let old = row.row else { return false }
    return fault == .forgottenRow && new == nil
      || fault == .forgottenRedirection && new.map { $0.id != old.id } ?? false
  }

  func watch(
    _ id: String, handing body: (@Sendable (RowChange) -> Void)?
  ) async throws -> PlainRow {
    state.withLock { state in
      let row = PlainRow(id, state.history.row(id, at: state.history.count), body)
      state.watched.append(row)
      return row
    }
  }

  func position(at number: Int) async throws -> Position { .plain(number) }

  func show(
    _ pane: Pane, handing body: (@Sendable (Delivery) -> Void)?
  ) async throws -> PlainPane {
    state.withLock { state in
      let start = state.history.sight(of: pane, at: state.history.count)
      let shown = PlainPane(state.nextID, pane, start, body)
      state.shown[state.nextID] = shown
      state.nextID += 1
      return shown
    }
  }

  func sight(of pane: Pane) async throws -> Sight {
    state.withLock { $0.history.sight(of: pane, at: $0.history.count) }
  }

  func rank(of id: String, in pane: Pane) async throws -> Int? {
    let rows = state.withLock { $0.history.rows(of: pane, at: $0.history.count) }
    let rank = rows.firstIndex { $0.id == id }
    return fault == .wrongRank && rank == 7 ? 8 : rank
  }

  func sight(of pane: Pane, at number: Int) async throws -> Sight {
    let number = fault == .wrongPast && number > 0 ? number - 1 : number
    return state.withLock { $0.history.sight(of: pane, at: number) }
  }

  func changes(of pane: Pane, since position: Position) async throws -> ChangeSet? {
    state.withLock { state in
      let count = state.history.count
      let first = fault == .wrongCatchUp ? min(position.index + 1, count) : position.index
      let set = state.history.sight(of: pane, at: first).changeSet(
        to: state.history.sight(of: pane, at: count), from: position, to: .plain(count))
      return set.isEmpty ? nil : set
    }
  }

  func journalFloor() async throws -> Int { 0 }

  func refused() async throws -> [Int] {
    let refused = state.withLock { $0.history.timeline.refused }
    return fault == .forgottenRefusal ? refused.dropLast() : refused
  }

  func checkInvariants() async throws {}

  func undergo(_ trial: StoreTrial, missing batches: [[Model.Happening]]) async throws {
    for batch in batches { _ = append(batch) }
    guard !trial.keepsPanes else { return }
    state.withLock { state in
      (state.shown, state.watched) = ([:], [])
      guard fault == .lostByReopening, state.history.count > 0 else { return }
      var shorter = PlainHistory(state.history.timeline.model(at: 0))
      shorter.append(state.history.timeline.happenings.dropLast())
      state.history = shorter
    }
  }
}

/// A pane of a plain store.
final class PlainPane: ShownPane {
  let id: Int
  let start: Sight
  private let current: Mutex<Pane>
  private let body: (@Sendable (Delivery) -> Void)?
  private let pending = Mutex<(delivery: Delivery, movesWindow: Bool)?>(nil)

  init(_ id: Int, _ pane: Pane, _ start: Sight, _ body: (@Sendable (Delivery) -> Void)?) {
    self.id = id
    current = Mutex(pane)
    self.start = start
    self.body = body
  }

  var pane: Pane { current.withLock { $0 } }

  func look(at pane: Pane) { current.withLock { $0 = pane } }

  /// Whether a delivery waits to be asked for.
  var isPending: Bool { pending.withLock { $0 != nil } }

  func put(_ delivery: Delivery, movesWindow: Bool = false) {
    if let body { return body(delivery) }
    pending.withLock { pending in
      guard let earlier = pending else { return pending = (delivery, movesWindow) }
      let set = earlier.delivery.set.merging(delivery.set)
      let movesWindow = earlier.movesWindow || movesWindow
      let merged = Delivery(set: set, list: delivery.list, total: delivery.total)
      pending = set.isEmpty && !movesWindow ? nil : (merged, movesWindow)
    }
  }

  func next() async throws -> Delivery? {
    pending.withLock { pending in
      defer { pending = nil }
      return pending?.delivery
    }
  }

  func close() async {}
}

extension Position {
  /// Returns the position after an event of a plain store.
  fileprivate static func plain(_ number: Int) -> Position {
    let text = #"{"store":{"low":1,"high":2},"number":\#(number),"chain":\#(number % 1000)}"#
    guard let position = try? JSONDecoder().decode(Position.self, from: Data(text.utf8)) else {
      preconditionFailure("a position is written otherwise")
    }
    return position
  }
}
