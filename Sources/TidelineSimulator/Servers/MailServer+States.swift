import Tideline
import TidelineSync

/// State changes of any origin, with their side effects.
extension MailServer {
  /// Notes the change of a thread, which gets a new version.
  func touched(thread id: String) {
    guard threads[id] != nil else { return }
    threads.change(id) { $0.version += 1 }
    log.add(.modify, ObjectName(.thread, id))
  }

  /// Changes whether an object is read, or its tags.
  func change(_ part: ServerRequest.Part) {
    switch (part.objectClass, part.wanted) {
    case (.message, .read(let isRead)): read(message: part.id, isRead)
    case (.thread, .read(let isRead)): read(thread: part.id, isRead)
    case (.message, .tags(let added, let removed)): tag(message: part.id, added, removed)
    case (.thread, .tags(let added, let removed)): tag(thread: part.id, added, removed)
    default: break
    }
  }

  /// Marks a message as read or unread; reading it makes its thread seen, and read if all its
  /// messages are.
  func read(message id: String, _ isRead: Bool) {
    guard let message = messages[id], !message.isDraft else { return }
    messages.change(id) { $0.isUnread = !isRead }
    log.add(.modify, ObjectName(.message, id))
    threads.change(message.thread) { thread in
      guard isRead else {
        thread.tags.insert("unread")
        return
      }
      thread.tags.remove("unseen")
      if !hasUnread(thread) { thread.tags.remove("unread") }
    }
    touched(thread: message.thread)
  }

  /// Marks a thread and its messages as read or unread.
  func read(thread id: String, _ isRead: Bool) {
    tag(thread: id, isRead ? [] : ["unread"], isRead ? ["unread", "unseen"] : [])
  }

  /// Removes tags from a thread, and then adds others.
  func tag(thread id: String, _ added: Set<String>, _ removed: Set<String>) {
    guard let thread = threads[id] else { return }
    let isRead = removed.contains("unread") && !added.contains("unread")
    threads.change(id) { thread in
      thread.tags.subtract(isRead ? removed.union(["unseen"]) : removed)
      thread.tags.formUnion(added)
    }
    if isRead { markAll(of: thread, isUnread: false) }
    if added.contains("unread") { markAll(of: thread, isUnread: true) }
    touched(thread: id)
  }

  private func markAll(of thread: ServedThread, isUnread: Bool) {
    for id in thread.items {
      guard let message = messages[id], !message.isDraft, message.isUnread != isUnread else {
        continue
      }
      messages.change(id) { $0.isUnread = isUnread }
      log.add(.modify, ObjectName(.message, id))
    }
  }

  private func hasUnread(_ thread: ServedThread) -> Bool {
    thread.items.contains { messages[$0].map { !$0.isDraft && $0.isUnread } ?? false }
  }

  /// Removes tags from a message, and then adds others.
  func tag(message id: String, _ added: Set<String>, _ removed: Set<String>) {
    guard messages[id]?.isDraft == false else { return }
    messages.change(id) { message in
      message.tags = message.tags.subtracting(removed).union(added)
      message.isTagged = true
    }
    log.add(.modify, ObjectName(.message, id))
  }

  /// Creates a tag that is never renamed.
  package func addTag(_ id: String) {
    tags[id] = ServedTag(id: id, name: id, isOwn: false)
    log.add(.create, ObjectName(.tag, id))
  }

  /// Creates a tag of the person's own.
  func makeTag(_ name: String) -> String {
    let id = newID("l")
    tags[id] = ServedTag(id: id, name: name, isOwn: true)
    log.add(.create, ObjectName(.tag, id))
    return id
  }

  /// Renames a tag.
  func rename(tag id: String, _ name: String) {
    tags.change(id) { $0.name = name }
    log.add(.modify, ObjectName(.tag, id))
  }

  /// Removes a tag, from threads and messages too.
  func remove(tag id: String) {
    for thread in threads.all.filter({ $0.tags.contains(id) }) {
      threads.change(thread.id) { $0.tags.remove(id) }
      touched(thread: thread.id)
    }
    for message in messages.all.filter({ $0.tags.contains(id) }) {
      tag(message: message.id, [], [id])
    }
    tags[id] = nil
    log.add(.delete, ObjectName(.tag, id))
  }

  /// Creates a thread without messages.
  func makeThread(_ subject: String) -> String {
    let id = newID("t")
    threads[id] = ServedThread(id: id, subject: subject)
    log.add(.create, ObjectName(.thread, id))
    return id
  }

  /// Receives a message by mail.
  package func receive(_ text: String, from sender: String, in thread: String?) -> String {
    let subject = thread.flatMap { threads[$0]?.subject } ?? text
    let thread = thread ?? makeThread(subject)
    let id = newID("m")
    messages[id] = ServedMessage(
      id: id, thread: thread, subject: subject, text: text, sender: sender,
      recipients: [Self.person], date: now, isUnread: true)
    log.add(.create, ObjectName(.message, id))
    threads.change(thread) { thread in
      thread.items.append(id)
      thread.tags.formUnion(["inbox", "unread", "unseen"])
    }
    touched(thread: thread)
    return id
  }

  /// Removes a message or a draft, and a thread with its last one.
  func remove(message id: String) {
    guard let message = messages[id] else { return }
    messages[id] = nil
    removed.append(ObjectName(message.isDraft ? .draft : .message, id))
    log.add(.delete, ObjectName(message.isDraft ? .draft : .message, id))
    threads.change(message.thread) { $0.items.removeAll { $0 == id } }
    if threads[message.thread]?.items.isEmpty == true { return remove(thread: message.thread) }
    touched(thread: message.thread)
  }

  /// Removes a thread with its messages and drafts.
  func remove(thread id: String) {
    guard let thread = threads[id] else { return }
    threads[id] = nil
    removed.append(ObjectName(.thread, id))
    for item in thread.items {
      guard let message = messages[item] else { continue }
      messages[item] = nil
      removed.append(ObjectName(message.isDraft ? .draft : .message, item))
      log.add(.delete, ObjectName(message.isDraft ? .draft : .message, item))
    }
    log.add(.delete, ObjectName(.thread, id))
  }
}
