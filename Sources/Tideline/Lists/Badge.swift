public import EventStore
import Synchronization

extension Inbox {
  /// The numbers for the app's icon: the present one first, then each new one.
  ///
  /// Emits nothing while the app sets its badge itself. Only the latest number that has not been
  /// consumed is kept.
  ///
  /// Supports a single consumer.
  ///
  /// - Parameters:
  ///   - countsThreads: Whether unread threads in the inbox count.
  ///   - countsRich: Whether unread rich messages count.
  /// - Complexity: O(log *n*); each change of a number O(1).
  /// - Throws: `StoreError`.
  public func badge(
    countsThreads: Bool = true, countsRich: Bool = true
  ) throws(StoreError) -> Updates<Int> {
    let badge = try Badge(threads: countsThreads, rich: countsRich, of: account, in: store)
    return Updates(BadgeNumbers(badge: badge))
  }
}

extension InboxStore {
  /// The numbers for the app's icon across all logged-in accounts.
  ///
  /// Works like ``Inbox/badge(countsThreads:countsRich:)``. Emits nothing while the app sets its
  /// badge itself for any of these accounts.
  ///
  /// - Complexity: O(*n*) at the beginning; each change of a number O(1).
  /// - Throws: `StoreError`.
  public func badge(
    countsThreads: Bool = true, countsRich: Bool = true
  ) throws(StoreError) -> Updates<Int> {
    let badge = try Badge(threads: countsThreads, rich: countsRich, of: nil, in: self)
    return Updates(BadgeNumbers(badge: badge))
  }
}

/// The number on an app's icon: the sum of some counts, unless the app sets the badge itself.
final class Badge: Sendable {
  /// A value, as of the latest record that it reflects.
  private struct Heard<Value: Sendable>: Sendable {
    var value: Value
    var number: RecordNumber

    mutating func hear(_ value: Value, at number: RecordNumber) {
      if number >= self.number { (self.value, self.number) = (value, number) }
    }
  }

  private struct State {
    var counts: [Heard<Int>]
    var isOwn = Heard(value: false, number: .zero)
    /// Whether every source has reported at least once.
    var isComplete = false
    var shown: Int?
  }

  /// The latest number, until it is consumed.
  let numbers = Tray<Int> { $1 }
  private let state: Mutex<State>
  /// The live views and rows that feed the badge, kept alive with it.
  private let sources = Mutex<[any Sendable]>([])
  /// The logged-in accounts whose badge the app sets itself.
  private static let owners = ViewDefinition(
    "owners of the badge", of: Accounts.collection,
    where: Accounts.ownsBadge == true && Accounts.isLoggedIn == true)

  /// Creates the badge of one account, or of all.
  init(
    threads: Bool, rich: Bool, of account: UInt32?, in store: InboxStore
  ) throws(StoreError) {
    let views = (threads ? [InboxViews.unreadInbox] : []) + (rich ? [InboxViews.unreadRich] : [])
    let unheard = Heard(value: 0, number: .zero)
    state = Mutex(State(counts: Array(repeating: unheard, count: views.count)))
    for (index, name) in views.enumerated() {
      let view = try store.lookAtCount(of: name, account) { [weak self] change in
        self?.hear { $0.counts[index].hear(change.total ?? 0, at: change.set.to.number) }
      }
      let start = view.start
      hear { $0.counts[index].hear(start.total ?? 0, at: start.position.number) }
      sources.withLock { $0.append(view) }
    }
    if let account {
      try watchOwner(account, in: store)
    } else {
      try watchOwners(in: store)
    }
    hear { $0.isComplete = true }
  }

  /// Watches whether the app sets an account's badge itself.
  private func watchOwner(_ account: UInt32, in store: InboxStore) throws(StoreError) {
    let owner = try store.core.watch(
      "\(account)", in: Accounts.collection
    ) { [weak self] change in
      let isOwn = change.new?[Accounts.ownsBadge] == true
      self?.hear { $0.isOwn.hear(isOwn, at: change.to.number) }
    }
    sources.withLock { $0.append(owner) }
    let start = owner.start
    let isOwn = start.row?[Accounts.ownsBadge] == true
    hear { $0.isOwn.hear(isOwn, at: start.position.number) }
  }

  /// Watches whether the app sets its badge itself for any logged-in account.
  private func watchOwners(in store: InboxStore) throws(StoreError) {
    let owners = try store.core.lookAtCount(of: Self.owners) { [weak self] change in
      self?.hear { $0.isOwn.hear(change.total != 0, at: change.set.to.number) }
    }
    sources.withLock { $0.append(owners) }
    let start = owners.start
    hear { $0.isOwn.hear(start.total != 0, at: start.position.number) }
  }

  /// Applies a change, and publishes the resulting number if it is a new one.
  private func hear(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      guard state.isComplete else { return }
      guard !state.isOwn.value else {
        state.shown = nil
        return
      }
      let number = state.counts.reduce(0) { $0 + $1.value }
      guard number != state.shown else { return }
      state.shown = number
      numbers.put(number)
    }
  }
}

extension InboxStore {
  /// Watches the row count of one of the inbox's views, for one account or for all.
  fileprivate func lookAtCount(
    of name: String, _ account: UInt32?, _ onChange: @escaping @Sendable (Change) -> Void
  ) throws(StoreError) -> LiveView {
    if let account {
      return try core.live(
        ListName(name, of: account), window: 0..<0, countsExactly: true, holdsRows: false,
        onChange: onChange)
    }
    guard let view = views.first(where: { $0.name == name }) else {
      preconditionFailure("\(name) is not one of the inbox's views")
    }
    let whole = ViewDefinition(
      name, of: view.collection, where: view.condition, orderedBy: view.order)
    return try core.lookAtCount(of: whole, onChange)
  }
}

extension Store {
  /// Watches the row count of a view that is built for this purpose.
  fileprivate func lookAtCount(
    of view: ViewDefinition, _ onChange: @escaping @Sendable (Change) -> Void
  ) throws(StoreError) -> LiveView {
    try live(view, window: 0..<0, countsExactly: true, holdsRows: false, onChange: onChange)
  }
}

/// The numbers of a badge, as a sequence.
private struct BadgeNumbers: AsyncSequence, Sendable {
  let badge: Badge

  func makeAsyncIterator() -> Iterator { Iterator(badge: badge) }

  struct Iterator: AsyncIteratorProtocol {
    let badge: Badge

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Never) -> Int? { await badge.numbers.take() }
  }
}
