import EventStore
import Foundation

extension Inbox {
  /// The rich inbox: the messages that the app's owner sends to its users.
  public var rich: RichInbox { RichInbox(inbox: self) }
}

/// The rich inbox of an account: its active messages, by whether they are read or deleted.
///
///     let contents = try inbox.rich.contents(of: .unread)
///     try await inbox.rich.markRead(contents.messages.map(\.id))
public struct RichInbox: Sendable {
  /// A subset of the active messages, newest first.
  public enum Box: String, Sendable, CaseIterable {
    /// Messages that are not deleted.
    case all
    /// Messages that are neither read nor deleted.
    case unread
    /// Messages that are read and not deleted.
    case read
    /// Messages that are deleted, read or not.
    case deleted
  }

  let inbox: Inbox

  /// Returns the messages of a box and the counts of all boxes, at one position.
  ///
  /// Returns none while nobody is logged in, or while the rich inbox is disabled.
  ///
  /// The window is a range of indices into the box.
  ///
  /// - Complexity: O(log *n* + messages)
  /// - Throws: `StoreError`.
  public func contents(
    of box: Box = .all, window: Range<Int> = 0..<200
  ) throws -> RichContents {
    // The messages are made from their rows once others may read.
    let (position, rows, all, unread, read, deleted) = try inbox.store.core.read { snapshot in
      (
        snapshot.position, try snapshot.rows(of: list(of: box), in: window),
        try snapshot.count(of: list(of: .all)), try snapshot.count(of: list(of: .unread)),
        try snapshot.count(of: list(of: .read)), try snapshot.count(of: list(of: .deleted))
      )
    }
    return RichContents(
      position: position, messages: rows.compactMap(RichMessage.init), allCount: all,
      unreadCount: unread, readCount: read, deletedCount: deleted)
  }

  private func list(of box: Box) -> ListName { ListName(box.view, of: inbox.account) }

  /// Returns a live list of the messages of a box.
  ///
  /// - Throws: `StoreError`.
  public func provider(
    of box: Box = .all, window: Range<Int> = 0..<200
  ) throws -> Provider<RichMessage> {
    try inbox.provider(
      RichMessage.self, where: box.predicate,
      sort: [SortDescriptor(\.effectiveDate, order: .reverse)], window: window)
  }

  /// Marks messages as read.
  ///
  /// - Throws: As ``Inbox/perform(_:heldFor:)``.
  @discardableResult
  public func markRead(
    _ ids: some Sequence<String>, heldFor hold: Duration? = nil
  ) async throws -> IntentReceipt {
    try await inbox.perform(.read(.rich, Array(ids), true), heldFor: hold)
  }

  /// Deletes messages permanently.
  ///
  /// - Throws: As ``Inbox/perform(_:heldFor:)``.
  @discardableResult
  public func delete(
    _ ids: some Sequence<String>, heldFor hold: Duration? = nil
  ) async throws -> IntentReceipt {
    try await inbox.perform(.delete(.rich, Array(ids)), heldFor: hold)
  }

  /// Marks all messages as read that are active now.
  ///
  /// - Throws: As ``Inbox/perform(_:heldFor:)``.
  @discardableResult
  public func markAllRead(heldFor hold: Duration? = nil) async throws -> IntentReceipt {
    try await inbox.perform(.markAllRead(RichMessage.self), heldFor: hold)
  }

  /// Permanently deletes all messages that are active now.
  ///
  /// - Throws: As ``Inbox/perform(_:heldFor:)``.
  @discardableResult
  public func deleteAll(heldFor hold: Duration? = nil) async throws -> IntentReceipt {
    try await inbox.perform(.deleteAll(RichMessage.self), heldFor: hold)
  }

  /// Opens a message: reports that to the sender if allowed, and marks the message as read if the
  /// account is configured that way.
  ///
  /// `marksRead` overrides the configuration.
  ///
  /// - Returns: The message after that, with its content and the target of its link.
  /// - Throws: ``IntentError`` if nothing was done, or the message is gone meanwhile; `StoreError`.
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
