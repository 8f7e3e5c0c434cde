import EventStore
public import Foundation

extension Action {
  /// Marks everything of a type as read that is shown now: threads, messages or rich messages.
  ///
  /// Objects that arrive later, or that aren't active yet, are not affected.
  ///
  /// - Parameters:
  ///   - type: The type of the objects.
  ///   - tag: The tag that the objects must have; without one, all. Only threads and messages have
  ///     tags.
  ///   - predicate: A further condition. Performing the action throws a ``QueryError`` if the
  ///     condition can't be planned in full.
  public static func markAllRead<Object: Model>(
    _ type: Object.Type, tag: String? = nil, where predicate: Predicate<Object>? = nil
  ) -> Action { all(.read, tag, predicate) }

  /// Deletes everything of a type that is shown now: threads, messages, rich messages or contacts.
  ///
  /// The tag and the predicate work as in ``markAllRead(_:tag:where:)``.
  public static func deleteAll<Object: Model>(
    _ type: Object.Type, tag: String? = nil, where predicate: Predicate<Object>? = nil
  ) -> Action { all(.deleted, tag, predicate) }

  /// Marks every thread as seen.
  ///
  /// The tag and the predicate work as in ``markAllRead(_:tag:where:)``.
  public static func markAllSeen(
    tag: String? = nil, where predicate: Predicate<MailThread>? = nil
  ) -> Action { all(.seen, tag, predicate) }

  private static func all<Object: Model>(
    _ wanted: MarkAllAction, _ tag: String?, _ predicate: Predicate<Object>?
  ) -> Action {
    let condition = Result { () throws(QueryError) in
      try predicate.map { predicate throws(QueryError) in
        try QueryPlan(where: predicate).recorded
      }
    }
    let bytes = (try? condition.get()) ?? nil
    var action = Action(Object.objectClass, []) { terms in
      MarkAll {
        $0.objectClass = Object.objectClass
        $0.action = wanted
        $0.tag = tag
        $0.condition = bytes
        $0.terms = terms
      }
    }
    if case .failure(let error) = condition { action.failure = error }
    let all = action.only(wanted)
    return tag == nil ? all : all.only(.tagged, wanted: "found by a tag", "Leave out the tag")
  }

  private func only(_ wanted: MarkAllAction) -> Action {
    switch wanted {
    case .read: only(.readable, wanted: "marked as read")
    case .deleted where objectClass == .draft: only([], wanted: "deleted together", Self.oneByOne)
    case .deleted: only([.thread, .message, .rich, .contact], wanted: "deleted all at once")
    case .seen: self
    }
  }
}

extension QueryPlan {
  /// The encoded condition of the plan, as an event records it.
  fileprivate var recorded: EventBytes {
    get throws(QueryError) {
      guard residue == nil else { throw .unplanned(reasons: reasons) }
      return EventBytes(NormalCondition(condition).bytes)
    }
  }
}
