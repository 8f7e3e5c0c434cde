public import EventStore
import Synchronization

extension Inbox {
  /// The numbers for the app's icon: first the present one, then each as it changes.
  ///
  /// There are none while the app sets its badge itself. Of those that nobody has taken yet only
  /// the last is there.
  ///
  /// For one reader.
  ///
  /// - Parameters:
  ///   - countsThreads: Whether unread threads in the inbox count.
  ///   - countsRich: Whether unread rich messages count.
  /// - Complexity: O(log *n*); each change of a number O(1).
  /// - Throws: `StoreError`.
  public func badge(
    countsThreads: Bool = true, countsRich: Bool = true
  ) throws(StoreError) -> Updates<Int> {
    let views =
      (countsThreads ? [InboxViews.unreadInbox] : []) + (countsRich ? [InboxViews.unreadRich] : [])
    return Updates(BadgeNumbers(badge: try Badge(counting: views, of: self)))
  }
}

/// The number of an app's icon: the sum of some counts, unless the app owns it.
final class Badge: Sendable {
  /// A value, as of the last record that was heard of.
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
    /// Whether all was heard of once.
    var isComplete = false
    var shown: Int?
  }

  /// The last number, as long as nobody has taken it.
  let numbers = Tray<Int> { $1 }
  private let state: Mutex<State>
  private let sources = Mutex<(views: [LiveView], row: LiveRow?)>(([], nil))

  init(counting views: [String], of inbox: Inbox) throws(StoreError) {
    let (core, account) = (inbox.store.core, Int64(inbox.account))
    let unheard = Heard(value: 0, number: .zero)
    state = Mutex(State(counts: Array(repeating: unheard, count: views.count)))
    for (index, name) in views.enumerated() {
      let view = try core.live(
        name, group: account, window: 0..<0, countsExactly: true, holdsRows: false
      ) { [weak self] change in
        self?.hear { $0.counts[index].hear(change.total ?? 0, at: change.set.to.number) }
      }
      let start = view.start
      hear { $0.counts[index].hear(start.total ?? 0, at: start.position.number) }
      sources.withLock { $0.views.append(view) }
    }
    let row = try core.watch("\(account)", in: Accounts.collection) { [weak self] change in
      self?.hear { $0.isOwn.hear(Self.isOwn(change.new), at: change.to.number) }
    }
    sources.withLock { $0.row = row }
    hear { state in
      state.isOwn.hear(Self.isOwn(row.start.row), at: row.start.position.number)
      state.isComplete = true
    }
  }

  private static func isOwn(_ account: Row?) -> Bool { account?[Accounts.ownsBadge] == true }

  /// Takes in what something is, and has the number be taken if it is another.
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

/// The numbers of a badge.
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
