public import EventStore
public import Foundation
import Tideline

/// How far an inbox is in step with its server.
public struct SyncStatus: Sendable, Hashable {
  /// Why nothing is asked or sent at present.
  public enum Obstacle: Sendable, Hashable {
    /// There is no network.
    case offline
    /// The server doesn't take the token: the person has to log in anew.
    case unauthorized
    /// The account may be read, and not changed.
    case forbidden
    /// The server wants to be left alone until then.
    case throttled(until: Date)
    /// The server can't be reached, or fails; it is tried again then.
    case failing(until: Date)
    /// Another process keeps the inbox in step, or another synchronization of this one.
    case elsewhere
    /// What comes of it can't be recorded, or not be read: such as while the disk is full, or until
    /// the store is suspended and resumed behind a disk that failed. It is tried again then.
    case storage(StoreError, until: Date)
  }

  /// How far a file has come that is being uploaded.
  public struct Upload: Sendable, Hashable, Identifiable {
    /// The file's id, as it was when the upload began.
    public let id: String
    /// How many of its bytes were sent; tried again, it begins anew.
    public internal(set) var sent: Int64 = 0
    /// How many bytes it has; 0 while that is not known.
    public internal(set) var total: Int64 = 0

    /// How much of it was sent: 0 for nothing, 1 for all.
    public var fraction: Double { total > 0 ? Double(sent) / Double(total) : 0 }
  }

  /// Whether news are being asked for.
  public internal(set) var isRefreshing = false
  /// Whether the server tells by itself what is new, so that what is shown is what it has.
  public internal(set) var isLive = false
  /// When everything that the server had was there last, if it ever was.
  public internal(set) var upToDateAt: Date?
  /// How many operations the server has not done.
  public internal(set) var pending = 0
  /// The files that are being uploaded at present, the first begun first.
  ///
  /// That more of one was sent is told at each hundredth of it at most.
  public internal(set) var uploads: [Upload] = []
  /// Why nothing is asked or sent at present, if nothing is.
  public internal(set) var obstacle: Obstacle?
}

extension SyncMachine {
  /// How far the inbox is in step.
  package func status(_ snapshot: borrowing StoreSnapshot, at now: Timestamp) throws -> SyncStatus {
    var status = SyncStatus()
    status.isRefreshing = refresh.isRunning
    status.isLive = follows.contains(where: \.isFollowing)
    let (id, accounts) = ("\(login.account)", Accounts.collection)
    status.upToDateAt = snapshot.value(of: Accounts.lastRefresh, in: id, of: accounts)
      .map { Date(kept: $0) }
    status.pending = try snapshot.count(of: InboxViews.unsent, group: Int64(login.account))
    status.obstacle = session.obstacle(at: now, trying: refresh.nextAt)
    return status
  }
}

extension SessionPlan {
  fileprivate func obstacle(at now: Timestamp, trying next: Timestamp?) -> SyncStatus.Obstacle? {
    if let refusal {
      let until = max(refusal.until, next ?? refusal.until)
      return .storage(refusal.error, until: Date(kept: until))
    }
    if !isOnline { return .offline }
    if isUnauthorized { return .unauthorized }
    if let quiet, quiet.until > now {
      let until = Date(kept: quiet.until)
      return quiet.reason == .throttled ? .throttled(until: until) : .failing(until: until)
    }
    return isForbidden ? .forbidden : nil
  }
}
