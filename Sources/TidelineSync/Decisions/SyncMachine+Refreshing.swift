import EventStore
import Foundation
import Tideline

/// Refreshes: reading all streams once.
extension SyncMachine {
  /// Decides about a manual refresh, which ends waits unless it is throttled.
  mutating func wantByHand(
    _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) throws -> RefreshAnswer {
    guard places?.isEmpty == false else { return .disabled }
    if let until = throttling(snapshot, now) {
      throttle(.manual, until, now)
      return .throttled(until: Date(kept: until))
    }
    let hasStuck = try snapshot.hasStuck(in: login.account)
    if hasStuck || session.isPutOff(at: now) { restart(.requested) }
    return want(.manual, snapshot, now)
  }

  /// Decides about a refresh that nothing throttles.
  ///
  /// Whoever wants one that has not asked yet needs no other.
  @discardableResult
  mutating func want(
    _ trigger: RefreshTrigger, _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) -> RefreshAnswer {
    guard let places, !places.isEmpty else { return .disabled }
    if let beginning {
      self.beginning = trigger == .manual ? trigger : beginning
      return .started
    }
    let answer = refresh.want(
      trigger, at: now, mayBegin: session.mayBegin(at: now),
      isSoon: session.mayBeginSoon(at: now))
    if answer == .started { beginning = trigger }
    return answer
  }

  private func throttling(
    _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) -> Timestamp? {
    let (id, accounts) = ("\(login.account)", Accounts.collection)
    return refresh.throttling(
      at: now, lastByHand: snapshot.value(of: Accounts.lastManualRefresh, in: id, of: accounts),
      pause: Int64(snapshot.value(of: Accounts.refreshInterval, in: id, of: accounts) ?? 0))
  }

  private mutating func throttle(
    _ trigger: RefreshTrigger, _ until: Timestamp, _ now: Timestamp
  ) {
    let event = RefreshThrottled {
      ($0.trigger, $0.retryAfter) = (trigger, until.milliseconds(since: now))
    }
    actions.append(.record([event], durability: .relaxed))
  }

  /// Asks the first questions of a refresh that was decided on.
  mutating func beginRefresh(_ snapshot: borrowing StoreSnapshot, _ now: Timestamp) {
    guard let trigger = beginning else { return }
    beginning = nil
    actions.append(.record([RefreshBegan { $0.trigger = trigger }], durability: .relaxed))
    endFollowing(now)
    questions.beginRefresh()
    let mayStand = snapshot.hasShownAllThatWasDone
    for place in pulls.indices where keepsUp(place) {
      let start = snapshot.start(of: pulls[place], in: login.account)
      ask(
        pulls[place].begin(from: start, mayStand: mayStand), for: .stream(place), snapshot, now)
    }
  }

  /// Ends the refresh once no part of it is in progress.
  mutating func endIfOver(
    _ failure: ServerFailure?, _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) {
    if let failure { refresh.failure = failure }
    guard refresh.isRunning, beginning == nil, !pulls.contains(where: \.isRunning) else { return }
    session.madeUp()
    end(refresh.failure == nil ? .succeeded : .failed, refresh.failure, snapshot, now)
  }

  /// Ends the refresh, and begins another if one was requested meanwhile.
  mutating func end(
    _ outcome: RefreshOutcome, _ failure: ServerFailure?, _ snapshot: borrowing StoreSnapshot,
    _ now: Timestamp
  ) {
    let event = RefreshEnded {
      ($0.outcome, $0.status, $0.error) = (outcome, failure?.status, failure?.message)
    }
    // One that has not asked yet was not recorded as begun.
    if beginning == nil { actions.append(.record([event], durability: .relaxed)) }
    beginning = nil
    let since = pulls.indices.filter(keepsUp).compactMap { pulls[$0].askedAfter }.min() ?? .zero
    let next = refresh.end(outcome, since: since, at: now, backoff, draw: draw())
    if let next, session.mayBegin(at: now) {
      want(next, snapshot, now)
    } else if outcome == .succeeded {
      // Begin as soon as asking is allowed.
      if let next { want(next, snapshot, now) }
      beginFollowing(snapshot, now)
    }
  }
}

extension StoreSnapshot {
  /// Whether the server has reported the effect of every operation that it has done or refused.
  fileprivate var hasShownAllThatWasDone: Bool {
    do {
      let accounts = try rows(of: ListName(InboxViews.accounts), in: 0..<Int.max)
      let unsent = try accounts.reduce(0) { sum, account in
        try sum + count(of: ListName(InboxViews.unsent, of: UInt32(account.id) ?? 0))
      }
      return try count(of: ListName(InboxViews.outbox)) == unsent
    } catch {
      return false
    }
  }
}
