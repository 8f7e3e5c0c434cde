package import EventStore
import Tideline

/// The logins for which a server may be contacted.
extension StoreSnapshot {
  /// Returns whether a login is current, so that the server's answers count.
  func isPresent(_ login: Login) -> Bool { isLast(login) && isLoggedIn(login) }

  /// Returns whether operations may be sent under a login: it is current, or it has ended and its
  /// open operations may still be sent for a while.
  package func isServed(_ login: Login, at now: Timestamp) -> Bool {
    guard isLast(login) else { return false }
    if isLoggedIn(login) { return true }
    let until = value(of: Accounts.flushUntil, in: "\(login.account)", of: Accounts.collection)
    return until.map { now < $0 } ?? false
  }

  /// Returns the last login of an account, if operations may be sent under it and, if it has ended,
  /// some are left; otherwise nobody is logged in.
  package func servedLogin(of account: UInt32, at now: Timestamp) throws -> Login? {
    let epoch = value(of: Accounts.epoch, in: "\(account)", of: Accounts.collection)
    let login = epoch.flatMap(UInt32.init(exactly:)).map { Login(account: account, epoch: $0) }
    guard let login, isServed(login, at: now) else { return nil }
    let isNeeded =
      try isPresent(login) || count(of: ListName(InboxViews.unsent, of: account)) > 0
    return isNeeded ? login : nil
  }

  /// Returns whether an account's person allows the use of their data; otherwise nothing is asked
  /// or sent.
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
