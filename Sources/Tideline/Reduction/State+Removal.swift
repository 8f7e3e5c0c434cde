import EventStore

/// What is deleted, and stays so.
extension State {
  /// Takes in that a server has an object no more.
  mutating func takeAway(
    _ fact: Fact, _ entity: Entity?, _ occasion: Occasion
  ) throws(Refusal) {
    guard let entity else {
      guard tombstone(fact.id, fact.kind, occasion) == nil else { return }
      return try bury(fact.id, fact.kind, version: fact.version, isOwn: false, occasion)
    }
    guard isNews(fact, of: entity) else { return }
    if fact.change == .gone, !isSurelyGone(entity, occasion) { return }
    try remove(entity, version: fact.version, isOwn: false, occasion)
  }

  /// Whether the absence of an object means that it is gone.
  private mutating func isSurelyGone(_ entity: Entity, _ occasion: Occasion) -> Bool {
    let answer = answer(of: occasion)
    if answer.isOneObject { return true }
    let isOwn = self[entity.row, InboxFields.making]?.owned.contains(.object) == true
    guard !isOwn, operations(of: entity.row).isEmpty else { return false }
    let told = self[entity.row, InboxFields.told]?.rawValue ?? 0
    return told <= answer.sentAfter.rawValue
  }

  /// Removes an object and what is open on it, but for drafts that are being saved.
  mutating func remove(
    _ entity: Entity, version: Int?, isOwn: Bool, _ occasion: Occasion
  ) throws(Refusal) {
    let id = Message.name(of: self.id(of: entity.row))?.id ?? ""
    if keepDraft(entity, occasion) { return }
    let place = threadPlace(of: entity)
    let thread = thread(of: entity, occasion)
    let known = self[base(of: entity), InboxFields.version]
    let serverID = entity.kind.serverID.flatMap { self[entity.row, $0] }
    let messages = messagesCovered(by: entity, occasion)
    for operation in operations(of: entity.row) { remove(operation, from: entity.row) }
    removeTimer(of: entity.row)
    if isOpen(entity) { delete(base(of: entity)) }
    delete(entity.row)
    moveInThreads(entity, from: place, occasion)
    if let thread { refresh(thread, occasion) }
    for message in messages { refresh(message, occasion) }
    let last = [version, known].compactMap { $0 }.max()
    for id in Set([id, serverID ?? id]) {
      try bury(id, entity.kind, version: last, isOwn: isOwn, occasion)
    }
  }

  /// The messages that an operation on their thread makes read.
  private mutating func messagesCovered(
    by entity: Entity, _ occasion: Occasion
  ) -> [Entity] {
    let isReading = operations(of: entity.row).contains { self.isReading($0) }
    return entity.kind.objectClass == .thread && isReading ? messages(of: entity, occasion) : []
  }

  /// Whether a draft is being saved: then it stays, as one that no server has told of.
  private mutating func keepDraft(_ entity: Entity, _ occasion: Occasion) -> Bool {
    let all = operations(of: entity.row)
    let actions = all.compactMap { self[$0, Operations.action] }
    guard isDraft(entity), actions.contains(.saveDraft),
      !actions.contains(.deleteDraft)
    else { return false }
    let place = threadPlace(of: entity)
    for operation in all where self[operation, Operations.action] != .saveDraft {
      remove(operation, from: entity.row)
    }
    takeOverBase(of: entity)
    own(.object, of: entity)
    departed(entity)
    operationsChanged(of: entity, from: place, isReading: false, occasion)
    return true
  }

  private mutating func isDraft(_ entity: Entity) -> Bool {
    entity.kind.objectClass == .message && self[entity.row, Messages.kind] == .draft
  }

