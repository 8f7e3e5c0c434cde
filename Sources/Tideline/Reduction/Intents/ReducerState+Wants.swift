import EventStore

/// The effects of operations.
extension ReducerState {
  /// Shows the effect of an operation.
  mutating func lay(_ operation: RowHandle, over entity: Entity) {
    switch self[operation, Operations.action] {
    case .delete where entity.kind.objectClass != .rich, .deleteDraft:
      hide(entity.row, .deleting, true)
    case .sendDraft: self[entity.row, Messages.state] = .sending
    case .markRead where isRaised(entity, after: operation): break
    default: put(operation, into: entity.row, entity.kind)
    }
  }

  /// Returns whether a message created after the intent to read its thread made the thread unread.
  private mutating func isRaised(_ thread: Entity, after operation: RowHandle) -> Bool {
    guard thread.kind.objectClass == .thread, isReading(operation),
      let raised = self[thread.row, Threads.raised]?.rawValue
    else { return false }
    return raised > UInt64(clamping: self[operation, Operations.intent] ?? 0)
  }

  /// Applies an operation to a row of an object; returns whether that may have changed the row.
  @discardableResult
  mutating func put(_ operation: RowHandle, into row: RowHandle, _ kind: ObjectKind) -> Bool {
    let isTrue = self[operation, Operations.isTrue] == true
    switch (self[operation, Operations.action], kind.objectClass) {
    case (.markRead, .rich): return set(RichMessages.isRead, of: row, isTrue ? true : nil)
    case (.markRead, .message): return set(Messages.isUnread, of: row, isTrue ? nil : true)
    case (.markRead, .thread), (.changeTags, _): return changeTags(operation, of: row, kind)
    case (.delete, .rich): return set(RichMessages.isDeleted, of: row, true)
    case (.saveDraft, _): copySaving(of: operation, to: row)
    case (.addFile, _): copyUpload(of: operation, to: row)
    case (.attach, _): attach(self[operation, Operations.added] ?? [], to: row)
    case (.saveTag, _): rename(row, self[operation, Operations.name])
    case (.sendDraft, _): self[row, Messages.state] = .sent
    default: break
    }
    return true
  }

  /// Sets a field if it differs; returns whether it did.
  mutating func set<Value: FieldValue & Equatable>(
    _ field: Field<Value>, of row: RowHandle, _ value: Value?
  ) -> Bool {
    guard self[row, field] != value else { return false }
    self[row, field] = value
    return true
  }

  private mutating func changeTags(
    _ operation: RowHandle, of row: RowHandle, _ kind: ObjectKind
  ) -> Bool {
    let (added, removed) = tagsWanted(by: operation)
    let field = kind.objectClass == .thread ? Threads.tagIDs : Messages.tagIDs
    let tags = (self[row, field] ?? []).subtracting(removed).union(added)
    let isChanged = set(field, of: row, tags.isEmpty ? nil : tags)
    let losesStar = removed.contains("starred")
    guard kind.objectClass == .message, losesStar || added.contains("starred") else {
      return isChanged
    }
    return set(Messages.isStarred, of: row, losesStar ? nil : true) || isChanged
  }

  /// Returns the tags that an operation adds and removes.
  mutating func tagsWanted(
    by operation: RowHandle
  ) -> (added: Set<String>, removed: Set<String>) {
    guard self[operation, Operations.action] == .markRead else {
      return (self[operation, Operations.added] ?? [], self[operation, Operations.removed] ?? [])
    }
    return self[operation, Operations.isTrue] == true
      ? ([], ["unread", "unseen"]) : (["unread"], [])
  }

  /// Returns those tags and a row's tags by their local ids, since operations may be older than
  /// these.
  private mutating func ownTags(
    of operation: RowHandle, among tags: Set<String>
  ) -> (added: Set<String>, removed: Set<String>, there: Set<String>) {
    let (added, removed) = tagsWanted(by: operation)
    let account = UInt32(truncatingIfNeeded: self[operation, Operations.account] ?? 0)
    let (more, fewer) = (ownIDs(ofTags: added, account), ownIDs(ofTags: removed, account))
    // Two ids of one tag may have been in both sets.
    return (more, fewer.subtracting(more), ownIDs(ofTags: tags, account))
  }

  /// Returns the local ids of tags, given any of their ids.
  mutating func ownIDs(ofTags tags: Set<String>, _ account: UInt32) -> Set<String> {
    var own: Set<String> = []
    for id in tags {
      let tag = lookUp(ObjectKey(id, .tag, of: account), .tag)
      own.insert(tag.map { objectID(of: $0) } ?? id)
    }
    return own
  }

