import EventStore
public import Foundation

extension Action {
  /// Has everything of a type be read that is shown now, threads, messages or rich messages: what
  /// comes later is not meant, nor is what is not active yet.
  ///
  /// - Parameters:
  ///   - type: What the objects are.
  ///   - tag: The tag that they have, where not all are meant: threads and messages have tags.
  ///   - predicate: What else they are like. To perform it throws a ``QueryError`` where that can't
  ///     be planned whole.
  public static func markAllRead<Object: Model>(
    _ type: Object.Type, tag: String? = nil, where predicate: Predicate<Object>? = nil
  ) -> Action { all(.read, tag, predicate) }

  /// Has everything of a type be gone that is shown now: threads, messages, rich messages or
  /// contacts.
  ///
  /// Tag and predicate are as those of ``markAllRead(_:tag:where:)``.
  public static func deleteAll<Object: Model>(
    _ type: Object.Type, tag: String? = nil, where predicate: Predicate<Object>? = nil
  ) -> Action { all(.deleted, tag, predicate) }

  /// Has every thread be seen.
  ///
  /// Tag and predicate are as those of ``markAllRead(_:tag:where:)``.
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
  /// The bytes by which an event says what it finds.
  fileprivate var recorded: EventBytes {
    get throws(QueryError) {
      guard residue == nil else { throw .unplanned(reasons: reasons) }
      return EventBytes(NormalCondition(condition).bytes)
    }
  }
}