  /// Has the first saving of a draft say what the base said, where it says nothing.
  private mutating func takeOverBase(of entity: Entity) {
    let base = base(of: entity)
    let operations = operations(of: entity.row)
    let first = operations.first { self[$0, Operations.saving] != nil }
    if let first, let saving = saving(of: first) {
      let said = FieldBits(bitPattern: self[saving, InboxFields.known] ?? 0)
      var told: FieldBits = 0
      change(base) { row in
        told = Messages.saved.reduce(0) { row.has($1) ? $0 | $1.bit : $0 }
      }
      let added = Set(Messages.saved.filter { (told & ~said) & $0.bit != 0 })
      copyValues(
        from: base, to: saving, except: Set(Messages.collection.fields).subtracting(added))
      self[saving, InboxFields.known] = Int64(bitPattern: said | told)
    }
    clear(base)
  }

  /// Has a base say nothing.
  private mutating func clear(_ base: RowHandle) {
    change(base) { row in
      ObjectKind.message.clear(allBut: 0, in: &row)
      row[InboxFields.version] = nil
      ObjectKind.message.finish(&row, having: .max)
    }
  }

  /// Has the device own something of an object.
  mutating func own(_ owned: Making.Owned, of entity: Entity) {
    guard var making = self[entity.row, InboxFields.making] else { return }
    making.owned.formUnion(owned)
    self[entity.row, InboxFields.making] = making
  }

  /// Leaves a tombstone for an id.
  private mutating func bury(
    _ id: String, _ kind: ObjectKind, version: Int?, isOwn: Bool, _ occasion: Occasion
  ) throws(Refusal) {
    let key = ObjectKey(id, kind, occasion)
    let stone = try row(key.stone, in: Tombstones.collection)
    try edit(stone) { row in
      row[Tombstones.version] = version
      row[Tombstones.deletedAt] = occasion.now
      row[Tombstones.record] = Mark(rawValue: occasion.number.rawValue)
      row[Tombstones.exchange] = occasion.exchange.map { Mark(rawValue: $0.rawValue) }
      row[Tombstones.isOwn] = isOwn ? true : nil
      row[Tombstones.account] = Int64(occasion.account)
    }
  }

  /// The tombstone of an id, unless its time is over.
  mutating func tombstone(
    _ id: String, _ kind: ObjectKind, _ occasion: Occasion
  ) -> RowHandle? {
    tombstone(ObjectKey(id, kind, occasion), occasion)
  }

  /// The tombstone of an object's names, unless its time is over.
  private mutating func tombstone(_ key: ObjectKey, _ occasion: Occasion) -> RowHandle? {
    guard let stone = find(key.stone, in: Tombstones.collection) else { return nil }
    let interval = self[occasion.login, Accounts.tombstoneInterval] ?? 0
    guard interval > 0, self[stone, Tombstones.isOwn] != true,
      let deletedAt = self[stone, Tombstones.deletedAt]
    else { return stone }
    let age = occasion.now.rawValue &- deletedAt.rawValue
    return age < Int64(interval) ? stone : nil
  }

  /// Whether a fact may make an object; if there is a tombstone it goes then.
  mutating func mayReturn(_ fact: Fact, _ occasion: Occasion) throws(Refusal) -> Bool {
    guard let stone = tombstone(fact.key, occasion) else { return true }
    guard outlives(fact, stone, occasion) else { return false }
    delete(stone)
    return true
  }

  private mutating func outlives(
    _ fact: Fact, _ stone: RowHandle, _ occasion: Occasion
  ) -> Bool {
    if let version = fact.version, let last = self[stone, Tombstones.version], version > last {
      return true
    }
    let record = self[stone, Tombstones.record]?.rawValue ?? 0
    if answer(of: occasion).sentAfter.rawValue >= record { return true }
    guard let exchange = occasion.exchange, fact.change == .created else { return false }
    return self[stone, Tombstones.exchange]?.rawValue == exchange.rawValue
  }

  /// Removes the tombstone of an id.
  mutating func unbury(_ id: String, _ kind: ObjectKind, _ occasion: Occasion) {
    let key = ObjectKey(id, kind, occasion)
    if let stone = find(key.stone, in: Tombstones.collection) { delete(stone) }
  }
}
