import EventStore

/// Server ids for objects that the device created.
extension ObjectKind {
  /// The lists of ids, with the kind of their elements.
  fileprivate var lists: [(Field<Set<String>>, ObjectKind)] {
    switch objectClass {
    case .thread:
      [(Threads.messageIDs, .message), (Threads.draftIDs, .message), (Threads.tagIDs, .tag)]
    case .message: [(Messages.tagIDs, .tag), (Messages.fileIDs, .file)]
    default: []
    }
  }
}

extension ReducerState {
  /// Applies a new id of an object; both ids then find it.
  mutating func apply(_ change: IDReplaced, _ occasion: Occasion) throws(Refusal) {
    var occasion = occasion
    guard let kind = ObjectKind.of(change.objectClass), change.old != change.new else { return }
    let newID = occasion.rowID(change.new)
    guard let entity = lookUp(change.old, kind, occasion) else {
      guard let other = lookUp(change.new, kind, occasion) else { return }
      noteAliases(&occasion)
      return try alias(occasion.rowID(change.old), to: other.row)
    }
    let other = lookUp(change.new, kind, occasion)
    if let other, other.row == entity.row { return }
    let (place, others) = (threadPlace(of: entity), other.flatMap { threadPlace(of: $0) })
    let left = [entity, other].compactMap { $0.flatMap { thread(of: $0, occasion) } }
    let former = releasedID(of: entity, occasion)
    if let other { try merge(other, into: entity, occasion) }
    try alias(newID, to: entity.row)
    for name in names(of: entity, change.old, occasion) where name != former {
      unbury(name, kind, occasion)
    }
    // An object still to be reported as created may have been deleted since.
    if other != nil || !owns(.object, of: entity) { unbury(change.new, kind, occasion) }
    noteAliases(&occasion)
    try aliasOperations(of: entity, change.new, occasion)
    for thread in left { useOwnIDs(of: thread, occasion) }
    if let field = kind.serverID {
      for row in layers(of: entity) { self[row, field] = change.new }
    }
    noteTold(entity, occasion)
    refreshIfOpen(entity, occasion)
    moveInThreads(entity, from: place, occasion)
    if let others, others != threadPlace(of: entity) {
      list(entity, false, at: others, occasion)
    }
    for thread in left { refresh(thread, occasion) }
    guard let thread = thread(of: entity, occasion) else { return }
    useOwnIDs(of: thread, occasion)
    refresh(thread, occasion)
  }

  /// Releases the id by which a server knew a draft that it removed, and that is a new one there;
  /// returns it.
  ///
  /// If another device sent the draft, the message has that id. Its tombstone stays against late
  /// reports of the draft.
  private mutating func releasedID(of entity: Entity, _ occasion: Occasion) -> String? {
    guard owns(.object, of: entity), let field = entity.kind.serverID,
      let former = self[entity.row, field]
    else { return nil }
    release(occasion.rowID(former), in: entity.kind.collection)
    return former
  }

  /// Notes that an object of the account has a second id.
  private mutating func noteAliases(_ occasion: inout Occasion) {
    occasion.hasAliases = true
    self[occasion.login, Accounts.hasAliases] = Mark(rawValue: 1)
  }

  /// Notes the server's id of an object with a different id here, which an earlier deletion may
  /// have removed.
  mutating func noteServerID(_ fact: Fact, of entity: Entity, _ occasion: Occasion) {
    guard occasion.hasAliases, let field = entity.kind.serverID,
      self[entity.row, field] == nil, id(of: entity.row) != occasion.rowID(fact.id)
    else { return }
    for row in layers(of: entity) { self[row, field] = fact.id }
  }

  /// Replaces the ids in the lists of an object's base with the local ids.
  mutating func useOwnIDs(of entity: Entity, _ occasion: Occasion) {
    guard occasion.hasAliases else { return }
    let base = base(of: entity)
    for (field, kind) in entity.kind.lists {
      guard let ids = self[base, field] else { continue }
      let own = Set(ids.map { ownID($0, kind, occasion) })
      if own != ids { self[base, field] = own }
    }
  }

  /// Returns the local id of an object.
  private mutating func ownID(
    _ id: String, _ kind: ObjectKind, _ occasion: Occasion
  ) -> String {
    guard let entity = lookUp(id, kind, occasion) else { return id }
    return objectID(of: entity)
  }

  /// Merges the server's data about an object under another id.
  private mutating func merge(
    _ other: Entity, into entity: Entity, _ occasion: Occasion
  ) throws(Refusal) {
    moveOperations(from: other.row, to: entity.row)
    if !owns(.object, of: other) { takeBase(of: other, into: entity, occasion) }
    if isOpen(other) { delete(base(of: other)) }
    removeTimer(of: other.row)
    delete(other.row)
    // The old id now finds the merged object.
    try alias(id(of: other.row), to: entity.row)
    refresh(entity, occasion)
    try refreshWindow(of: entity, occasion)
  }

  /// Takes over the base of an object under another id.
  private mutating func takeBase(of other: Entity, into entity: Entity, _ occasion: Occasion) {
    let base = base(of: entity)
    let path = entity.kind.objectClass == .file ? self[base, Attachments.localPath] : nil
    copyValues(
      from: self.base(of: other), to: base, except: [InboxFields.hiding.declaration])
    if let path { self[base, Attachments.localPath] = path }
    change(base) { entity.kind.finish(&$0, having: .max) }
    told(of: entity, occasion)
    departed(entity)
  }

  /// Lets outcomes find the operations on an object by its new id.
  private mutating func aliasOperations(
    of entity: Entity, _ id: String, _ occasion: Occasion
  ) throws(Refusal) {
    for operation in operations(of: entity.row) {
      let intent = RecordNumber(kept: self[operation, Operations.intent] ?? 0)
      // A made-up record may say that the intent is still to come.
      guard intent < occasion.number else { continue }
      let alias = operationID(intent, id, occasion)
      guard find(alias, in: Operations.collection) == nil else { continue }
      try self.alias(alias, to: operation)
    }
  }
}
