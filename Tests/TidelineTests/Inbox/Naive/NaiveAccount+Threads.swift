import EventStore
import Tideline

/// That a message or a draft is in a thread's list.
struct NaiveMembership: Hashable {
  let thread: ObjectName
  let isDraft: Bool
  let id: String
}

// A thread's lists (17).
extension NaiveAccount {
  /// All that is in a thread's list while it is so.
  var memberships: Set<NaiveMembership> {
    let letters = (objects(.message) + objects(.draft)).filter { !isHidden($0) }
    return Set(
      letters.compactMap { letter in
        guard let thread = thread(of: letter), objects[thread] != nil else { return nil }
        return NaiveMembership(
          thread: thread, isDraft: letter.objectClass == .draft, id: letter.id)
      })
  }

  /// The name of the thread that a message visibly has.
  func thread(of letter: NaiveObject) -> ObjectName? {
    fields(of: letter).text(.thread).map { canonical(.thread, $0) }
  }

  /// Puts in what has begun to belong there, and takes out what ceased to.
  mutating func changeLists(from before: Set<NaiveMembership>) {
    let now = memberships
    for gone in before.subtracting(now) {
      let list = gone.list
      let kept = objects[gone.thread]?[keyPath: list].filter {
        canonical(.message, $0).id != gone.id
      }
      if let kept { objects[gone.thread]?[keyPath: list] = kept }
    }
    for new in now.subtracting(before).sorted(by: { $0.id < $1.id }) {
      let isThere = objects[new.thread]?[keyPath: new.list].contains {
        canonical(.message, $0).id == new.id
      }
      if isThere == false { objects[new.thread]?[keyPath: new.list].append(new.id) }
    }
  }

  /// A fact replaces the lists, but for drafts that the server doesn't know.
  func replaceLists(of thread: inout NaiveObject, by news: NaiveNews) {
    if let said = news.said[.messageIDs] { thread.messageIDs = said?.list ?? [] }
    if let said = news.said[.draftIDs] {
      let own = thread.draftIDs.filter { id in
        objects[canonical(.draft, id)].map { $0.serverID == nil } ?? false
      }
      let listed = said?.list ?? []
      thread.draftIDs = listed + own.filter { !listed.contains($0) }
    }
  }

  /// Ids as lists show them: those of rows (39), and of them the last 500 (15).
  func shown(_ ids: [String], _ objectClass: ObjectClass) -> [String] {
    var shown: [String] = []
    for id in ids {
      let id = canonical(objectClass, id).id
      if !shown.contains(id) { shown.append(id) }
    }
    return Array(shown.suffix(500))
  }
}

extension NaiveMembership {
  fileprivate var list: WritableKeyPath<NaiveObject, [String]> {
    isDraft ? \.draftIDs : \.messageIDs
  }
}

extension NaiveValue {
  fileprivate var list: [String] { if case .ids(let ids) = self { ids } else { [] } }
}

// Being unread (18 to 20).
extension NaiveAccount {
  /// Rule 18.
  mutating func raiseUnread(_ message: NaiveObject) {
    guard policy.couplesUnread, let id = message.base?.text(.thread) else { return }
    let thread = canonical(.thread, id)
    objects[thread]?.base?.changeTags(.thread, removing: [], adding: ["unread", "unseen"])
  }

  /// Rule 19: the tags that a thread is without while a message of it is to be read.
  func tagsLost(by thread: NaiveObject) -> [String] {
    let ids = shown(thread.messageIDs, .message)
    let isAllRead = ids.allSatisfy { id in
      guard let message = objects[canonical(.message, id)], message.objectClass == .message else {
        return false
      }
      return !fields(of: message).flag(.isUnread)
    }
    return isAllRead ? ["unseen", "unread"] : ["unseen"]
  }

  /// Whether an operation makes a message of that thread read (19).
  func reads(_ operation: NaiveOperation, messageOf thread: NaiveObject) -> Bool {
    guard policy.couplesUnread, operation.wish == .read(true),
      let message = objects[operation.name], message.objectClass == .message
    else { return false }
    return self.thread(of: message) == thread.name
  }

  /// Whether an operation that marks a thread read makes a message visibly read (20).
  func reads(_ operation: NaiveOperation, _ message: NaiveObject) -> Bool {
    guard operation.wish == .read(true), operation.name.objectClass == .thread,
      message.objectClass == .message, message.made < operation.intent,
      let id = message.base?.text(.thread)
    else { return false }
    return canonical(.thread, id) == operation.name
  }
}
