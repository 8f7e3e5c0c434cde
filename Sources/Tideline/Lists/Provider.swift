public import EventStore
import Foundation

/// A live list of objects, told of each change until it is let go.
///
///     let unread = try inbox.provider(
///       MailThread.self, where: #Predicate { $0.isUnread },
///       sort: [SortDescriptor(\.effectiveDate, order: .reverse)], window: 0..<50)
///     table.show(unread.start.list)
///     for await change in unread.changes { table.apply(change) }
public final class Provider<Object: Model>: Sendable {
  /// What is asked for.
  public let plan: QueryPlan<Object>
  /// What there was when it was opened; what came since the changes say.
  ///
  /// These are the objects of the window, how many the query found, where they are counted, and
  /// where the log stood. The position is what an app keeps, to ask later what changed; after a
  /// change it is its set's `to`.
  public let start: (list: ObjectList<Object>, count: Int?, position: Position)
  let store: InboxStore
  /// The account whose objects these are; `nil` where they are of all.
  let account: UInt32?
  /// What happens to the list, and what the delegate is to be told beside it.
  let moments: Tray<ProviderMoment>
  let errand = Errand()
  private let view: LiveView

  init(
    _ plan: QueryPlan<Object>, _ window: Range<Int>, counts: Bool, in store: InboxStore,
    of account: UInt32?
  ) throws {
    (self.plan, self.store, self.account) = (plan, store, account)
    let moments = Tray<ProviderMoment> { $0.merging($1) }
    self.moments = moments
    view = try store.look(at: plan, of: account, window, counts: counts) { change in
      moments.put(ProviderMoment(change: change))
    }
    let start = view.start
    self.start = (ObjectList(start.rows), start.total, start.position)
  }

  /// What happens to the list from when it was opened: each change as it is taken, and what happens
  /// meanwhile merged into the next.
  ///
  /// For one reader: who reads them again, by a second loop, ``tell(_:)`` or a ``LiveList``, takes
  /// them from the first, whose loop ends. Who else wants to be told opens a provider of their own;
  /// so does a screen that is made anew, as ``start`` lacks what was read since.
  public var changes: Updates<ProviderChange<Object>> {
    Updates(ProviderChanges(moments: moments))
  }

  /// Shows other objects of the list: what that changes is told as any change is.
  ///
  /// Where they turn out to be the same ones an empty change tells so. To show the same window
  /// again does nothing.
  /// - Throws: `StoreError`.
  public func show(_ window: Range<Int>) throws(StoreError) { try view.show(window) }

  /// Ends it; the changes end behind what was delivered.
  public func end() {
    view.end()
    moments.finish()
    errand.end()
  }

  deinit { end() }
}

extension InboxStore {
  /// Looks at the list that shows what a plan finds in an account, or in all.
  func look<Object: Model>(
    at plan: QueryPlan<Object>, of account: UInt32?, _ window: Range<Int>, counts: Bool,
    _ onChange: @escaping @Sendable (Change) -> Void
  ) throws -> LiveView {
    if let list = plan.list(among: views, of: account) {
      return try core.live(list, window: window, countsExactly: counts, onChange: onChange)
    }
    let definition = ViewDefinition(
      "query", of: Object.collection, where: plan.condition.of(account), orderedBy: plan.order)
    let residue = plan.residue.map { residue in
      { @Sendable (row: Row) in Object(row).flatMap { try? residue.evaluate($0) } ?? false }
    }
    return try core.live(
      definition, window: window, countsExactly: counts, onChange: onChange, residue: residue)
  }
}
