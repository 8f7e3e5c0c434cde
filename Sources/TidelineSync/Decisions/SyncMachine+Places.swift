import EventStore
import Tideline

/// The streams that are kept up.
extension SyncMachine {
  /// Returns whether the stream at a place is kept up.
  func keepsUp(_ place: Int) -> Bool { places?.contains(place) == true }

  /// Determines which streams are kept up and stops reading others; returns whether streams were
  /// added.
  ///
  /// No stream is kept up after the login ends or while the person does not allow the use of their
  /// data. Streams of rich messages need a rich inbox. A stream without classes is never kept up.
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
    let hasBegun = beginning == nil
    beginning = nil
    guard refresh.cancel(), hasBegun else { return }
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
  /// Whether the stream contains rich messages only.
  fileprivate var isRich: Bool { classes.allSatisfy { $0 == .rich } }
}

extension StoreSnapshot {
  /// Returns whether an account has a rich inbox.
  fileprivate func hasRichInbox(_ account: UInt32) -> Bool {
    value(of: Accounts.isInboxEnabled, in: "\(account)", of: Accounts.collection) != false
  }
}
