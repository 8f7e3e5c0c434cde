import EventStore

/// A request by a person or an app to change an inbox.
///
///     try await inbox.perform(.markRead(message))
///     try await inbox.perform(.archive(thread), heldFor: .seconds(5))
///
/// An action on an empty selection of ids does nothing.
public struct Action: Sendable {
  /// Creates the intent with the given terms.
  let intent: @Sendable (IntentTerms) -> any Intent
  /// Creates the intent instead, if the draft with this id doesn't exist.
  var anew: (id: String, intent: @Sendable (IntentTerms) -> any Intent)?
  /// The objects, of which at least one must be shown.
  let objectClass: ObjectClass
  let ids: [String]
  /// The account of the object that was given, if one was.
  private(set) var account: UInt32?
  /// Whether the policy must allow marking unread.
  var marksUnread = false
  /// The drafts that the action changes: it is too late once one of them is being sent.
  var drafts: [String] = []
  /// Whether the action sends the draft.
  var isSending = false
  /// Why it can't be performed.
  var failure: (any Error)?

  init(
    _ objectClass: ObjectClass, _ ids: [String],
    _ intent: @escaping @Sendable (IntentTerms) -> any Intent
  ) {
    self.objectClass = objectClass
    self.ids = ids
    self.intent = intent
  }

  /// Returns the action for the account of an object only: another may have an equal id.
  func of(_ object: some Model) -> Action {
    var action = self
    action.account = object.account
    return action
  }
}

extension Action {
  /// Marks objects as read: threads with their messages, messages, or rich messages.
  public static func markRead(_ type: (some Model).Type, _ ids: some Sequence<String>) -> Action {
    read(type.objectClass, Array(ids), true)
  }

  /// Marks an object as read: a thread with its messages, a message, or a rich message.
  public static func markRead<Object: Model>(_ object: Object) -> Action {
    read(Object.objectClass, [object.id], true).of(object)
  }

  /// Marks objects as unread, if the server supports that; accepts the types of ``markRead(_:_:)``.
  public static func markUnread(
    _ type: (some Model).Type, _ ids: some Sequence<String>
  ) -> Action {
    read(type.objectClass, Array(ids), false)
  }

  /// Marks an object as unread, if the server supports that; accepts the types of ``markRead(_:)``.
  public static func markUnread<Object: Model>(_ object: Object) -> Action {
    read(Object.objectClass, [object.id], false).of(object)
  }

  static func read(
    _ objectClass: ObjectClass, _ ids: [String], _ isRead: Bool
  ) -> Action {
    var action = Action(objectClass, ids) { terms in
      MarkRead {
        $0.objectClass = objectClass
        $0.ids = ids
        $0.isRead = isRead
        $0.terms = terms
      }
    }
    action.marksUnread = !isRead
    return action.only(.readable, wanted: isRead ? "marked as read" : "marked as unread")
  }

  /// Deletes objects; rich messages move to the deleted ones, permanently, and drafts can only be
  /// deleted one by one.
  public static func delete(_ type: (some Model).Type, _ ids: some Sequence<String>) -> Action {
    delete(type.objectClass, Array(ids))
  }

  /// Permanently deletes an object.
  ///
  /// Many mail servers refuse this for threads and messages; `trash` moves a thread away instead.
  public static func delete<Object: Model>(_ object: Object) -> Action {
    delete(Object.objectClass, [object.id]).of(object)
  }

  static func delete(_ objectClass: ObjectClass, _ ids: [String]) -> Action {
    if objectClass == .draft, let first = ids.first { return deleteDraft(first, of: ids.count) }
    let action = Action(objectClass, ids) { terms in
      DeleteObjects {
        $0.objectClass = objectClass
        $0.ids = ids
        $0.terms = terms
      }
    }
    return action.only(
      ObjectKind.all.map(\.objectClass) + [.draft], wanted: "deleted", "Call erase() of the inbox")
  }

  private static func deleteDraft(_ id: String, of count: Int) -> Action {
    var action = Action(.draft, [id]) { terms in
      DeleteDraft {
        $0.id = id
        $0.terms = terms
      }
    }
    action.drafts = [id]
    return count > 1 ? action.only([], wanted: "deleted together", oneByOne) : action
  }
}
