import EventStore

/// The ids that servers give to what the device had made.
extension ObjectKind {
  /// The lists of ids, and what they are of.
  fileprivate var lists: [(Field<Set<String>>, ObjectKind)] {
    switch objectClass {
    case .thread:
      [(Threads.messageIDs, .message), (Threads.draftIDs, .message), (Threads.tagIDs, .tag)]
    case .message: [(Messages.tagIDs, .tag), (Messages.fileIDs, .file)]
    default: []
    }
  }
}

extension State {
  /// Takes in that a thing has another id, and that both find it.
  mutating func take(_ change: IDReplaced, _ occasion: Occasion) throws(Refusal) {
    guard let kind = ObjectKind.of(change.objectClass), change.old != change.new else { return }
    let newID = occasion.rowID(change.new)
    guard let entity = lookUp(change.old, kind, occasion) else {
      guard let other = lookUp(change.new, kind, occasion) else { return }
      self[occasion.login, Accounts.hasAliases] = Mark(rawValue: 1)
      return try alias(occasion.rowID(change.old), to: other.row)
    }
    let other = lookUp(change.new, kind, occasion)
    if let other, other.row == entity.row { return }
    let (place, left) = (threadPlace(of: entity), thread(of: entity, occasion))
    if let other { try merge(other, into: entity, occasion) }
    try alias(newID, to: entity.row)
    unbury(change.new, kind, occasion)
    self[occasion.login, Accounts.hasAliases] = Mark(rawValue: 1)
    try aliasOperations(of: entity, change.new, occasion)
    if let left { useOwnIDs(of: left, occasion) }
    if let field = kind.serverID {
      for row in Set([base(of: entity), entity.row]) { self[row, field] = change.new }
    }
    self[entity.row, InboxFields.told] = Mark(rawValue: occasion.number.rawValue)
    refreshIfOpen(entity, occasion)
    moveInThreads(entity, from: place, occasion)
    if let left { refresh(left, occasion) }
    guard let thread = thread(of: entity, occasion) else { return }
    useOwnIDs(of: thread, occasion)
    refresh(thread, occasion)
  }

  /// Has the lists of an object's base name others by the ids that these have here.
  mutating func useOwnIDs(of entity: Entity, _ occasion: Occasion) {
    guard self[occasion.login, Accounts.hasAliases] != nil else { return }
    let base = base(of: entity)
    for (field, kind) in entity.kind.lists {
      guard let ids = self[base, field] else { continue }
      let own = Set(ids.map { ownID($0, kind, occasion) })
      if own != ids { self[base, field] = own }
    }
  }

  /// The id that an object has here.
  private mutating func ownID(
    _ id: String, _ kind: ObjectKind, _ occasion: Occasion
  ) -> String {
    guard let entity = lookUp(id, kind, occasion) else { return id }
    return Message.name(of: self.id(of: entity.row))?.id ?? id
  }

  /// Takes over what a server said of a thing under another id.
  private mutating func merge(
    _ other: Entity, into entity: Entity, _ occasion: Occasion
  ) throws(Refusal) {
    let place = threadPlace(of: other)
    for operation in operations(of: other.row) { move(operation, from: other, to: entity) }
    if self[other.row, InboxFields.making]?.owned.contains(.object) != true {
      takeBase(of: other, into: entity, occasion)
    }
    let thread = thread(of: other, occasion)
    if isOpen(other) { delete(base(of: other)) }
    removeTimer(of: other.row)
    delete(other.row)
    moveInThreads(other, from: place, occasion)
    refresh(entity, occasion)
    if let thread { refreshIfOpen(thread, occasion) }
    try refreshWindow(of: entity, occasion)
  }

  /// Takes over the base of a thing under another id.
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

  /// Has an operation be open on another object, in the order of the intents.
  private mutating func move(_ operation: RowHandle, from other: Entity, to entity: Entity) {
    var overlay = self[other.row, InboxFields.overlay] ?? OverlayLink()
    overlay.operation = self[operation, Operations.next]
    self[other.row, InboxFields.overlay] = overlay
    let intent = self[operation, Operations.intent] ?? 0
    let all = operations(of: entity.row)
    let earlier = all.filter { self[$0, Operations.intent] ?? 0 <= intent }.last
    self[operation, Operations.object] = RowLink(
      collection: entity.row.collection, row: entity.row.row)
    if let earlier {
      self[operation, Operations.next] = self[earlier, Operations.next]
      self[earlier, Operations.next] = operation.row
    } else {
      var overlay = self[entity.row, InboxFields.overlay] ?? OverlayLink()
      self[operation, Operations.next] = overlay.operation
      overlay.operation = operation.row
      self[entity.row, InboxFields.overlay] = overlay
    }
  }

  /// Has outcomes find the operations on a thing by its new id.
  private mutating func aliasOperations(
    of entity: Entity, _ id: String, _ occasion: Occasion
  ) throws(Refusal) {
    for operation in operations(of: entity.row) {
      let intent = RecordNumber(rawValue: UInt64(self[operation, Operations.intent] ?? 0))
      let alias = operationID(intent, id, occasion)
      guard find(alias, in: Operations.collection) == nil else { continue }
      try self.alias(alias, to: operation)
    }
  }
}
