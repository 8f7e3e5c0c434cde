import EventStore

/// The removal of objects.
extension ReducerState {
  /// Removes an object and its open operations, except for drafts being saved.
  mutating func remove(
    _ entity: Entity, _ removal: Removal, _ occasion: Occasion
  ) throws(Refusal) {
    let known = self[base(of: entity), InboxFields.version]
    let names = names(of: entity, removal.id, occasion)
    var removal = removal
    // A message that the person deleted stays deleted, even if the server reports it again.
    if owns(.isDeleted, of: entity) { removal.isOwn = true }
    if !keepDraft(entity, occasion) { removeWhole(entity, occasion) }
    // The known version may be older than the deleted one; only a report of the deletion states
    // that.
    removal.version = removal.version.map { max($0, known ?? $0) }
    try bury(names, entity.kind, removal, occasion)
  }

  /// Removes an object, its open operations and its tombstone, as if it had never been reported.
  mutating func erase(_ id: String, _ kind: ObjectKind, _ occasion: Occasion) {
    let entity = lookUp(id, kind, occasion)
    var ids = entity.map { names(of: $0, id, occasion) } ?? [id]
    if let other = otherID(ofBuried: id, kind, occasion) { ids.insert(other) }
    for id in ids { unbury(id, kind, occasion) }
    if let entity { removeWhole(entity, occasion) }
  }

  private mutating func removeWhole(_ entity: Entity, _ occasion: Occasion) {
    let thread = thread(of: entity, occasion)
    let messages = messagesCovered(by: entity, occasion)
    for operation in operations(of: entity.row) { remove(operation, from: entity.row) }
    removeTimer(of: entity.row)
    unlist(entity, occasion)
    if isOpen(entity) { delete(base(of: entity)) }
    vanish(entity, occasion)
    if let thread { refresh(thread, occasion) }
    for message in messages { refresh(message, occasion) }
  }

  /// Returns the messages that an operation on their thread marks as read.
  private mutating func messagesCovered(
    by entity: Entity, _ occasion: Occasion
  ) -> [Entity] {
    let isReading = operations(of: entity.row).contains { self.isReading($0) }
    return entity.kind.objectClass == .thread && isReading ? messages(of: entity, occasion) : []
  }

  /// Deletes the row of an object; a file leaves the savings that name it, since no server will
  /// ever know it by the id that it has here.
  mutating func vanish(_ entity: Entity, _ occasion: Occasion) {
    let savings = savings(naming: entity, occasion)
    let id = objectID(of: entity)
    delete(entity.row)
    for (saving, draft) in savings {
      change(saving) { $0.set(Messages.fileIDs, id, false) }
      refresh(draft, occasion)
    }
  }

  /// Returns the open savings that name a file by an id of this device, with their drafts.
  mutating func savings(
    naming file: Entity, _ occasion: Occasion
  ) -> [(saving: RowHandle, draft: Entity)] {
    let id = objectID(of: file)
    guard file.kind.objectClass == .file, TemporaryID.begins(id) else { return [] }
    var savings: [(saving: RowHandle, draft: Entity)] = []
    for saving in rows(of: Bases.savings)
    where self[saving, InboxFields.account] == Int64(occasion.account) {
      guard read(saving, { $0.has(id, in: Messages.fileIDs) }) == true,
        let operation = find(self.id(of: saving), in: Operations.collection),
        let draft = pending(operation)?.entity
      else { continue }
      savings.append((saving, draft))
    }
    return savings
  }
}
