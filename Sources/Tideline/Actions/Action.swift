import EventStore

/// What a person or an app wants of an inbox.
///
///     try await inbox.perform(.markRead(message))
///     try await inbox.perform(.archive(thread), heldFor: .seconds(5))
public struct Action: Sendable {
  /// Makes the intent, with its terms.
  let intent: @Sendable (IntentTerms) -> any Intent
  /// Makes it instead where the draft of that id is not there.
  var anew: (id: String, intent: @Sendable (IntentTerms) -> any Intent)?
  /// What it is about, and has to be there.
  let objectClass: ObjectClass
  let ids: [String]
  /// What the policy has to allow.
  var marksUnread = false
  /// Whether it is too late for it once a draft is being sent.
  var deletesDrafts = false
  /// Why it can't be.
  var failure: (any Error)?

  init(
    _ objectClass: ObjectClass, _ ids: [String],
    _ intent: @escaping @Sendable (IntentTerms) -> any Intent
  ) {
    self.objectClass = objectClass
    self.ids = ids
    self.intent = intent
  }
}

extension Model {
  /// What objects of this type are called in the log.
  package static var objectClass: ObjectClass {
    if Self.self is Draft.Type { return .draft }
    return ObjectClass(rawValue: Int64(collection.number)) ?? .other
  }
}

extension Action {
  /// Has things be read: threads with their messages, messages, rich messages.
  public static func markRead(_ type: (some Model).Type, _ ids: some Sequence<String>) -> Action {
    read(type.objectClass, Array(ids), true)
  }

  /// Has a thing be read: a thread with its messages, a message, a rich message.
  public static func markRead<Object: Model>(_ object: Object) -> Action {
    read(Object.objectClass, [object.id], true)
  }

  /// Has things be unread, where the server can do that: such as ``markRead(_:_:)`` takes.
  public static func markUnread(
    _ type: (some Model).Type, _ ids: some Sequence<String>
  ) -> Action {
    read(type.objectClass, Array(ids), false)
  }

  /// Has a thing be unread, where the server can do that: such as ``markRead(_:)`` takes.
  public static func markUnread<Object: Model>(_ object: Object) -> Action {
    read(Object.objectClass, [object.id], false)
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

  /// Has things be gone; a rich message goes to the deleted ones, for ever, and drafts go one by
  /// one.
  public static func delete(_ type: (some Model).Type, _ ids: some Sequence<String>) -> Action {
    delete(type.objectClass, Array(ids))
  }

  /// Has a thing be gone for good: many mail servers refuse that of threads and messages, which
  /// `trash` moves away instead.
  public static func delete<Object: Model>(_ object: Object) -> Action {
    delete(Object.objectClass, [object.id])
  }

  static func delete(_ objectClass: ObjectClass, _ ids: [String]) -> Action {
    guard objectClass != .draft else { return deleteDraft(ids) }
    let action = Action(objectClass, ids) { terms in
      DeleteObjects {
        $0.objectClass = objectClass
        $0.ids = ids
        $0.terms = terms
      }
    }
    return action.only(
      ObjectKind.all.map(\.objectClass), wanted: "deleted", "Call erase() of the inbox")
  }

  private static func deleteDraft(_ ids: [String]) -> Action {
    let id = ids.first ?? ""
    var action = Action(.draft, [id]) { terms in
      DeleteDraft {
        $0.id = id
        $0.terms = terms
      }
    }
    action.deletesDrafts = true
    return ids.count > 1 ? action.only([], wanted: "deleted together", oneByOne) : action
  }
}
