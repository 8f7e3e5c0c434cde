import EventStore
import Foundation
import Tideline
import TidelineHTTP
import TidelineSync

/// Inboxes that are synced with a server.
enum SyncDesk {
  static let token = Token("tideline")

  /// A source of a token that is never refused.
  struct Tokens: TokenSource {
    func token(replacing refused: Token?) async throws -> Token? { SyncDesk.token }
  }

  /// Returns the inbox of a new store in a folder.
  static func inbox(in folder: String, _ policy: PolicySwitches) async throws -> Inbox {
    try await MailDesk.open(folder).logIn("ann@example.com", policy: policy)
  }

  static func mail(_ inbox: Inbox, _ server: ServerChild) -> Sync {
    Sync(inbox, with: InboxServer(server.address), tokens: Tokens())
  }

  static func rich(_ inbox: Inbox, _ server: ServerChild) -> Sync {
    Sync(inbox, with: RichInboxServer(server.address), tokens: Tokens())
  }

  /// Waits until an inbox and its server are in sync.
  static func catchUp(_ sync: Sync) async throws {
    try await sync.caughtUp(with: sync.inbox.store.read { $0.position })
  }

  /// Returns two lists, as a person has them open.
  static func lists(of inbox: Inbox) throws -> (Provider<MailThread>, Provider<Message>) {
    let threads = try inbox.provider(
      MailThread.self, where: #Predicate { $0.tagIDs.contains("inbox") },
      sort: [SortDescriptor(\.effectiveDate, order: .reverse)], window: 0..<50)
    let unread = try inbox.provider(
      Message.self, where: #Predicate { $0.isUnread },
      sort: [SortDescriptor(\.effectiveDate, order: .reverse)], window: 0..<50)
    return (threads, unread)
  }
}
