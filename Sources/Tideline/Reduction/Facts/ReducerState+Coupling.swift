import EventStore

/// How marking a thread and marking its messages as read or unread affect each other.
extension ReducerState {
  /// Returns the thread of a message, if both exist.
  mutating func thread(of entity: Entity, _ occasion: Occasion) -> Entity? {
    entity.kind.objectClass == .message ? thread(of: entity.row, occasion) : nil
  }

  /// Returns the thread that a message's visible row or base names, if it exists.
  private mutating func thread(of message: RowHandle, _ occasion: Occasion) -> Entity? {
    var (key, buffers): (ObjectKey?, SpareBuffers) = (nil, SpareBuffers())
    swap(&buffers, &spares)
    lend(message) { row in
      row.withStored(Messages.threadID.number - 1, .text) { id in
        key = ObjectKey(id.bytes, .thread, of: occasion.account, in: &buffers)
      }
    }
    swap(&buffers, &spares)
    let thread = key.flatMap { lookUp($0, .thread) }
    key?.giveBack(to: &spares)
    return thread
  }

  /// The effect on one object of operations on others.
  struct Consequence {
    /// The latest of their intents; later intents on the object apply after it.
    var intent: Int
    /// The tags that a thread loses; a message becomes read.
    var tags: [String] = []
    /// Whether a thread becomes unread.
    var isUnread = false
  }

  /// Returns the effect of a thread's operations on a message, or of messages' on a thread, if any.
  mutating func consequence(
    for entity: Entity, with messages: [Entity], _ occasion: Occasion
  ) -> Consequence? {
    switch entity.kind.objectClass {
    case .message: coveringRead(of: entity, occasion)
    case .thread: marking(of: messages, in: entity, occasion)
    default: nil
    }
  }

  /// Returns the latest operation that marks a message's thread as read, if its intent is newer
  /// than the message.
  private mutating func coveringRead(
    of entity: Entity, _ occasion: Occasion
  ) -> Consequence? {
    // The visible row may not reflect the base yet.
    let base = base(of: entity)
    guard let thread = thread(of: base, occasion) else { return nil }
    let operations = operations(of: thread.row).filter { isReading($0) }
    guard !operations.isEmpty, self[base, Messages.kind] == .message,
      let made = self[entity.row, InboxFields.making]?.record
    else { return nil }
    let intents =
      operations
      .compactMap { self[$0, Operations.intent] }.filter { $0 > made.rawValue }
    return intents.max().map { Consequence(intent: $0) }
  }

  /// Returns whether an operation marks as read.
  mutating func isReading(_ operation: RowHandle) -> Bool { marking(by: operation) == true }

  /// Returns whether an operation marks as read, or `nil` if it doesn't mark as read or unread.
  mutating func marking(by operation: RowHandle) -> Bool? {
    let isReading = read(operation) { operation in
      operation[Operations.action] == .markRead ? operation[Operations.isTrue] == true : nil
    }
    return isReading ?? nil
  }

  /// Whether any message had open operations before the event; if not, they don't affect a reported
  /// thread.
  var isAnyMessageOpen: Bool { count(of: Bases.messages) > 0 }

  /// Returns the effect on a thread of marking messages in it as read or unread; `nil` if none are
  /// marked.
  ///
  /// - Parameter messages: Messages that may have just entered the thread or become visible in it.
  private mutating func marking(
    of messages: [Entity], in thread: Entity, _ occasion: Occasion
  ) -> Consequence? {
    guard occasion.switches.couplesUnread else { return nil }
    let id = objectID(of: thread)
    var (last, isAnyReading, isUnread): (Int?, Bool, Bool) = (nil, false, false)
    for row in messages.map(\.row) + openMessages(of: thread, id, besides: messages, occasion)
    where self[row, InboxFields.overlay]?.operation != nil && isMessage(row, of: id, occasion) {
      for operation in operations(of: row) {
        guard let isReading = marking(by: operation) else { continue }
        last = max(last ?? 0, self[operation, Operations.intent] ?? 0)
        if isReading { isAnyReading = true } else { isUnread = isUnread || isVisiblyUnread(row) }
      }
    }
    guard let last else { return nil }
    let tags = isAnyReading ? Self.tagsLost(isAllRead: isAllRead(thread, occasion)) : []
    return Consequence(intent: last, tags: tags, isUnread: isUnread)
  }

  /// The tags that a thread loses when a message of it is read.
  private static func tagsLost(isAllRead: Bool) -> [String] {
    isAllRead ? ["unread", "unseen"] : ["unseen"]
  }

  private mutating func isVisiblyUnread(_ message: RowHandle) -> Bool {
    let isUnread = read(message) { row in
      row[Messages.isUnread] == true && row[InboxFields.hiding]?.isSubset(of: .account) != false
    }
    return isUnread == true
  }

  /// Returns whether every message that a thread lists exists, is in it and is visibly read.
  private mutating func isAllRead(_ thread: Entity, _ occasion: Occasion) -> Bool {
    allListed(in: base(of: thread), occasion) { state, message in
      let isRead = state.read(message.row) { row in
        row[Messages.kind] != .draft && row[Messages.isUnread] != true
          && row[InboxFields.hiding]?.isSubset(of: .account) != false
      }
      return isRead == true && state.thread(of: message, occasion)?.row == thread.row
    }
  }

