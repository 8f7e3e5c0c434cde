/// Somebody who looks at a window of a list: what was delivered last, and how to deliver more.
final class Looker {
  let list: ListID
  /// What the list's group is known by where the store's secret is not at hand.
  let groupName: String
  /// Which of the list's rows are shown, and whether also how many there are.
  var window: ListWindow
  /// Whether the rows of the window are kept, to be delivered with each change.
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

  /// Delivers a change set, which may be of a window that was moved.
  func take(_ set: ChangeSet, movesWindow: Bool = false) {
    position = set.to
    if holdsRows { rows = set.applying(to: rows) }
    deliver(Change(set: set, list: rows, movesWindow: movesWindow))
  }
}
