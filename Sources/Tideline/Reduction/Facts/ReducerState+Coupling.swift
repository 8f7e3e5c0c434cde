import EventStore

/// What reading a thread or its messages means for the other.
extension ReducerState {
  /// The thread of a message, if both are there.
  mutating func thread(of entity: Entity, _ occasion: Occasion) -> Entity? {
    guard entity.kind.objectClass == .message else { return nil }
    var key: ObjectKey?
    lend(entity.row) { row in
      row.withStored(Messages.threadID.number - 1, .text) { id in
        key = ObjectKey(id.bytes, .thread, of: occasion.account)
      }
    }
    return key.flatMap { lookUp($0, .thread) }
  }

  /// What operations on other objects mean for one.
  struct Consequence {
    /// The last of their intents: what is wanted of the object later is laid above.
    var intent: Int
    /// The tags that a thread is without; a message is read.
    var tags: Set<String> = []
  }

  /// What operations on a message's thread or a thread's messages mean for it, if there are any.
  mutating func consequence(
    for entity: Entity, with messages: [Entity], _ occasion: Occasion
  ) -> Consequence? {
    switch entity.kind.objectClass {
    case .message: coveringRead(of: entity, occasion)
    case .thread: tagsLacking(from: entity, with: messages, occasion)
    default: nil
    }
  }

  /// The last operation that marks a message's thread as read, if it was wanted after the message
  /// was made.
  private mutating func coveringRead(
    of entity: Entity, _ occasion: Occasion
  ) -> Consequence? {
    // What is visible may not be as the base is yet.
    let base = base(of: entity)
    guard let id = self[base, Messages.threadID], let thread = lookUp(id, .thread, occasion) else {
      return nil
    }
    let operations = operations(of: thread.row).filter { isReading($0) }
    guard !operations.isEmpty, self[base, Messages.kind] == .message,
      let made = self[entity.row, InboxFields.making]?.record
    else { return nil }
    let intents =
      operations
      .compactMap { self[$0, Operations.intent] }.filter { $0 > made.rawValue }
    return intents.max().map { Consequence(intent: $0) }
  }

  /// Whether an operation marks as read.
  mutating func isReading(_ operation: RowHandle) -> Bool {
    let isReading = read(operation) { operation in
      operation[Operations.action] == .markRead && operation[Operations.isTrue] == true
    }
    return isReading == true
  }

  /// Whether something was open on any message before the event: where nothing was, nothing follows
  /// from that for a thread of which a server tells.
  var isAnyMessageOpen: Bool { count(of: Bases.messages) > 0 }

  /// The tags that a thread lacks as messages of it are being marked as read; `nil` where none is.
  ///
  /// - Parameter messages: Those that may have come into the thread, or be shown in it, just now.
  mutating func tagsLacking(
    from entity: Entity, with messages: [Entity], _ occasion: Occasion
  ) -> Consequence? {
    guard entity.kind.objectClass == .thread, occasion.switches.couplesUnread,
      let id = MailThread.name(of: id(of: entity.row))?.id
    else { return nil }
    var last: Int?
    for row in messages.map(\.row) + candidates(for: entity, id, occasion)
    where self[row, InboxFields.overlay]?.operation != nil && isMessage(row, of: id, occasion) {
      for operation in operations(of: row) where isReading(operation) {
        last = max(last ?? 0, self[operation, Operations.intent] ?? 0)
      }
    }
    guard let last else { return nil }
    let isRead = isAllRead(entity, occasion)
    return Consequence(intent: last, tags: isRead ? ["unread", "unseen"] : ["unseen"])
  }

  /// Whether each message that a thread lists is there, in it and visibly read.
  private mutating func isAllRead(_ thread: Entity, _ occasion: Occasion) -> Bool {
    for id in read(base(of: thread), { $0.texts(Threads.messageIDs) }) ?? [] {
      guard let message = lookUp(id, .message, occasion) else { return false }
      let isRead = read(message.row) { row in
        row[Messages.kind] != .draft && row[Messages.isUnread] != true
          && row[InboxFields.hiding]?.isSubset(of: .account) != false
      }
      guard isRead == true, self.thread(of: message, occasion)?.row == thread.row else {
        return false
      }
    }
    return true
  }

  /// The messages that are in a thread by what the server says: those that are read with it.
  mutating func messages(of thread: Entity, _ occasion: Occasion) -> [Entity] {
    guard let id = MailThread.name(of: id(of: thread.row))?.id else { return [] }
    return Set(candidates(for: thread, id, occasion)).sorted { $0.row.rawValue < $1.row.rawValue }
      .map { Entity(kind: .message, row: $0) }
      .filter { isMessage(base(of: $0), of: id, occasion) }
  }

  /// The rows among which all messages of a thread are, some of them twice: those that it lists,
  /// those that are shown, and those on which something is open, such as that they are deleted, or
  /// that they are saved in another thread.
  private mutating func candidates(
    for thread: Entity, _ id: String, _ occasion: Occasion
  ) -> [RowHandle] {
    let listed = read(thread.row) { $0.texts(Threads.messageIDs) } ?? []
    let account = occasion.account
    let open = rows(in: ListName(InboxViews.openMessagesOfThread, by: id, of: account))
    return listed.compactMap { lookUp($0, .message, occasion)?.row }
      + rows(in: ListName(InboxViews.messagesOfThread, by: id, of: account))
      + open.compactMap { find(self.id(of: $0), in: Messages.collection) }
  }

  private mutating func isMessage(
    _ row: RowHandle, of thread: String, _ occasion: Occasion
  ) -> Bool {
    let isMessage = read(row) { row in
      row[InboxFields.account] == Int64(occasion.account) && row[Messages.kind] == .message
        && row[Messages.threadID] == thread
    }
    return isMessage == true
  }

  /// Takes tags from a thread; says whether it had any of them.
  @discardableResult
  mutating func removeTags(_ tags: Set<String>, from thread: RowHandle) -> Bool {
    let hasSome = read(thread) { row in tags.contains { row.has($0, in: Threads.tagIDs) } }
    guard hasSome == true else { return false }
    change(thread) { row in
      var texts = row.texts(Threads.tagIDs)
      for tag in tags { texts.remove(tag) }
      row.set(Threads.tagIDs, texts)
    }
    return true
  }
}
