public import EventStore
public import Foundation
import Tideline

/// How far an inbox is in step with its server.
public struct SyncStatus: Sendable, Hashable {
  /// Why nothing is asked or sent at present.
  public enum Obstacle: Sendable, Hashable {
    /// There is no network.
    case offline
    /// There is no token that the server takes: the person has to log in anew. While another is
    /// only being asked for that is not said yet.
    case unauthorized
    /// The account may not change what was to be changed last; where that is so of a second object,
    /// nothing more is sent.
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
    /// There is nothing to be kept in step: nobody is logged in any more, or the person does not
    /// let their data be used. It goes on by itself once they do; after another login that begins a
    /// `Sync` of its own.
    case disabled
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
  /// Whether the server is let tell by itself what is new, so that what is shown is what it has.
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
    status.pending = try snapshot.count(of: ListName(InboxViews.unsent, of: login.account))
    status.obstacle =
      snapshot.isServed(login, at: now) ? obstacle(at: now) : .disabled
    return status
  }

  private func obstacle(at now: Timestamp) -> SyncStatus.Obstacle? {
    if !session.isAllowed { return .disabled }
    // Where a token is being asked for, that is what a refresh has failed for.
    let retryAt = session.tokens.isThere ? refresh.retryAt(now) : nil
    return session.obstacle(at: now, trying: refresh.nextAt(now))
      ?? retryAt.map { .failing(until: Date(kept: $0)) }
  }
}

extension SessionPlan {
  fileprivate func obstacle(at now: Timestamp, trying next: Timestamp?) -> SyncStatus.Obstacle? {
    if let refusal {
      let until = [refusal.wait?.until, next].compactMap(\.self).max() ?? now
      return .storage(refusal.error, until: Date(kept: until))
    }
    if !isOnline { return .offline }
    if tokens.isMissing { return .unauthorized }
    if let end = quiet?.wait.end(at: now), quiet?.reason != .throttled {
      return .failing(until: Date(kept: max(end, pause?.end(at: now) ?? end)))
    }
    if let end = quietEnd(at: now) { return .throttled(until: Date(kept: end)) }
    return forbidden == nil ? nil : .forbidden
  }
}
