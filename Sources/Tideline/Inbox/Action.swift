import EventStore

/// What a person or an app wants of an inbox.
///
///     try await inbox.perform(.markRead(message))
///     try await inbox.perform(.archive(thread), heldFor: .seconds(5))
public struct Action: Sendable {
  /// Makes the intent, with its terms.
  let intent: @Sendable (IntentTerms) -> any Intent
  /// What it is about, and has to be there.
  let objectClass: ObjectClass
  let ids: [String]
  /// What the policy has to allow.
  var marksUnread = false
  /// A tag that is in both lists.
  var contradiction: String?

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
  static var objectClass: ObjectClass {
    if Self.self is Draft.Type { return .draft }
    return ObjectClass(rawValue: Int64(collection.number)) ?? .other
  }
}

extension Action {
  /// Has things be read: threads with their messages, messages, rich messages.
  public static func markRead(_ type: (some Model).Type, _ ids: String...) -> Action {
    read(type.objectClass, ids, true)
  }

  /// Has a thing be read.
  public static func markRead<Object: Model>(_ object: Object) -> Action {
    read(Object.objectClass, [object.id], true)
  }

  /// Has things be unread, where the server can do that.
  public static func markUnread(_ type: (some Model).Type, _ ids: String...) -> Action {
    read(type.objectClass, ids, false)
  }

  /// Has a thing be unread, where the server can do that.
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
    return action
  }

  /// Has things be gone; a rich message goes to the deleted ones, for ever.
  public static func delete(_ type: (some Model).Type, _ ids: String...) -> Action {
    delete(type.objectClass, ids)
  }

  /// Has a thing be gone.
  public static func delete<Object: Model>(_ object: Object) -> Action {
    delete(Object.objectClass, [object.id])
  }

  static func delete(_ objectClass: ObjectClass, _ ids: [String]) -> Action {
    guard objectClass != .draft else {
      let id = ids.first ?? ""
      return Action(.draft, [id]) { terms in
        DeleteDraft {
          $0.id = id
          $0.terms = terms
        }
      }
    }
    return Action(objectClass, ids) { terms in
      DeleteObjects {
        $0.objectClass = objectClass
        $0.ids = ids
        $0.terms = terms
      }
    }
  }

  /// Has everything of a type be read that is shown now: what comes later is not meant, nor is what
  /// is not active yet.
  public static func markAllRead(_ type: (some Model).Type, tag: String? = nil) -> Action {
    all(type.objectClass, .read, tag)
  }

  /// Has everything of a type be gone that is shown now.
  public static func deleteAll(_ type: (some Model).Type, tag: String? = nil) -> Action {
    all(type.objectClass, .deleted, tag)
  }

  /// Has every thread be seen.
  public static func markAllSeen(tag: String? = nil) -> Action { all(.thread, .seen, tag) }

  private static func all(
    _ objectClass: ObjectClass, _ wanted: MarkAllAction, _ tag: String?
  ) -> Action {
    Action(objectClass, []) { terms in
      MarkAll {
        $0.objectClass = objectClass
        $0.action = wanted
        $0.tag = tag
        $0.terms = terms
      }
    }
  }
}
