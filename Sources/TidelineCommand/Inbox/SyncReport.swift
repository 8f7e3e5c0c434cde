import EventStore
import Foundation
import Tideline
import TidelineSync

/// Shows inboxes while they are synced: first their lists, then each change.
struct SyncReport: Sendable {
  private let syncs: [SyncedInbox]
  private static let rows = 10

  init(_ syncs: [SyncedInbox]) { self.syncs = syncs }

  /// Shows the inboxes until the task is cancelled or showing one of them fails.
  func run() async throws -> ExitStatus {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for synced in syncs {
        let inbox = synced.sync.inbox
        group.addTask { try await showStatus(of: synced) }
        group.addTask {
          switch synced.kind {
          case .mail: try await showThreads(of: inbox)
          case .rich: try await showRich(of: inbox)
          }
        }
      }
      for try await _ in group {}
    }
    return .done
  }

  private func showStatus(of synced: SyncedInbox) async throws {
    var shown: String?
    for await status in synced.sync.statuses {
      let line = status.line(hasToken: synced.hasToken)
      if line != shown { try Self.show([line]) }
      shown = line
    }
  }

  private func showThreads(of inbox: Inbox) async throws {
    try await showChanges(
      inbox.provider(
        MailThread.self, where: #Predicate { $0.tagIDs.contains("inbox") },
        sort: [SortDescriptor(\.effectiveDate, order: .reverse)], window: 0..<Self.rows))
  }

  private func showRich(of inbox: Inbox) async throws {
    try await showChanges(inbox.rich.provider(window: 0..<Self.rows))
  }

  private func showChanges<Object: Model>(_ provider: Provider<Object>) async throws {
    defer { provider.end() }
    try Self.show(provider.start.list.map { ObjectLine($0).line })
    for await change in provider.changes { try Self.show(change.lines) }
  }

  private static func show(_ lines: [String]) throws {
    var output = Output()
    for line in lines { try output.line(line) }
    try output.flush()
  }
}

extension SyncStatus {
  /// Returns the status for people.
  func line(hasToken: Bool) -> String {
    var parts = [isLive ? "live" : isRefreshing ? "asking" : "waiting"]
    if pending > 0 { parts.append("\(pending) to send") }
    if let obstacle { parts.append(obstacle.line(hasToken: hasToken)) }
    return "-- " + parts.joined(separator: ", ")
  }
}

extension SyncStatus.Obstacle {
  /// Returns the obstacle for people.
  func line(hasToken: Bool) -> String {
    switch self {
    case .offline: "no network"
    case .unauthorized:
      hasToken
        ? "the server doesn't accept the token" : "the server requires a token: --token TOKEN"
    case .forbidden: "the server allows no changes"
    case .throttled(let until): "the server asked for a pause until \(until)"
    case .failing: "the server can't be reached; retrying"
    case .storage(let error, _): "changes can't be stored: \(error)"
    case .elsewhere: "another process is syncing this inbox"
    case .disabled: "nobody is logged in, or the person doesn't allow data use"
    }
  }
}
