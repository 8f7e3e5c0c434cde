import EventStore

/// What messages and their threads mean for each other.
extension State {
  /// Where a message stands in a thread's lists.
  struct ThreadPlace: Equatable {
    let thread: String
    let isDraft: Bool

    /// The list.
    var list: Field<Set<String>> { isDraft ? Threads.draftIDs : Threads.messageIDs }
  }

  /// Where an object stands in a thread's lists: a message or a draft that is not being deleted.
  mutating func threadPlace(of entity: Entity) -> ThreadPlace? {
    guard entity.kind.objectClass == .message else { return nil }
    let place = read(entity.row) { row -> ThreadPlace? in
      guard let thread = row[Messages.threadID],
        (row[InboxFields.hiding] ?? []).isDisjoint(with: .unlisted)
      else { return nil }
      return ThreadPlace(thread: thread, isDraft: row[Messages.kind] == .draft)
    }
    return place ?? nil
  }

  /// Moves an object from where it stood in a thread's lists to where it stands now.
  mutating func moveInThreads(
    _ entity: Entity, from before: ThreadPlace?, _ occasion: Occasion
  ) {
    let now = threadPlace(of: entity)
    guard now != before else { return }
    let id = Message.name(of: id(of: entity.row))?.id ?? ""
    if let before, let thread = lookUp(before.thread, .thread, occasion) {
      set([id], false, in: before.list, of: thread)
      refreshIfOpen(thread, occasion)
    }
    if let now, let thread = lookUp(now.thread, .thread, occasion) {
      set([id], true, in: now.list, of: thread, atMost: FactColumn.idsMax)
      refreshIfOpen(thread, occasion)
    }
  }

  /// Has texts be among those of an object, or not, in what is visible and in its base.
  private mutating func set(
    _ texts: [String], _ isThere: Bool, in field: Field<Set<String>>, of entity: Entity,
    atMost limit: Int = .max
  ) {
    departed(entity)
    let base = base(of: entity)
    for text in texts {
      set(text, isThere, in: field, of: entity.row, atMost: limit)
      if base != entity.row { set(text, isThere, in: field, of: base, atMost: limit) }
    }
  }

  /// Has a text be among those of a row, unless they are so many, or not be there.
  private mutating func set(
    _ text: String, _ isThere: Bool, in field: Field<Set<String>>, of row: RowHandle,
    atMost limit: Int = .max
  ) {
    let isMember = read(row) { $0.has(text, in: field) } ?? false
    if isMember == isThere, text.utf8.allSatisfy({ $0 < 0x80 }) { return }
    change(row) { $0.set(text, isThere, in: field, atMost: limit) }
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
    set(["unread", "unseen"], true, in: Threads.tagIDs, of: thread)
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
    let hasSome = read(thread) { row in tags.contains { row.has($0, in: Threads.tagIDs) } }
    guard hasSome == true else { return }
    change(thread) { row in
      var texts = row.texts(Threads.tagIDs)
      for tag in tags { texts.remove(tag) }
      row.set(Threads.tagIDs, texts)
    }
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

  /// The tags that a thread lacks as messages of it are being marked as read; `nil` where none is.
  mutating func tagsLacking(from entity: Entity, _ occasion: Occasion) -> Consequence? {
    guard entity.kind.objectClass == .thread, occasion.switches.couplesUnread,
      let id = MailThread.name(of: id(of: entity.row))?.id
    else { return nil }
    var last: Int?
    for row in candidates(for: entity, id, occasion)
    where self[row, InboxFields.overlay]?.operation != nil && isMessage(row, of: id, occasion) {
      for operation in operations(of: row) where isReading(operation) {
        last = max(last ?? 0, self[operation, Operations.intent] ?? 0)
      }
    }
    guard let last else { return nil }
    let isRead = isAllRead(entity, occasion)
    return Consequence(intent: last, tags: isRead ? ["unread", "unseen"] : ["unseen"])
  }

  /// Whether each message that a thread lists is there and visibly read.
  private mutating func isAllRead(_ thread: Entity, _ occasion: Occasion) -> Bool {
    for id in read(base(of: thread), { $0.texts(Threads.messageIDs) }) ?? [] {
      guard let message = lookUp(id, .message, occasion) else { return false }
      let isRead = read(message.row) { row in
        row[Messages.kind] != .draft && row[InboxFields.hiding] == nil
          && row[Messages.isUnread] != true
      }
      guard isRead == true else { return false }
    }
    return true
  }

  /// The messages of a thread that are there.
  mutating func messages(of thread: Entity, _ occasion: Occasion) -> [Entity] {
    guard let id = MailThread.name(of: id(of: thread.row))?.id else { return [] }
    return Set(candidates(for: thread, id, occasion)).sorted { $0.row.rawValue < $1.row.rawValue }
      .filter { isMessage($0, of: id, occasion) }
      .map { Entity(kind: .message, row: $0) }
  }

  /// The rows among which all messages of a thread are, some of them twice: those that it lists, as
  /// those that are hidden are in no view, and those that the view has.
  private mutating func candidates(
    for thread: Entity, _ id: String, _ occasion: Occasion
  ) -> [RowHandle] {
    let listed = read(thread.row) { $0.texts(Threads.messageIDs) } ?? []
    return listed.compactMap { lookUp($0, .message, occasion)?.row }
      + rows(in: InboxViews.messagesOfThread, group: id, within: Int64(occasion.account))
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
}

extension MutableRow {
  /// Has a text be among those of a field, unless they are so many, or not be there.
  fileprivate mutating func set(
    _ text: String, _ isThere: Bool, in field: Field<Set<String>>, atMost limit: Int
  ) {
    var texts = texts(field)
    if isThere, texts.count >= limit { return }
    if isThere ? texts.insert(text) : texts.remove(text) { return set(field, texts) }
    // Spellings that are not plain may be equal though their bytes are not.
    var others = self[field] ?? []
    if isThere { others.insert(text) } else { others.remove(text) }
    set(field, others)
  }
}
