extension Action {
  /// Adds tags to threads or messages, and removes others.
  public static func changeTags(
    _ type: (some Model).Type, _ ids: some Sequence<String>, adding added: Set<String> = [],
    removing removed: Set<String> = []
  ) -> Action {
    tags(type.objectClass, ids, added, removed, .plain)
  }

  /// Moves threads from the inbox to the archive.
  public static func archive(_ threads: some Sequence<String>) -> Action {
    tags(.thread, threads, ["archive"], ["inbox"], .archive)
  }

  /// Moves a thread from the inbox to the archive.
  public static func archive(_ thread: MailThread) -> Action {
    archive([thread.id]).of(thread)
  }

  /// Moves threads back to the inbox, from the archive or the trash.
  public static func moveToInbox(_ threads: some Sequence<String>) -> Action {
    tags(.thread, threads, ["inbox"], ["archive", "trash"], .unarchive)
  }

  /// Moves threads to the trash; ``moveToInbox(_:)`` moves them back.
  public static func trash(_ threads: some Sequence<String>) -> Action {
    tags(.thread, threads, ["trash"], ["inbox"], .trash)
  }

  /// Moves a thread to the trash.
  public static func trash(_ thread: MailThread) -> Action { trash([thread.id]).of(thread) }

  /// Adds a star to threads or messages.
  public static func star(_ type: (some Model).Type, _ ids: some Sequence<String>) -> Action {
    tags(type.objectClass, ids, ["starred"], [], .star)
  }

  /// Adds a star to a thread or a message.
  public static func star<Object: Model>(_ object: Object) -> Action {
    star(Object.self, [object.id]).of(object)
  }

  /// Removes the stars of threads or messages.
  public static func unstar(_ type: (some Model).Type, _ ids: some Sequence<String>) -> Action {
    tags(type.objectClass, ids, [], ["starred"], .unstar)
  }

  /// Removes the star of a thread or a message.
  public static func unstar<Object: Model>(_ object: Object) -> Action {
    unstar(Object.self, [object.id]).of(object)
  }

  /// Marks threads as seen, a weaker state than read.
  public static func markSeen(_ threads: some Sequence<String>) -> Action {
    tags(.thread, threads, [], ["unseen"], .see)
  }

  private static func tags(
    _ objectClass: ObjectClass, _ ids: some Sequence<String>, _ added: Set<String>,
    _ removed: Set<String>, _ gesture: TagGesture
  ) -> Action {
    let ids = Array(ids)
    var action = Action(objectClass, ids) { terms in
      ChangeTags {
        $0.objectClass = objectClass
        $0.ids = ids
        $0.added = added.sorted()
        $0.removed = removed.sorted()
        $0.gesture = gesture
        $0.terms = terms
      }
    }
    if let tag = added.intersection(removed).min() {
      action.failure = IntentError.contradictory(tag: tag)
    }
    if added.contains("unseen") {
      action = action.only([], wanted: "made unseen again", "Mark them as unread")
    }
    return action.only(.tagged, wanted: "put under tags")
  }
}