  /// Returns whether every message that a thread's row lists exists and meets a condition; looks at
  /// none after one that doesn't.
  private mutating func allListed(
    in thread: RowHandle, _ occasion: Occasion,
    _ isMet: (inout ReducerState, Entity) -> Bool
  ) -> Bool {
    var list = spares.take()
    defer { spares.keep(&list) }
    lend(thread) { row in
      row.withStored(Threads.messageIDs.number - 1, .texts) { list.append(payload: $0.bytes) }
    }
    var ids = TextList(list.payloadBytes)
    while let id = ids.next() {
      var key = ObjectKey(id, .message, of: occasion.account, in: &spares)
      let message = lookUp(key, .message)
      key.giveBack(to: &spares)
      guard let message, isMet(&self, message) else { return false }
    }
    return true
  }

  /// Applies the settled marking of a message to the base of its thread.
  ///
  /// Operations that are still open, of this or another message, don't count.
  mutating func settleMarking(of message: Entity, isReading: Bool, _ occasion: Occasion) {
    guard isReading else { return raiseUnread(message, isNew: false, occasion) }
    guard occasion.switches.couplesUnread, let thread = thread(of: message, occasion),
      self[message.row, Messages.kind] == .message
    else { return }
    let tags = Self.tagsLost(isAllRead: isBaseOfAllRead(thread, occasion))
    if removeTags(tags, from: base(of: thread)) { departed(thread) }
  }

  /// Returns whether every message that a thread lists is in it and read according to the server.
  private mutating func isBaseOfAllRead(_ thread: Entity, _ occasion: Occasion) -> Bool {
    let id = objectID(of: thread)
    return allListed(in: base(of: thread), occasion) { state, message in
      state.isMessage(state.base(of: message), of: id, occasion) && !state.isBaseUnread(message)
    }
  }

  /// Returns the messages in a thread according to the server, which are read with it.
  mutating func messages(of thread: Entity, _ occasion: Occasion) -> [Entity] {
    let id = objectID(of: thread)
    return Set(candidates(for: thread, id, occasion)).sorted { $0.row.rawValue < $1.row.rawValue }
      .map { Entity(kind: .message, row: $0) }
      .filter { isMessage(base(of: $0), of: id, occasion) }
  }

  /// Returns rows that include all messages of a thread, some of them twice.
  ///
  /// They are the listed ones, the shown ones, and those with open operations, such as a deletion
  /// or a save into another thread.
  private mutating func candidates(
    for thread: Entity, _ id: String, _ occasion: Occasion
  ) -> [RowHandle] {
    let listed = read(thread.row) { $0.texts(Threads.messageIDs) } ?? []
    return listed.compactMap { lookUp($0, .message, occasion)?.row }
      + rows(in: ListName(InboxViews.messagesOfThread, by: id, of: occasion.account))
      + messages(ofBases: openBases(of: id, occasion))
  }

  /// Returns the bases in a thread when the event began.
  private mutating func openBases(of thread: String, _ occasion: Occasion) -> [RowHandle] {
    isAnyMessageOpen
      ? rows(in: ListName(InboxViews.openMessagesOfThread, by: thread, of: occasion.account)) : []
  }

  private mutating func messages(ofBases bases: [RowHandle]) -> [RowHandle] {
    bases.compactMap { find(id(of: $0), in: Messages.collection) }
  }

  /// Returns rows that include all other messages of a thread with open operations, some of them
  /// twice.
  ///
  /// Such a message has a base, which is in the same thread unless a saved draft moves it. Bases
  /// are few, while a thread may list any number of messages.
  private mutating func openMessages(
    of thread: Entity, _ id: String, besides known: [Entity], _ occasion: Occasion
  ) -> [RowHandle] {
    guard count(of: Bases.savings) == 0, touchedRows(of: Bases.savings, atMost: 0) != nil,
      let touched = touchedRows(of: Bases.messages, atMost: Self.touchedMax)
    else { return candidates(for: thread, id, occasion) }
    let bases = known.prefix(Self.knownMax).map { base(of: $0) }
    let others = (openBases(of: id, occasion) + touched).filter { !bases.contains($0) }
    return messages(ofBases: others)
  }

  /// The most known messages whose bases aren't looked at again.
  private static let knownMax = 8

  /// The most bases that an event has touched for them to be looked at one by one.
  private static let touchedMax = 16

  private mutating func isMessage(
    _ row: RowHandle, of thread: String, _ occasion: Occasion
  ) -> Bool {
    let isMessage = read(row) { row in
      row[InboxFields.account] == Int64(occasion.account) && row[Messages.kind] == .message
        && row[Messages.threadID] == thread
    }
    return isMessage == true
  }

  /// Removes tags from a thread; returns whether it had any of them.
  @discardableResult
  mutating func removeTags(_ tags: [String], from thread: RowHandle) -> Bool {
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
