public import EventStore
import Foundation
import Synchronization

/// A live list of objects, told of each change until it is let go.
///
///     let unread = try inbox.provider(
///       MailThread.self, where: #Predicate { $0.isUnread },
///       sort: [SortDescriptor(\.effectiveDate, order: .reverse)], window: 0..<50)
///     let changes = unread.changes
///     table.show(unread.current.list)
///     for await change in changes { table.apply(change) }
public final class Provider<Object: Model>: Sendable {
  /// What is asked for.
  public let plan: QueryPlan<Object>
  /// What there was when it was opened; what came since the changes say.
  ///
  /// These are the objects of the window, how many the query found, where they are counted, and
  /// where the log stood. The position is what an app keeps, to ask later what changed; after a
  /// change it is its set's `to`.
  public let start: (list: ObjectList<Object>, count: Int?, position: Position)
  private let taken: Taken
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
    let taken = Taken()
    let moments = Tray<ProviderMoment>(merging: { $0.merging($1) }) { taken.note($0) }
    (self.moments, self.taken) = (moments, taken)
    view = try store.look(at: plan, of: account, window, counts: counts) { change in
      moments.put(ProviderMoment(change: change))
    }
    let start = view.start
    self.start = (ObjectList(start.rows), start.total, start.position)
  }

  /// What the last change led to that somebody took; ``start`` before there is one.
  ///
  /// What was not taken yet goes on from it. So a screen that is made anew begins with it, where it
  /// asked for ``changes`` before: from then on nobody else takes any.
  public var current: (list: ObjectList<Object>, count: Int?, position: Position) {
    guard let change = taken.last else { return start }
    return (ObjectList(change.list), change.set.newTotal, change.set.to)
  }

  /// What happens to the list from ``current`` on: each change as it is taken, and what happens
  /// meanwhile merged into the next.
  ///
  /// For one reader: who asks for them again, such as by a second loop, ``tell(_:)`` or a
  /// ``LiveList``, takes them from the first, whose loop ends. Who else wants to be told opens a
  /// provider of their own.
  public var changes: Updates<ProviderChange<Object>> {
    Updates(ProviderChanges(moments: moments, reader: moments.begin()))
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

/// The last change of a provider that somebody took.
private final class Taken: Sendable {
  private let change = Mutex<Change?>(nil)

  var last: Change? { change.withLock(\.self) }

  /// Notes what a moment has that was taken.
  func note(_ moment: ProviderMoment) {
    guard let taken = moment.change else { return }
    change.withLock { $0 = taken }
  }
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
