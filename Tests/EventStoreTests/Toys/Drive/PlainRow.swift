import EventStore
import Synchronization

/// A watched row of a plain store.
final class PlainRow: WatchedRow {
  let id: String
  let first: Row?
  private let body: (@Sendable (RowChange) -> Void)?
  private let state: Mutex<(row: Row?, pending: RowChange?)>

  init(_ id: String, _ row: Row?, _ body: (@Sendable (RowChange) -> Void)?) {
    self.id = id
    self.body = body
    first = row
    state = Mutex((row, nil))
  }

  /// The row that was shown last.
  var row: Row? { state.withLock { $0.row } }

  /// Shows the row as it is now.
  func show(_ row: Row?, _ from: Position, _ to: Position) {
    let change = state.withLock { state -> RowChange? in
      defer { state.row = row }
      guard body == nil else { return RowChange(from: from, to: to, old: state.row, new: row) }
      let (first, old) = (state.pending?.from ?? from, state.pending.map(\.old) ?? state.row)
      state.pending = RowChange(from: first, to: to, old: old, new: row)
      return nil
    }
    if let change { body?(change) }
  }

  func next() async throws -> RowChange? {
    state.withLock { state in
      defer { state.pending = nil }
      return state.pending
    }
  }

  func close() async {}
}