  private mutating func attach(_ files: Set<String>, to draft: RowHandle) {
    self[draft, Messages.fileIDs] = (self[draft, Messages.fileIDs] ?? []).union(files)
  }

  private mutating func rename(_ tag: RowHandle, _ name: String?) {
    change(tag) { row in
      row[Tags.providedName] = name
      row.foldNameOfTag()
    }
  }

  /// Copies the fields that a file was added with.
  private mutating func copyUpload(of operation: RowHandle, to row: RowHandle) {
    guard let source = saving(of: operation) else { return }
    let told = FieldBits(bitPattern: self[source, InboxFields.known] ?? 0)
    let known = told & ~InboxFields.version.bit
    let others = Attachments.collection.fields.filter { known & $0.bit == 0 }
    copyValues(from: source, to: row, except: Set(others))
    change(row) { ObjectKind.file.finish(&$0, having: known) }
  }

  /// Copies the fields that a draft was saved with.
  private mutating func copySaving(of operation: RowHandle, to row: RowHandle) {
    guard let source = saving(of: operation) else { return }
    let known = FieldBits(bitPattern: self[source, InboxFields.known] ?? 0)
    let said = Set(Messages.saved.filter { known & $0.bit != 0 })
    let others = Set(Messages.collection.fields).subtracting(said)
    let states = FactColumn.marks.intersection(self[row, Messages.tagIDs] ?? [])
    copyValues(from: source, to: row, except: others)
    if known & Messages.tagIDs.bit != 0, !states.isEmpty {
      self[row, Messages.tagIDs] = (self[row, Messages.tagIDs] ?? []).union(states)
    }
    change(row) { ObjectKind.message.finish(&$0, having: known) }
  }

  /// Returns the fields that an operation is about, each with whether the row has the wanted value.
  mutating func parts(
    of operation: RowHandle, by row: RowHandle, _ kind: ObjectKind
  ) -> [(field: FieldBits, isMet: Bool)] {
    let field: FieldBits
    switch (self[operation, Operations.action], kind.objectClass) {
    case (.markRead, .rich): field = RichMessages.isRead.bit
    case (.markRead, .message): field = Messages.isUnread.bit
    case (.markRead, .thread), (.changeTags, .thread):
      return tagParts(of: operation, in: self[row, Threads.tagIDs] ?? [], Threads.tagIDs, .marks)
    case (.changeTags, .message):
      let tags = self[row, Messages.tagIDs] ?? []
      return tagParts(of: operation, in: tags, Messages.tagIDs, Messages.isStarred.bit)
    case (.delete, .rich): field = RichMessages.isDeleted.bit
    default: return []
    }
    return [(field, isMet(operation, by: row, kind))]
  }

  /// The star of a message is a field besides its tags, and labels don't report a thread's states.
  private mutating func tagParts(
    of operation: RowHandle, in tags: Set<String>, _ field: Field<Set<String>>, _ bit: FieldBits
  ) -> [(field: FieldBits, isMet: Bool)] {
    let (added, removed, tags) = ownTags(of: operation, among: tags)
    let apart: Set = bit == .marks ? FactColumn.marks : ["starred"]
    return [(field.bit, false), (bit, true)].compactMap { bit, isApart in
      let more = added.filter { apart.contains($0) == isApart }
      let fewer = removed.filter { apart.contains($0) == isApart }
      guard !more.isEmpty || !fewer.isEmpty else { return nil }
      return (bit, more.isSubset(of: tags) && fewer.isDisjoint(with: tags))
    }
  }

  /// Returns whether an object's row already has what a tag, read or delete operation wants.
  mutating func isMet(_ operation: RowHandle, by row: RowHandle, _ kind: ObjectKind) -> Bool {
    let isTrue = self[operation, Operations.isTrue] == true
    switch (self[operation, Operations.action], kind.objectClass) {
    case (.markRead, .rich): return (self[row, RichMessages.isRead] == true) == isTrue
    case (.markRead, .message): return (self[row, Messages.isUnread] != true) == isTrue
    case (.delete, .rich): return self[row, RichMessages.isDeleted] == true
    case (.markRead, .thread), (.changeTags, _):
      let field = kind.objectClass == .thread ? Threads.tagIDs : Messages.tagIDs
      let (added, removed, tags) = ownTags(of: operation, among: self[row, field] ?? [])
      guard added.isSubset(of: tags), removed.isDisjoint(with: tags) else { return false }
      guard kind.objectClass == .message else { return true }
      let isStarred = self[row, Messages.isStarred] == true
      return !(added.contains("starred") && !isStarred)
        && !(removed.contains("starred") && isStarred)
    default: return false
    }
  }
}
