import LMDB

extension Store {
  /// The rows that a list last showed, available before the store is open.
  public struct FirstRows: Sendable, Hashable {
    /// The list's first rows.
    public let rows: [Row]
    /// The number of rows that the list had.
    public let total: Int
    /// The last record that the views contained.
    public let number: RecordNumber
  }

  /// Returns the rows that a list last showed, to display while the store is being opened.
  ///
  /// Returns `nil` if nobody looked at the list, or if the view was defined differently then. Reads
  /// one small file, and neither the log nor the views, so the rows may be as old as their number
  /// says.
  ///
  /// - Precondition: The list belongs to one of the reducer's views.
  public static func firstScreen(
    at path: String, reducer: some Reducer, of list: ListName
  ) -> FirstRows? {
    guard let definition = reducer.views.first(where: { $0.name == list.view }) else {
      preconditionFailure("\(list.view) is not one of the reducer's views")
    }
    let folder = Folder(path).ofViews
    guard let pointer = try? ViewsPointer.read(in: folder) else { return nil }
    let screen = FirstScreen.read(
      in: folder, store: pointer.store, incarnation: pointer.incarnation)
    let key = FirstScreen.Key(
      view: list.view, plan: definition.planHash, group: list.groupKey)
    guard let window = screen[key] else { return nil }
    var rows: [Row] = []
    for bytes in window.rows {
      guard let row = Row(checking: bytes) else { return nil }
      rows.append(row)
    }
    return FirstRows(rows: rows, total: window.count, number: window.applied.number)
  }

  /// Deletes the rows kept to be shown before the store is open, such as those of a logged-out
  /// user.
  ///
  /// Blocks for the disk.
  package func forgetFirstScreen() {
    try? FirstScreen.remove(in: Folder(path).ofViews)
  }
}
