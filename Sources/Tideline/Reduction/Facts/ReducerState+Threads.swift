import EventStore

/// The messages that threads list, and the unread state of threads.
extension ReducerState {
  /// The position of a message in a thread's lists.
  struct ThreadPlace: Equatable {
    let thread: String
    let isDraft: Bool

    /// The list.
    var list: Field<Set<String>> { isDraft ? Threads.draftIDs : Threads.messageIDs }
  }

  /// Returns the thread position of an object, if it is a message or draft that is not being
  /// deleted.
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

  /// Moves an object from its old to its current position in threads' lists.
  mutating func moveInThreads(
    _ entity: Entity, from before: ThreadPlace?, _ occasion: Occasion
  ) {
    let now = threadPlace(of: entity)
    guard now != before else { return }
    if let before { list(entity, false, at: before, occasion) }
    if let now { list(entity, true, at: now, occasion) }
  }

  /// Removes a removed object from the lists of its thread, even if it was hidden but listed by a
  /// server.
  mutating func unlist(_ entity: Entity, _ occasion: Occasion) {
    if let place = threadPlace(of: entity) { return list(entity, false, at: place, occasion) }
    guard entity.kind.objectClass == .message, let thread = self[entity.row, Messages.threadID]
    else { return }
    for isDraft in [false, true] {
      list(entity, false, at: ThreadPlace(thread: thread, isDraft: isDraft), occasion)
    }
  }

  /// Returns the existing drafts in a thread's list that have a device id, so that a server may
  /// know them by another id or not at all.
  mutating func ownDrafts(of thread: Entity, _ occasion: Occasion) -> [String] {
    guard thread.kind.objectClass == .thread else { return [] }
    let listed = read(base(of: thread)) { $0.texts(Threads.draftIDs) } ?? []
    return listed.filter {
      TemporaryID.begins($0) && lookUp($0, .message, occasion) != nil
    }
  }

  /// Adds an object to a list or removes it.
  mutating func list(
    _ entity: Entity, _ isThere: Bool, at place: ThreadPlace, _ occasion: Occasion
  ) {
    guard let thread = lookUp(place.thread, .thread, occasion) else { return }
    let id = objectID(of: entity)
    // The list may still contain the server's id for the object.
    if TemporaryID.begins(id) {
      useOwnIDs(of: thread, occasion)
      // A list from before the draft was sent may have added it to the drafts again.
      if isThere, !place.isDraft { set([id], false, in: Threads.draftIDs, of: thread) }
    }
    set([id], isThere, in: place.list, of: thread, atMost: FactColumn.idsMax)
    refreshIfOpen(thread, occasion)
  }

  /// Adds texts to an object's field or removes them, in both the visible row and the base.
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

  /// Adds a text to a row's field, unless that is full, or removes it.
  private mutating func set(
    _ text: String, _ isThere: Bool, in field: Field<Set<String>>, of row: RowHandle,
    atMost limit: Int = .max
  ) {
    let isMember = read(row) { $0.has(text, in: field) } ?? false
    if isMember == isThere, text.utf8.allSatisfy({ $0 < 0x80 }) { return }
    change(row) { $0.set(text, isThere, in: field, atMost: limit) }
  }

  /// Returns whether a thread lists a message, so that its tags already account for the message.
  mutating func lists(_ thread: Entity, _ message: Entity) -> Bool {
    let id = objectID(of: message)
    return read(base(of: thread)) { $0.has(id, in: Threads.messageIDs) } == true
  }

  /// Returns whether the base of a message is unread.
  mutating func isBaseUnread(_ entity: Entity) -> Bool {
    entity.kind.objectClass == .message && self[base(of: entity), Messages.isUnread] == true
  }

