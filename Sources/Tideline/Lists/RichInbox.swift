import EventStore
import Foundation

extension Inbox {
  /// The rich inbox: what an app's owner sends to its users.
  public var rich: RichInbox { RichInbox(inbox: self) }
}

/// The rich inbox of an account: messages that are active, by what became of them.
///
///     let contents = try inbox.rich.contents(of: .unread)
///     try await inbox.rich.markRead(contents.messages.map(\.id))
public struct RichInbox: Sendable {
  /// A part of the messages that are active, the last first.
  public enum Box: String, Sendable, CaseIterable {
    /// Those that are not deleted.
    case all
    /// Those that are neither read nor deleted.
    case unread
    /// Those that are read and not deleted.
    case read
    /// Those that are deleted, read or not.
    case deleted
  }

  let inbox: Inbox

  /// Messages of one box, and how many each has, at one position.
  ///
  /// While nobody is logged in, or there is no inbox, there are none.
  ///
  /// The window has the indices of the messages that are there.
  ///
  /// - Complexity: O(log *n* + messages)
  /// - Throws: `StoreError`.
  public func contents(
    of box: Box = .all, window: Range<Int> = 0..<200
  ) throws -> RichContents {
    try inbox.store.core.read { snapshot in
      let rows = try snapshot.rows(of: list(of: box), in: window)
      return RichContents(
        position: snapshot.position, messages: rows.compactMap(RichMessage.init),
        allCount: try snapshot.count(of: list(of: .all)),
        unreadCount: try snapshot.count(of: list(of: .unread)),
        readCount: try snapshot.count(of: list(of: .read)),
        deletedCount: try snapshot.count(of: list(of: .deleted)))
    }
  }

  private func list(of box: Box) -> ListName { ListName(box.view, of: inbox.account) }

  /// A live list of the messages of a box.
  ///
  /// - Throws: `StoreError`.
  public func provider(
    of box: Box = .all, window: Range<Int> = 0..<200
  ) throws -> Provider<RichMessage> {
    try inbox.provider(
      RichMessage.self, where: box.predicate,
      sort: [SortDescriptor(\.effectiveDate, order: .reverse)], window: window)
  }

  /// Has messages be read.
  ///
  /// - Throws: As ``Inbox/perform(_:heldFor:)``.
  @discardableResult
  public func markRead(
    _ ids: some Sequence<String>, heldFor hold: Duration? = nil
  ) async throws -> IntentReceipt {
    try await inbox.perform(.read(.rich, Array(ids), true), heldFor: hold)
  }

  /// Has messages be deleted, for ever.
  ///
  /// - Throws: As ``Inbox/perform(_:heldFor:)``.
  @discardableResult
  public func delete(
    _ ids: some Sequence<String>, heldFor hold: Duration? = nil
  ) async throws -> IntentReceipt {
    try await inbox.perform(.delete(.rich, Array(ids)), heldFor: hold)
  }

  /// Has all messages be read that are active now.
  ///
  /// - Throws: As ``Inbox/perform(_:heldFor:)``.
  @discardableResult
  public func markAllRead(heldFor hold: Duration? = nil) async throws -> IntentReceipt {
    try await inbox.perform(.markAllRead(RichMessage.self), heldFor: hold)
  }

  /// Has all messages be deleted that are active now, for ever.
  ///
  /// - Throws: As ``Inbox/perform(_:heldFor:)``.
  @discardableResult
  public func deleteAll(heldFor hold: Duration? = nil) async throws -> IntentReceipt {
    try await inbox.perform(.deleteAll(RichMessage.self), heldFor: hold)
  }

  /// Opens a message: tells the sender so, where that is allowed, and has it be read where the
  /// account is configured so.
  ///
  /// Whether it is to be read the configuration says, unless `marksRead` does.
  ///
  /// - Returns: The message, as it is then: what to show, and where its link leads.
  /// - Throws: ``IntentError``, and nothing was done; `StoreError`.
  @discardableResult
  public func open(_ id: String, marksRead: Bool? = nil) async throws -> RichMessage {
    let login = try inbox.login()
    guard try inbox.object(RichMessage.self, id) != nil else { throw IntentError.unknown(id: id) }
    let keys = (inbox.store.randomness.key(), inbox.store.randomness.key())
    var events: [any InboxEvent] = [
      MessageOpened {
        $0.id = id
        $0.key = keys.0
      }
    ]
    if try marksRead ?? inbox.marksReadOnOpening {
      events.append(
        MarkRead {
          $0.objectClass = .rich
          $0.ids = [id]
          $0.isRead = true
          $0.terms.key = keys.1
        })
    }
    try await inbox.store.append(events, login)
    guard let message = try inbox.object(RichMessage.self, id) else {
      throw IntentError.unknown(id: id)
    }
    return message
  }
}

extension RichInbox.Box {
  fileprivate var view: String {
    switch self {
    case .all: InboxViews.allRich
    case .unread: InboxViews.unreadRich
    case .read: InboxViews.readRich
    case .deleted: InboxViews.deletedRich
    }
  }

  fileprivate var predicate: Predicate<RichMessage> {
    switch self {
    case .all: return #Predicate { $0.isActive && !$0.isDeleted }
    case .unread: return #Predicate { $0.isActive && !$0.isDeleted && !$0.isRead }
    case .read: return #Predicate { $0.isActive && !$0.isDeleted && $0.isRead }
    case .deleted: return #Predicate { $0.isActive && $0.isDeleted }
    }
  }
}
