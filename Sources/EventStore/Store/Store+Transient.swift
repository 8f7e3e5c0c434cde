import LMDB

extension Store {
  /// Opens a live view of a window of a view, or of one of its groups, that need not be one of the
  /// reducer's.
  ///
  /// If one of the reducer's views is equivalent, whatever its name, that view is used. Otherwise
  /// an index of the rows is built in memory, and kept up to date like the others while it has
  /// subscribers; equivalent views share it. Nothing of it is written to disk. When the views are
  /// reopened, as by ``resume()``, the index is rebuilt, and subscribers get a reset if anything
  /// changed in the meantime.
  ///
  /// - Parameters:
  ///   - definition: The view.
  ///   - group: The group, if the view has groups; one index holds all of them.
  ///   - window: The indices of the rows that are shown: `0..<50`, or `0...` for all.
  ///   - countsExactly: Whether to report the number of rows in the whole list, and so also changes
  ///     outside the window that affect it.
  ///   - holdsRows: Whether each change includes all rows of the window.
  ///   - onChange: As in ``live(_:window:countsExactly:holdsRows:onChange:)``.
  ///   - residue: A further test of the rows that meet the definition's condition, for what no
  ///     condition can express. Called for each such row when the index is built, and for a row's
  ///     old and new values whenever it changes; on any thread, with exclusive access to the views.
  ///     It must always give equal rows the same result, be quick, and not read the store. An index
  ///     with a residue is never shared.
  /// - Complexity: If an index is built, O(n log m) for n rows in the collection and m in the view,
  ///   on the calling thread, in slices between which the views are free. Each entry takes 8 bytes
  ///   of memory per word of its key, 4 more, and the free space in nodes.
  /// - Throws: ``StoreError``.
  /// - Precondition: The view is over one of the reducer's collections and isn't divided. If
  ///   `group` is given, the view has a group for such a value; if not, the view has no groups.
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

  /// The number of views in use that aren't the reducer's; for tests.
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

  /// Calls `body` with the index of a view that follows a plan, once it is built; the live view
  /// then holds the view, unless `body` fails.
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

  /// The pause between two slices, without which other threads would rarely get the views.
  private static let pause = Duration.microseconds(100)
}
