import EventStore
import Tideline

/// Which streams are kept up.
extension SyncMachine {
  /// Whether a stream is kept up, by its place.
  func keepsUp(_ place: Int) -> Bool { places?.contains(place) == true }

  /// Notes which streams are kept up, and ends what is under way of others; returns whether there
  /// are more than before.
  ///
  /// None are once the login is over, nor while the person does not let their data be used; and
  /// none of rich messages while there is no rich inbox; one without classes never is.
  mutating func adapt(_ snapshot: borrowing StoreSnapshot, _ now: Timestamp) -> Bool {
    session.isAllowed = snapshot.isAllowed(login.account)
    let isOn = session.isAllowed && snapshot.isPresent(login)
    let hasRich = snapshot.hasRichInbox(login.account)
    let places = Set(
      pulls.indices.filter {
        isOn && !pulls[$0].stream.classes.isEmpty && (hasRich || !pulls[$0].stream.isRich)
      })
    let before = self.places
    guard places != before else { return false }
    self.places = places
    endFollowing(now) { !places.contains($0) }
    if places.isEmpty {
      endPulling()
      cancel()
    } else {
      endPulling(except: places, snapshot, now)
    }
    return before.map { !places.isSubset(of: $0) } ?? false
  }

  private mutating func cancel() {
    guard refresh.cancel() else { return }
    actions.append(
      .record([RefreshEnded { $0.outcome = .cancelled }], durability: .relaxed))
  }

  private mutating func endPulling(
    except places: Set<Int>, _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) {
    let ended = pulls.indices.filter { pulls[$0].isRunning && !places.contains($0) }
    for place in ended { pulls[place].stop() }
    if !ended.isEmpty { endIfOver(nil, snapshot, now) }
  }
}

extension ServerStream {
  /// Whether it is one of rich messages.
  fileprivate var isRich: Bool { classes.allSatisfy { $0 == .rich } }
}

extension StoreSnapshot {
  /// Whether an account has a rich inbox.
  fileprivate func hasRichInbox(_ account: UInt32) -> Bool {
    value(of: Accounts.isInboxEnabled, in: "\(account)", of: Accounts.collection) != false
  }
}
