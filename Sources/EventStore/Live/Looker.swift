/// An observer of a list's window: the state delivered last, and how to deliver more.
final class Looker {
  let list: ListID
  /// The name of the list's group where the store's secret is not available.
  let groupName: String
  /// The ranks of the list that are shown, and whether the total is too.
  var window: ListWindow
  /// Whether the window's rows are kept, to be delivered with each change.
  let holdsRows: Bool
  private(set) var position: Position
  private(set) var rows: RowList
  private let deliver: @Sendable (Change) -> Void

  init(
    _ list: ListID, _ groupName: String, _ window: ListWindow, holdsRows: Bool,
    at position: Position, _ rows: RowList,
    _ deliver: @escaping @Sendable (Change) -> Void
  ) {
    self.list = list
    self.groupName = groupName
    self.window = window
    self.holdsRows = holdsRows
    self.position = position
    self.rows = holdsRows ? rows : RowList()
    self.deliver = deliver
  }

  /// Delivers a change set, which may come from moving the window.
  func take(_ set: ChangeSet, movesWindow: Bool = false) {
    position = set.to
    if holdsRows { rows = set.applying(to: rows) }
    deliver(Change(set: set, list: rows, movesWindow: movesWindow))
  }
}
