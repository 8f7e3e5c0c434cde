package import EventStore

/// How far an inbox is in step with its server.
package struct SyncStatus: Sendable, Hashable {
  /// Why nothing is asked or sent at present.
  package enum Obstacle: Sendable, Hashable {
    /// There is no network.
    case offline
    /// The server doesn't take the token: the person has to log in anew.
    case unauthorized
    /// The account may be read, and not changed.
    case forbidden
    /// The server wants to be left alone until then.
    case throttled(until: Timestamp)
    /// The server can't be reached, or fails; it is tried again then.
    case failing(until: Timestamp)
  }

  /// Whether news are being asked for.
  package var isRefreshing = false
  /// When everything that the server had was there last, if it ever was.
  package var upToDateAt: Timestamp?
  /// How many operations the server has not done.
  package var pending = 0
  /// Why nothing is asked or sent at present, if nothing is.
  package var obstacle: Obstacle?
}

extension SyncMachine {
  /// How far the inbox is in step.
  package func status(_ snapshot: borrowing StoreSnapshot, at now: Timestamp) throws -> SyncStatus {
    var status = SyncStatus()
    status.isRefreshing = refresh.isRunning
    status.upToDateAt = refresh.succeededAt
    status.pending = try snapshot.count(of: InboxViews.unsent, group: Int64(login.account))
    status.obstacle = session.obstacle(at: now)
    return status
  }
}

extension SessionPlan {
  fileprivate func obstacle(at now: Timestamp) -> SyncStatus.Obstacle? {
    if !isOnline { return .offline }
    if isUnauthorized { return .unauthorized }
    if let quiet, quiet.until > now {
      return quiet.reason == .throttled
        ? .throttled(until: quiet.until) : .failing(until: quiet.until)
    }
    return isForbidden ? .forbidden : nil
  }
}
