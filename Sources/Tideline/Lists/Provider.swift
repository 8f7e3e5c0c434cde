public import EventStore
import Foundation
import Synchronization

/// A live list of objects, which delivers every change until it is released.
///
///     let unread = try inbox.provider(
///       MailThread.self, where: #Predicate { $0.isUnread },
///       sort: [SortDescriptor(\.effectiveDate, order: .reverse)], window: 0..<50)
///     let changes = unread.changes
///     table.show(unread.current.list)
///     for await change in changes { table.apply(change) }
public final class Provider<Object: Model>: Sendable {
  /// The query.
  public let plan: QueryPlan<Object>
  /// The state when the provider was opened; later state arrives in the changes.
  ///
  /// Consists of the objects in the window, the number of results, if they are counted, and the
  /// position of the log. An app saves the position to ask later what has changed; after a change,
  /// the position is the `to` of its set.
  public let start: (list: ObjectList<Object>, count: Int?, position: Position)
  private let taken: Taken
  let store: InboxStore
  /// The account of the objects, or `nil` for all accounts.
  let account: UInt32?
  /// Changes to the list, and refresh outcomes for the delegate.
  let moments: Tray<ProviderMoment>
  let task = OwnedTask()
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

  /// The state after the last change that was consumed, or ``start`` before the first.
  ///
  /// Changes that have not been consumed continue from here. So a recreated screen asks for
  /// ``changes`` and then begins with this state: from then on, no other consumer takes any.
  public var current: (list: ObjectList<Object>, count: Int?, position: Position) {
    guard let change = taken.last else { return start }
    return (ObjectList(change.list), change.set.newTotal, change.set.to)
  }

  /// The changes to the list after ``current``: whatever happens between two reads is merged into
  /// one change.
  ///
  /// Supports a single consumer: asking for the changes again, as a second loop, ``tell(_:)`` or a
  /// ``LiveList`` does, takes them from the first, whose loop ends. Open another provider for each
  /// further consumer.
  public var changes: Updates<ProviderChange<Object>> {
    Updates(ProviderChanges(moments: moments, reader: moments.begin()))
  }

  /// Moves the window, which is delivered like any other change.
  ///
  /// If the new window has the same objects, an empty change is delivered. Showing the same window
  /// again does nothing.
  ///
  /// - Throws: `StoreError`.
  public func show(_ window: Range<Int>) throws(StoreError) { try view.show(window) }

  /// Ends the provider; its changes end after those already delivered.
  public func end() {
    view.end()
    moments.finish()
    task.end()
  }

  deinit { end() }
}

/// The last change of a provider that was consumed.
private final class Taken: Sendable {
  private let change = Mutex<Change?>(nil)

  var last: Change? { change.withLock(\.self) }

  /// Records the change, if any, of a consumed moment.
  func note(_ moment: ProviderMoment) {
    guard let taken = moment.change else { return }
    change.withLock { $0 = taken }
  }
}

extension InboxStore {
  /// Opens a live view of the list that matches a plan, for one account or for all.
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
