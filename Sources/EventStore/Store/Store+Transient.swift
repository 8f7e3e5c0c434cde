import LMDB

extension Store {
  /// Looks at a window of a view that is made for it, or of one group of such a view: the reducer
  /// need not have it.
  ///
  /// Where one of the reducer's views does the same it is looked at, whatever the names. Otherwise
  /// an index of the rows is built in memory, and kept up to date like the others for as long as
  /// somebody looks; who looks at what does the same shares it. Nothing of it is written anywhere.
  /// When the views are opened again, as behind ``resume()``, it is built anew, and who looks is
  /// told by a reset where anything happened meanwhile.
  ///
  /// - Parameters:
  ///   - definition: The view.
  ///   - group: The group, where the view has groups; all of them are in one index.
  ///   - window: The indices of the rows that are shown: `0..<50`, or `0...` for all.
  ///   - countsExactly: Whether to be told how many rows the whole list has, and so also of changes
  ///     outside of the window that change that.
  ///   - holdsRows: Whether each change comes with all rows of the window.
  ///   - onChange: As ``live(_:window:countsExactly:holdsRows:onChange:)`` has it.
  ///   - residue: What a row must be like besides meeting the definition's condition: for what no
  ///     condition can say. It is asked of each row that meets the condition, when the index is
  ///     built, and of what it was and is whenever it changes; on any thread, with the views to
  ///     itself. It must say the same of equal rows, always, be quick, and not read the store. An
  ///     index with a residue is shared with nobody.
  /// - Complexity: O(n log m) in the rows of the collection for m in the view where an index is
  ///   built, on the thread that calls, in slices between which the views are free. In
  ///   memory an entry takes 8 bytes for each word of its key, 4 more, and what nodes leave free.
  /// - Throws: ``StoreError``.
  /// - Precondition: The view is of one of the reducer's collections, not divided, and has a group
  ///   for such a value where one is given, else none.
  public func live(
    _ definition: ViewDefinition, group: ListName.Group? = nil,
    window: some RangeExpression<Int>, countsExactly: Bool = false, holdsRows: Bool = true,
    onChange: (@Sendable (Change) -> Void)? = nil, residue: (@Sendable (Row) -> Bool)? = nil
  ) throws(StoreError) -> LiveView {
    let plan = try plan(of: definition, residue)
    let list = ListName(definition.name, group: group)
    let (word, window) = (plan.word(of: list), Self.window(window, countsExactly))
    return try withView(plan) { view throws(StoreError) in
      try look(
        at: ListID(view: view, group: word), list.groupKey, window, holdsRows: holdsRows, onChange)
    }
  }

  /// How many views are looked at that are not the reducer's, for tests.
  package var transientCount: Int { stage.with { $0.hub.transients.count } ?? 0 }

  private func plan(
    of definition: ViewDefinition, _ residue: (@Sendable (Row) -> Bool)?
  ) throws(StoreError) -> ViewPlan {
    let definitions = try parts.definitions
    precondition(
      definitions.collections.contains(definition.collection),
      "\(definition.name) is of a collection that isn't kept")
    return ViewPlan(definition, seed: definitions.seed, residue: residue)
  }

  /// Calls `body` with the place of a view that does what a plan says, once it is built; it is held
  /// by who looks at it then, unless that fails.
  private func withView(
    _ plan: ViewPlan, _ body: (Int) throws(StoreError) -> LiveView
  ) throws(StoreError) -> LiveView {
    guard let view = stage.with({ $0.hold(plan) }) else { throw absence }
    do {
      while try buildSlice(of: view) == false { WorkerThread.sleep(Self.pause) }
      return try body(view)
    } catch {
      stage.release(view)
      throw error
    }
  }

  private func buildSlice(of view: Int) throws(StoreError) -> Bool {
    let isBuilt: Bool?
    do { isBuilt = try stage.with { try $0.buildSlice(of: view) } } catch {
      throw StoreError(error, path: path)
    }
    guard let isBuilt else { throw absence }
    return isBuilt
  }

  /// How long the views are left to others between two slices: who waits for them would rarely get
  /// them otherwise.
  private static let pause = Duration.microseconds(100)
}