  /// Adds unread tags to the thread of a message that has become unread.
  ///
  /// Anything that was there before counts as seen.
  mutating func raiseUnread(_ entity: Entity, isNew: Bool, _ occasion: Occasion) {
    guard occasion.switches.couplesUnread, isBaseUnread(entity),
      self[base(of: entity), Messages.kind] == .message, let thread = thread(of: entity, occasion)
    else { return }
    set(isNew ? ["unread", "unseen"] : ["unread"], true, in: Threads.tagIDs, of: thread)
    if let made = self[entity.row, InboxFields.making]?.record {
      let raised = max(self[base(of: thread), Threads.raised]?.rawValue ?? 0, made.rawValue)
      for row in layers(of: thread) { self[row, Threads.raised] = Mark(rawValue: raised) }
    }
    refreshIfOpen(thread, occasion)
  }

  /// Refreshes the visible state of a reported object if it or its thread has open operations.
  mutating func refreshIfConcerned(_ entity: Entity, _ occasion: Occasion) {
    let isConcerned = isOpen(entity) || thread(of: entity, occasion).map { isOpen($0) } == true
    if isConcerned { refresh(entity, occasion) }
  }

  /// Refreshes the visible state of a message's former and current threads if operations affect
  /// them, since the message's operations move with it.
  mutating func refreshThreads(
    of entity: Entity, from before: Entity?, _ occasion: Occasion
  ) {
    let thread = thread(of: entity, occasion)
    if let before, before.row != thread?.row { refreshIfOpen(before, occasion) }
    guard let thread else { return }
    if isOpen(entity) || isOpen(thread) { refresh(thread, with: [entity], occasion) }
  }

  /// Refreshes everything that depends on the open operations of an object, after one was added or
  /// removed.
  mutating func operationsChanged(
    of entity: Entity, from place: ThreadPlace?, isReading: Bool, _ occasion: Occasion
  ) {
    refresh(entity, occasion)
    follow(entity, from: place, isReading: isReading, occasion)
  }

  /// Refreshes what depends on the open operations of an object in other objects.
  private mutating func follow(
    _ entity: Entity, from place: ThreadPlace?, isReading: Bool, _ occasion: Occasion
  ) {
    moveInThreads(entity, from: place, occasion)
    if let thread = thread(of: entity, occasion) { refresh(thread, with: [entity], occasion) }
    if isReading { refreshMessages(of: entity, occasion) }
  }

  /// Refreshes the messages of a thread, if an object is one, and then the thread.
  private mutating func refreshMessages(of entity: Entity, _ occasion: Occasion) {
    guard entity.kind.objectClass == .thread else { return }
    for message in messages(of: entity, occasion) { refresh(message, occasion) }
    refreshIfOpen(entity, occasion)
  }

  /// An object whose open operations changed by one.
  struct Consequent {
    let entity: Entity
    /// The former position in a thread's lists.
    let place: ThreadPlace?
    /// Whether the operation marks as read.
    let isReading: Bool
  }

  /// Refreshes what depends on the open operations of objects in others, once per thread.
  mutating func follow(_ changes: [Consequent], _ occasion: Occasion) {
    var messages: [RowHandle: [Entity]] = [:]
    var threads: [Entity] = []
    for change in changes {
      moveInThreads(change.entity, from: change.place, occasion)
      guard let thread = thread(of: change.entity, occasion) else { continue }
      if messages[thread.row] == nil { threads.append(thread) }
      messages[thread.row, default: []].append(change.entity)
    }
    for thread in threads { refresh(thread, with: messages[thread.row] ?? [], occasion) }
    for change in changes where change.isReading { refreshMessages(of: change.entity, occasion) }
  }
}

extension MutableRow {
  /// Adds a text to a field, unless that is full, or removes it.
  fileprivate mutating func set(
    _ text: String, _ isThere: Bool, in field: Field<Set<String>>, atMost limit: Int
  ) {
    var texts = texts(field)
    if isThere, texts.count >= limit { return }
    if isThere ? texts.insert(text) : texts.remove(text) { return set(field, texts) }
    // Non-ASCII spellings may be equal although their bytes differ.
    var others = self[field] ?? []
    if isThere { others.insert(text) } else { others.remove(text) }
    set(field, others)
  }
}
