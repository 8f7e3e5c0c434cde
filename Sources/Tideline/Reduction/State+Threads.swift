import EventStore

/// What messages and their threads mean for each other.
extension State {
  /// Where a message stands in a thread's lists.
  struct ThreadPlace: Equatable {
    let thread: String
    let isDraft: Bool
    let id: String

    /// The list.
    var list: Field<Set<String>> { isDraft ? Threads.draftIDs : Threads.messageIDs }
  }

  /// Where an object stands in a thread's lists: a message or a draft that is not being deleted.
  mutating func threadPlace(of entity: Entity) -> ThreadPlace? {
    guard entity.kind.objectClass == .message, isPresent(entity.row),
      let thread = self[entity.row, Messages.threadID],
      (self[entity.row, InboxFields.hiding] ?? []).isDisjoint(with: .unlisted)
    else { return nil }
    let isDraft = self[entity.row, Messages.kind] == .draft
    let id = Message.name(of: id(of: entity.row))?.id ?? ""
    return ThreadPlace(thread: thread, isDraft: isDraft, id: id)
  }

  /// Moves an object from where it stood in a thread's lists to where it stands now.
  mutating func moveInThreads(
    _ entity: Entity, from before: ThreadPlace?, _ occasion: Occasion
  ) {
    let now = threadPlace(of: entity)
    guard now != before else { return }
    if let before, let thread = lookUp(before.thread, .thread, occasion) {
      changeTexts(before.list, of: thread) { $0.remove(before.id) }
      refreshIfOpen(thread, occasion)
    }
    if let now, let thread = lookUp(now.thread, .thread, occasion) {
      changeTexts(now.list, of: thread) { ids in
        if ids.count < FactColumn.idsMax { ids.insert(now.id) }
      }
      refreshIfOpen(thread, occasion)
    }
  }

  /// Changes texts of an object, in what is visible and in its base.
  private mutating func changeTexts(
    _ field: Field<Set<String>>, of entity: Entity, _ body: (inout Set<String>) -> Void
  ) {
    departed(entity)
    for row in Set([entity.row, base(of: entity)]) {
      let before = self[row, field] ?? []
      var texts = before
      body(&texts)
      if texts != before { self[row, field] = texts.isEmpty ? nil : texts }
    }
  }

  /// Whether the base of a message is unread.
  mutating func isBaseUnread(_ entity: Entity) -> Bool {
    entity.kind.objectClass == .message && self[base(of: entity), Messages.isUnread] == true
  }

  /// Gives the thread of a message that was not unread before the tags that it is now.
  mutating func raiseUnread(_ entity: Entity, _ occasion: Occasion) {
    guard occasion.switches.couplesUnread, isBaseUnread(entity),
      self[base(of: entity), Messages.kind] == .message, let thread = thread(of: entity, occasion)
    else { return }
    changeTexts(Threads.tagIDs, of: thread) { $0.formUnion(["unread", "unseen"]) }
    refreshIfOpen(thread, occasion)
  }

  /// The thread of a message, if both are there.
  mutating func thread(of entity: Entity, _ occasion: Occasion) -> Entity? {
    guard entity.kind.objectClass == .message,
      let id = self[entity.row, Messages.threadID]
    else { return nil }
    return lookUp(id, .thread, occasion)
  }

  /// Makes anew what is visible of the thread of a message, where that is not as its base.
  mutating func refreshThread(of entity: Entity, _ occasion: Occasion) {
    if let thread = thread(of: entity, occasion) { refreshIfOpen(thread, occasion) }
  }

  /// Takes tags from a thread.
  mutating func subtract(_ tags: Set<String>, from thread: RowHandle) {
    let left = (self[thread, Threads.tagIDs] ?? []).subtracting(tags)
    self[thread, Threads.tagIDs] = left.isEmpty ? nil : left
  }
}

/// Reading.
extension State {
  /// What operations on other objects mean for one.
  struct Consequence {
    /// The last of their intents: what is wanted of the object later is laid above.
    var intent: Int
    /// The tags that a thread is without; a message is read.
    var tags: Set<String> = []
  }

  /// What operations on a message's thread or a thread's messages mean for it, if there are any.
  mutating func consequence(for entity: Entity, _ occasion: Occasion) -> Consequence? {
    switch entity.kind.objectClass {
    case .message: coveringRead(of: entity, occasion)
    case .thread: tagsLacking(from: entity, occasion)
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
    guard self[base, Messages.kind] == .message, let id = self[base, Messages.threadID],
      let thread = lookUp(id, .thread, occasion),
      let made = self[entity.row, InboxFields.making]?.record
    else { return nil }
    let intents = operations(of: thread.row).filter { isReading($0) }
      .compactMap { self[$0, Operations.intent] }.filter { $0 > made.rawValue }
    return intents.max().map { Consequence(intent: $0) }
  }

  /// Whether an operation marks as read.
  mutating func isReading(_ operation: RowHandle) -> Bool {
    self[operation, Operations.action] == .markRead && self[operation, Operations.isTrue] == true
  }

  /// Whether operations are open that mark messages as read.
  var isReadingMessages: Bool {
    mutating get {
      rows(in: InboxViews.outbox).contains { operation in
        self[operation, Operations.objectClass] == .message && isReading(operation)
      }
    }
  }

  /// The tags that a thread lacks as messages of it are being marked as read; `nil` where none is.
  mutating func tagsLacking(from entity: Entity, _ occasion: Occasion) -> Consequence? {
    guard entity.kind.objectClass == .thread, occasion.switches.couplesUnread else { return nil }
    var last: Int?
    for message in messages(of: entity, occasion) {
      for operation in operations(of: message.row) where isReading(operation) {
        last = max(last ?? 0, self[operation, Operations.intent] ?? 0)
      }
    }
    guard let last else { return nil }
    let isRead = isAllRead(entity, occasion)
    return Consequence(intent: last, tags: isRead ? ["unread", "unseen"] : ["unseen"])
  }

  /// Whether each message that a thread lists is there and visibly read.
  private mutating func isAllRead(_ thread: Entity, _ occasion: Occasion) -> Bool {
    for id in self[base(of: thread), Threads.messageIDs] ?? [] {
      guard let message = object(id, .message, occasion), isShown(message),
        self[message.row, Messages.isUnread] != true
      else { return false }
    }
    return true
  }

  /// The messages of a thread that are there.
  mutating func messages(of thread: Entity, _ occasion: Occasion) -> [Entity] {
    guard let id = MailThread.name(of: id(of: thread.row))?.id else { return [] }
    // Those that are hidden are in no view.
    let listed = (self[thread.row, Threads.messageIDs] ?? []).sorted()
      .compactMap { lookUp($0, .message, occasion)?.row }
    let shown = rows(
      in: InboxViews.messagesOfThread, group: id, within: Int64(occasion.account))
    return Set(listed + shown).sorted { $0.row.rawValue < $1.row.rawValue }
      .filter { isMessage($0, of: id, occasion) }
      .map { Entity(kind: .message, row: $0) }
  }

  private mutating func isMessage(
    _ row: RowHandle, of thread: String, _ occasion: Occasion
  ) -> Bool {
    isPresent(row) && self[row, InboxFields.account] == Int64(occasion.account)
      && self[row, Messages.threadID] == thread && self[row, Messages.kind] == .message
  }
}
