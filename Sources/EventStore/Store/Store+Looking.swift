extension Store {
  /// Looks at a window of a view that has no groups.
  ///
  /// - Parameters:
  ///   - view: The view's name.
  ///   - window: The indices of the rows that are shown: `0..<50`, or `0...` for all.
  ///   - countsExactly: Whether to be told how many rows the whole list has, and so also of changes
  ///     outside of the window that change that.
  ///   - holdsRows: Whether each change comes with all rows of the window. They share what did not
  ///     change, but take memory while they are looked at.
  ///   - onChange: Is called with each change, at once and on the thread that made it, with the
  ///     views to itself: it must be short, and not read the store. Without it changes come through
  ///     ``LiveView/changes``.
  /// - Complexity: O(log *n* + rows of the window)
  /// - Throws: ``StoreError``.
  /// - Precondition: The view is one of the reducer's, and has no groups.
  public func live(
    _ view: String, window: some RangeExpression<Int>, countsExactly: Bool = false,
    holdsRows: Bool = true, onChange: (@Sendable (Change) -> Void)? = nil
  ) throws(StoreError) -> LiveView {
    let parts = try parts
    let number = parts.definitions.number(of: view)
    let isGrouped = parts.definitions.plans[number].isGrouped
    precondition(!isGrouped, "\(view) is grouped: say which group")
    return try look(
      at: ListID(view: number, group: 0), "", Self.window(window, countsExactly),
      holdsRows: holdsRows, onChange)
  }

  /// Looks at a window of one group of a view, as its namesake does of a view without groups.
  ///
  /// The scope is the value of the field that divides the groups, where one does.
  ///
  /// - Precondition: The view is one of the reducer's, and grouped by a field that can hold the
  ///   value.
  public func live<Value: FieldValue>(
    _ view: String, group value: Value?, within scope: Int64? = nil,
    window: some RangeExpression<Int>, countsExactly: Bool = false, holdsRows: Bool = true,
    onChange: (@Sendable (Change) -> Void)? = nil
  ) throws(StoreError) -> LiveView {
    let parts = try parts
    let number = parts.definitions.number(of: view)
    let group = parts.definitions.plans[number].group(of: value, within: scope)
    return try look(
      at: ListID(view: number, group: group), Self.groupName(value, within: scope),
      Self.window(window, countsExactly),
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
  /// The place of a view among the reducer's.
  func number(of name: String) -> Int {
    guard let number = plans.firstIndex(where: { $0.definition.name == name }) else {
      preconditionFailure("\(name) is not one of the reducer's views")
    }
    return number
  }
}
