import EventStore
import Tideline

/// The membership of a message or a draft in a thread.
struct NaiveMembership: Hashable {
  let thread: ObjectName
  let isDraft: Bool
  var id: String
}

// A thread's lists (17).
extension NaiveAccount {
  /// All memberships of messages and drafts in threads.
  var memberships: Set<NaiveMembership> {
    let letters = (objects(.message) + objects(.draft)).filter { !isHidden($0) }
    return Set(
      letters.compactMap { letter in
        guard let thread = thread(of: letter) else { return nil }
        return NaiveMembership(
          thread: thread, isDraft: letter.objectClass == .draft, id: letter.id)
      })
  }

  /// Returns the name of a message's visible thread.
  func thread(of letter: NaiveObject) -> ObjectName? {
    fields(of: letter).text(.thread).map { canonical(.thread, $0) }
  }

  /// Adds new members to the lists, and removes former ones.
  mutating func changeLists(from before: Set<NaiveMembership>) {
    let now = memberships
    for var gone in before.subtracting(now) {
      let name = canonical(.message, gone.id)
      gone.id = name.id
      guard !now.contains(gone) else { continue }
      renameLists(by: gone)
      let rest = objects[gone.thread]?[keyPath: gone.list].filter {
        canonical(.message, $0) != name
      }
      if let rest { objects[gone.thread]?[keyPath: gone.list] = rest }
    }
    for new in now.subtracting(before).sorted(by: { $0.id < $1.id }) {
      renameLists(by: new)
      if new.id.hasPrefix("local-"), !new.isDraft {
        objects[new.thread]?.draftIDs.removeAll { $0 == new.id }
      }
      guard let list = objects[new.thread]?[keyPath: new.list], list.count < 500,
        !list.contains(new.id)
      else { continue }
      objects[new.thread]?[keyPath: new.list].append(new.id)
    }
  }

  /// Removes a hidden message from its thread's lists when the message goes; visible ones go with
  /// their membership (17).
  mutating func unlist(_ letter: NaiveObject) {
    guard letter.name.objectClass == .message, isHidden(letter), let thread = thread(of: letter)
    else { return }
    for isDraft in [false, true] {
      let place = NaiveMembership(thread: thread, isDraft: isDraft, id: letter.id)
      renameLists(by: place)
      let rest = objects[thread]?[keyPath: place.list].filter {
        canonical(.message, $0) != letter.name
      }
      if let rest { objects[thread]?[keyPath: place.list] = rest }
    }
  }

  /// Renames a list's ids if the member has a temporary id.
  private mutating func renameLists(by membership: NaiveMembership) {
    if membership.id.hasPrefix("local-") { renameLists(ofThread: membership.thread) }
  }

  /// Replaces the lists by a fact's, but keeps present drafts with temporary ids.
  func replaceLists(of thread: inout NaiveObject, by news: NaiveNews) {
    if let said = news.said[.messageIDs] { thread.messageIDs = said?.list ?? [] }
    if let said = news.said[.draftIDs] {
      let own = thread.draftIDs.filter {
        $0.hasPrefix("local-") && objects[canonical(.message, $0)] != nil
      }
      let listed = said?.list ?? []
      thread.draftIDs = listed + own.filter { !listed.contains($0) }
    }
  }
}

extension NaiveMembership {
  fileprivate var list: WritableKeyPath<NaiveObject, [String]> {
    isDraft ? \.draftIDs : \.messageIDs
  }
}

// Unread state (20 to 22).
extension NaiveAccount {
  /// Rule 20.
  mutating func raiseUnread(_ message: NaiveObject, isNew: Bool) {
    guard policy.couplesUnread, let thread = thread(of: message),
      !isNew || objects[thread]?.messageIDs.contains(message.id) == false
    else { return }
    let raised = isNew ? ["unread", "unseen"] : ["unread"]
    objects[thread]?.base?.changeTags(.thread, removing: [], adding: raised)
    objects[thread].map { objects[thread]?.raised = max($0.raised, message.made) }
  }

  /// Rule 21: returns the tags that a thread has in addition while a message of it is to be unread.
  func tagsGained(by thread: NaiveObject) -> [String] {
    let isUnread = operations.contains { operation in
      guard operation.wish == .read(false), let message = objects[operation.name] else {
        return false
      }
      return marks(operation, messageOf: thread) && !isHidden(message)
        && fields(of: message).flag(.isUnread)
    }
    return isUnread ? ["unread"] : []
  }

  /// Rule 21: returns the tags that a thread loses while a message of it is to be read.
  func tagsLost(by thread: NaiveObject) -> [String] {
    let isToBeRead = operations.contains {
      $0.wish == .read(true) && marks($0, messageOf: thread)
    }
    guard isToBeRead else { return [] }
    let isAllRead = thread.messageIDs.allSatisfy { id in
      guard let message = objects[canonical(.message, id)], message.objectClass == .message,
        self.thread(of: message) == thread.name, !isHidden(message)
      else { return false }
      return !fields(of: message).flag(.isUnread)
    }
    return isAllRead ? ["unseen", "unread"] : ["unseen"]
  }

  /// Returns whether an operation makes a message of that thread read or unread (21).
  func marks(_ operation: NaiveOperation, messageOf thread: NaiveObject) -> Bool {
    guard policy.couplesUnread, case .read = operation.wish,
      let message = objects[operation.name], message.objectClass == .message
    else { return false }
    return self.thread(of: message) == thread.name
  }

  /// Returns whether an operation that marks a thread read makes a message visibly read (22).
  func reads(_ operation: NaiveOperation, _ message: NaiveObject) -> Bool {
    guard operation.wish == .read(true), operation.name.objectClass == .thread,
      message.objectClass == .message, message.made < operation.intent
    else { return false }
    return servedThread(of: message) == operation.name
  }

  /// Returns the name of the thread that the server puts a message in.
  func servedThread(of message: NaiveObject) -> ObjectName? {
    message.base?.text(.thread).map { canonical(.thread, $0) }
  }
}
