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
  /// What the sources reported last, each `nil` before its first report.
  ///
  /// Changes are reported in order, but the beginning possibly after some of them. A later report
  /// may be of an earlier record, if records that were shown did not get into the log.
  private struct State {
    var counts: [Int?]
    var isOwn: Bool?
    var shown: Int?
  }

  /// The latest number, until it is consumed; none if that is the one consumed last.
  let numbers: Tray<Int>
  /// The number consumed last, unless the app set its badge since.
  private let taken: Latest<Int?>
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
    let taken = Latest<Int?>(nil)
    numbers = Tray(merging: { $1 == taken.value ? nil : $1 }) { taken.set($0) }
    self.taken = taken
    state = Mutex(State(counts: Array(repeating: nil, count: views.count)))
    for (index, name) in views.enumerated() {
      let view = try store.lookAtCount(of: name, account) { [weak self] change in
        self?.hear { $0.counts[index] = change.total ?? 0 }
      }
      hear { $0.counts[index] = $0.counts[index] ?? view.start.total ?? 0 }
      sources.withLock { $0.append(view) }
    }
    if let account {
      try watchOwner(account, in: store)
    } else {
      try watchOwners(in: store)
    }
  }

  /// Watches whether the app sets an account's badge itself.
  private func watchOwner(_ account: UInt32, in store: InboxStore) throws(StoreError) {
    let owner = try store.core.watch(
      "\(account)", in: Accounts.collection
    ) { [weak self] change in
      let isOwn = change.new?[Accounts.ownsBadge] == true
      self?.hear { $0.isOwn = isOwn }
    }
    sources.withLock { $0.append(owner) }
    let isOwn = owner.start.row?[Accounts.ownsBadge] == true
    hear { $0.isOwn = $0.isOwn ?? isOwn }
  }

  /// Watches whether the app sets its badge itself for any logged-in account.
  private func watchOwners(in store: InboxStore) throws(StoreError) {
    let owners = try store.core.lookAtCount(of: Self.owners) { [weak self] change in
      self?.hear { $0.isOwn = change.total != 0 }
    }
    sources.withLock { $0.append(owners) }
    hear { $0.isOwn = $0.isOwn ?? (owners.start.total != 0) }
  }

  /// Applies a change, and publishes the resulting number if it is a new one.
  private func hear(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      let counts = state.counts.compactMap(\.self)
      guard let isOwn = state.isOwn, counts.count == state.counts.count else { return }
      guard !isOwn else {
        state.shown = nil
        numbers.clear()
        return taken.set(nil)
      }
      let number = counts.reduce(0, +)
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
