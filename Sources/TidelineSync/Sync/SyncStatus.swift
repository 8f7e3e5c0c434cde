public import EventStore
public import Foundation
import Tideline

/// How far an inbox is in step with its server.
public struct SyncStatus: Sendable, Hashable {
  /// The reason why nothing is currently asked or sent.
  public enum Obstacle: Sendable, Hashable {
    /// The network is not available.
    case offline
    /// The server accepts no available token: the person must log in again.
    ///
    /// This is not reported while another token is still being requested.
    case unauthorized
    /// The account was not allowed to make the last change; after a second such object, nothing
    /// more is sent.
    case forbidden
    /// The server requests a pause until that time.
    case throttled(until: Date)
    /// The server, or the source of tokens, can't be reached or fails; the next attempt is at that
    /// time.
    case failing(until: Date)
    /// Another process or another synchronization in this one keeps the inbox in step.
    case elsewhere
    /// The results can't be recorded or read, such as while the disk is full; the next attempt is
    /// at that time.
    ///
    /// After a disk failure, the store must be suspended and resumed first.
    case storage(StoreError, until: Date)
    /// There is nothing to keep in step: nobody is logged in any more, or the person does not allow
    /// the use of their data.
    ///
    /// Synchronization continues by itself once they do. After another login, create a new `Sync`.
    case disabled
  }

  /// The progress of a file upload.
  public struct Upload: Sendable, Hashable, Identifiable {
    /// The file's id when the upload began.
    public let id: String
    /// The number of bytes sent; starts over with each attempt.
    public internal(set) var sent: Int64 = 0
    /// The size in bytes; 0 while unknown.
    public internal(set) var total: Int64 = 0

    /// The fraction sent, from 0 to 1.
    public var fraction: Double { total > 0 ? Double(sent) / Double(total) : 0 }
  }

  /// Whether news is being requested.
  public internal(set) var isRefreshing = false
  /// Whether the server reports news as it happens, so that the content shown is current.
  public internal(set) var isLive = false
  /// When everything that the server had was last here, if ever.
  public internal(set) var upToDateAt: Date?
  /// The number of operations that the server has not done.
  public internal(set) var pending = 0
  /// The files being uploaded, in the order in which the uploads began.
  ///
  /// Progress is reported at most once per hundredth of a file.
  public internal(set) var uploads: [Upload] = []
  /// Why nothing is currently asked or sent, if so.
  public internal(set) var obstacle: Obstacle?
}

extension SyncMachine {
  /// Returns the synchronization status.
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
    // While a token is being requested, its lack is the reason for the failed refresh.
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
    if let end = tokens.waitEnd(at: now) { return .failing(until: Date(kept: end)) }
    if let end = quiet?.wait.end(at: now), quiet?.reason != .throttled {
      return .failing(until: Date(kept: max(end, pause?.end(at: now) ?? end)))
    }
    if let end = quietEnd(at: now) { return .throttled(until: Date(kept: end)) }
    return forbidden == nil ? nil : .forbidden
  }
}
