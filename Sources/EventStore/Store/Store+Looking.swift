extension Store {
  /// Looks at a window of a list: of a view, or of a group of one.
  ///
  /// - Parameters:
  ///   - list: Which list.
  ///   - window: The indices of the rows that are shown: `0..<50`, or `0...` for all.
  ///   - countsExactly: Whether to be told how many rows the whole list has, and so also of changes
  ///     outside of the window that change that.
  ///   - holdsRows: Whether each change comes with all rows of the window. They share what did not
  ///     change, but take memory while they are looked at.
  ///   - onChange: Is called with each change, at once and on the thread that made it, with the
  ///     views to itself: it must be short. Without it changes come through
  ///     ``LiveView/changes``.
  /// - Complexity: O(log *n* + rows of the window)
  /// - Throws: ``StoreError``.
  /// - Precondition: The list is of one of the reducer's views: of a group where that is grouped,
  ///   by a value that its field can hold, and else of the whole. It is not called within
  ///   ``read(_:)`` or an `onChange`.
  public func live(
    _ list: ListName, window: some RangeExpression<Int>, countsExactly: Bool = false,
    holdsRows: Bool = true, onChange: (@Sendable (Change) -> Void)? = nil
  ) throws(StoreError) -> LiveView {
    try look(
      at: parts.definitions.id(of: list), list.groupKey, Self.window(window, countsExactly),
      holdsRows: holdsRows, onChange)
  }

  static func window(_ window: some RangeExpression<Int>, _ hasTotal: Bool) -> ListWindow {
    let range = window.relative(to: 0..<Int.max)
    return ListWindow(
      lowerBound: range.lowerBound, upperBound: range.upperBound, hasTotal: hasTotal)
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

extension Definitions {
  /// The list of a name.
  func id(of list: ListName) -> ListID {
    let number = number(of: list.view)
    return ListID(view: number, group: plans[number].word(of: list))
  }

  /// The place of a view among the reducer's.
  func number(of name: String) -> Int {
    guard let number = plans.firstIndex(where: { $0.definition.name == name }) else {
      preconditionFailure("\(name) is not one of the reducer's views")
    }
    return number
  }
}
