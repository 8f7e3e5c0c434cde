import LMDB

extension Store {
  /// What a list showed when it was last looked at, before the store is open.
  public struct FirstRows: Sendable, Hashable {
    /// Its first rows.
    public let rows: [Row]
    /// How many rows it had.
    public let total: Int
    /// The last record that was in the views then.
    public let number: RecordNumber
  }

  /// What a list showed when it was last looked at: to be shown at once, while the store is being
  /// opened; `nil` where nobody did, or the view was another then.
  ///
  /// It reads one small file, and neither the log nor the views; so it may be as old as its number
  /// says.
  ///
  /// - Precondition: The list is of one of the reducer's views.
  public static func firstScreen(
    at path: String, reducer: some Reducer, of list: ListName
  ) -> FirstRows? {
    guard let definition = reducer.views.first(where: { $0.name == list.view }) else {
      preconditionFailure("\(list.view) is not one of the reducer's views")
    }
    let folder = Folder(path).folder("views")
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

  /// Has nothing be shown before the store is open, as of somebody who has left.
  ///
  /// It blocks for the disk.
  package func forgetFirstScreen() {
    try? Folder(path).folder("views").remove(FirstScreen.file)
  }
}
