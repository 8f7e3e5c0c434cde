import EventStore

/// Which messages threads list, and that they are unread.
extension ReducerState {
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
    if let before { list(entity, false, at: before, occasion) }
    if let now { list(entity, true, at: now, occasion) }
  }

  /// Takes an object that is removed out of the lists of its thread: a server may have listed what
  /// is not shown.
  mutating func unlist(_ entity: Entity, _ occasion: Occasion) {
    if let place = threadPlace(of: entity) { return list(entity, false, at: place, occasion) }
    guard entity.kind.objectClass == .message, let thread = self[entity.row, Messages.threadID]
    else { return }
    for isDraft in [false, true] {
      list(entity, false, at: ThreadPlace(thread: thread, isDraft: isDraft), occasion)
    }
  }

  /// The drafts in a thread's list that a server may know by another id, or not at all: those with
  /// an id of the device's own that are there.
  mutating func ownDrafts(of thread: Entity, _ occasion: Occasion) -> [String] {
    guard thread.kind.objectClass == .thread else { return [] }
    let listed = read(base(of: thread)) { $0.texts(Threads.draftIDs) } ?? []
    return listed.filter {
      $0.hasPrefix(TemporaryID.prefix) && lookUp($0, .message, occasion) != nil
    }
  }

  /// Has an object stand in a list, or not.
  mutating func list(
    _ entity: Entity, _ isThere: Bool, at place: ThreadPlace, _ occasion: Occasion
  ) {
    guard let thread = lookUp(place.thread, .thread, occasion) else { return }
    let id = Message.name(of: id(of: entity.row))?.id ?? ""
    // A list may have the server's id from before that found the object.
    if id.hasPrefix(TemporaryID.prefix) {
      useOwnIDs(of: thread, occasion)
      // A list from before it was sent may have put it among the drafts again.
      if isThere, !place.isDraft { set([id], false, in: Threads.draftIDs, of: thread) }
    }
    set([id], isThere, in: place.list, of: thread, atMost: FactColumn.idsMax)
    refreshIfOpen(thread, occasion)
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

  /// Whether a thread has a message in its list: then its tags were said with the message in it.
  mutating func lists(_ thread: Entity, _ message: Entity) -> Bool {
    let id = Message.name(of: id(of: message.row))?.id ?? ""
    return read(base(of: thread)) { $0.has(id, in: Threads.messageIDs) } == true
  }

  /// Whether the base of a message is unread.
  mutating func isBaseUnread(_ entity: Entity) -> Bool {
    entity.kind.objectClass == .message && self[base(of: entity), Messages.isUnread] == true
  }

  /// Gives the thread of a message that was not unread before the tags that it is now: what was
  /// there before was seen.
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

  /// Makes anew what is visible of an object of which a server told, if something is open on it,
  /// or on the thread that it is in.
  mutating func refreshIfConcerned(_ entity: Entity, _ occasion: Occasion) {
    let isConcerned = isOpen(entity) || thread(of: entity, occasion).map { isOpen($0) } == true
    if isConcerned { refresh(entity, occasion) }
  }

  /// Makes anew what is visible of the threads that a message was in and is in, where that is not
  /// as their bases, or not any more: operations on the message go with it.
  mutating func refreshThreads(
    of entity: Entity, from before: Entity?, _ occasion: Occasion
  ) {
    let thread = thread(of: entity, occasion)
    if let before, before.row != thread?.row { refreshIfOpen(before, occasion) }
    guard let thread else { return }
    if isOpen(entity) || isOpen(thread) { refresh(thread, with: [entity], occasion) }
  }

  /// Makes anew what follows from the operations that are open on an object, after one more or one
  /// fewer is.
  mutating func operationsChanged(
    of entity: Entity, from place: ThreadPlace?, isReading: Bool, _ occasion: Occasion
  ) {
    refresh(entity, occasion)
    follow(entity, from: place, isReading: isReading, occasion)
  }

  /// Makes anew what follows for others from the operations that are open on an object.
  private mutating func follow(
    _ entity: Entity, from place: ThreadPlace?, isReading: Bool, _ occasion: Occasion
  ) {
    follow([Consequent(entity: entity, place: place, isReading: isReading)], occasion)
  }

  /// An object on which one operation more is open, or one fewer.
  struct Consequent {
    let entity: Entity
    /// Where it stood in a thread's lists.
    let place: ThreadPlace?
    /// Whether the operation marks as read.
    let isReading: Bool
  }

  /// Makes anew what follows for others from the operations that are open on objects: once for each
  /// thread, however many of its messages are among them.
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
    for change in changes where change.isReading && change.entity.kind.objectClass == .thread {
      for message in self.messages(of: change.entity, occasion) { refresh(message, occasion) }
      refreshIfOpen(change.entity, occasion)
    }
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
