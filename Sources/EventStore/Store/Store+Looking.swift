extension Store {
  /// Opens a live view of a window of a list: of a view, or of one group of a view.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - window: The indices of the rows that are shown: `0..<50`, or `0...` for all.
  ///   - countsExactly: Whether to report the number of rows in the whole list, and so also changes
  ///     outside the window that affect it.
  ///   - holdsRows: Whether each change includes all rows of the window. Unchanged rows are shared,
  ///     but take memory while the live view exists.
  ///   - onChange: Called with each change, immediately and on the thread that made it, with
  ///     exclusive access to the views; it must be short. Without it, changes arrive through
  ///     ``LiveView/changes``.
  /// - Complexity: O(log *n* + rows of the window)
  /// - Throws: ``StoreError``.
  /// - Precondition: The list belongs to one of the reducer's views: to a group, named by a value
  ///   that its field can hold, if the view is grouped, and otherwise to the whole view. Not called
  ///   within ``read(_:)`` or an `onChange`.
  public func live(
    _ list: ListName, window: some RangeExpression<Int>, countsExactly: Bool = false,
    holdsRows: Bool = true, onChange: (@Sendable (Change) -> Void)? = nil
  ) throws(StoreError) -> LiveView {
    try look(
      at: parts.definitions.id(of: list), list.groupKey, Self.window(window, countsExactly),
      holdsRows: holdsRows, onChange)
  }

  static func window(_ window: some RangeExpression<Int>, _ hasTotal: Bool) -> ListWindow {
    ListWindow(window, hasTotal: hasTotal)
  }

  func look(
    at list: ListID, _ groupName: String, _ window: ListWindow, holdsRows: Bool,
    _ onChange: (@Sendable (Change) -> Void)?
  ) throws(StoreError) -> LiveView {
    do {
      let live = try LiveView(
        list, groupName, window, holdsRows: holdsRows, on: stage, path: path, onChange)
      guard let live else { throw absence }
      return live
    } catch {
      throw StoreError(error, path: path)
    }
  }
}
