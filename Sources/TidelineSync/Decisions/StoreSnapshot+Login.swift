package import EventStore
import Tideline

/// For whom a server may be spoken to.
extension StoreSnapshot {
  /// Whether a login is the present one of its account, so that what a server tells counts.
  func isPresent(_ login: Login) -> Bool { isLast(login) && isLoggedIn(login) }

  /// Whether anything may be sent under a login: it is the present one, or it has ended, and what
  /// is open is sent for a while yet.
  package func isServed(_ login: Login, at now: Timestamp) -> Bool {
    guard isLast(login) else { return false }
    if isLoggedIn(login) { return true }
    let until = value(of: Accounts.flushUntil, in: "\(login.account)", of: Accounts.collection)
    return until.map { now < $0 } ?? false
  }

  /// Whether the person of an account lets their data be used: else nothing of it is asked or sent.
  func isAllowed(_ account: UInt32) -> Bool {
    let mode = value(of: Accounts.privacy, in: "\(account)", of: Accounts.collection)
    return switch mode {
    case .restricted, .forgotten: false
    case .unrestricted, .doNotTrack, nil: true
    }
  }

  private func isLast(_ login: Login) -> Bool {
    let epoch = value(of: Accounts.epoch, in: "\(login.account)", of: Accounts.collection)
    return epoch == Int(login.epoch)
  }

  private func isLoggedIn(_ login: Login) -> Bool {
    value(of: Accounts.isLoggedIn, in: "\(login.account)", of: Accounts.collection) == true
  }
}
