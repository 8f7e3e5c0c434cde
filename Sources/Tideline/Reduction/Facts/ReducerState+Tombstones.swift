import EventStore

/// What stays deleted.
extension ReducerState {
  /// Why an object is no more.
  struct Removal {
    /// The version in which it was deleted.
    var version: Int?
    /// Whether the person deleted it.
    var isOwn = false
    /// Whether it was deleted as a draft.
    var isOfDraft = false
    /// The id by which it was named, where that may be one that the object doesn't know.
    var id: String?
  }

  /// The ids by which an object is known to be found.
  mutating func names(
    of entity: Entity, _ id: String? = nil, _ occasion: Occasion
  ) -> Set<String> {
    let own = Message.name(of: self.id(of: entity.row))?.id
    let server = entity.kind.serverID.flatMap { self[entity.row, $0] }
    // What was deleted and is there again may be found by an id that it does not know any more.
    let other = own.flatMap { otherID(ofBuried: $0, entity.kind, occasion) }
    return Set([own, server, other, id].compactMap { $0 })
  }

  /// Another id that what was deleted was known by.
  mutating func otherID(
    ofBuried id: String, _ kind: ObjectKind, _ occasion: Occasion
  ) -> String? {
    find(ObjectKey(id, kind, occasion).stone, in: Tombstones.collection)
      .flatMap { self[$0, Tombstones.otherID] }
  }

  /// Leaves tombstones for all ids of an object.
  mutating func bury(
    _ ids: Set<String>, _ kind: ObjectKind, _ removal: Removal, _ occasion: Occasion
  ) throws(Refusal) {
    // In order: rows are found by their numbers again where the same is folded once more.
    for id in ids.sorted() {
      try bury(id, kind, removal, knownAs: ids.subtracting([id]).max(), occasion)
    }
  }

  /// Leaves a tombstone for an id.
  mutating func bury(
    _ id: String, _ kind: ObjectKind, _ removal: Removal, knownAs other: String? = nil,
    _ occasion: Occasion
  ) throws(Refusal) {
    let key = ObjectKey(id, kind, occasion)
    let stone = try row(key.stone, in: Tombstones.collection)
    try edit(stone) { row in
      row[Tombstones.version] = removal.version
      row[Tombstones.deletedAt] = occasion.now
      row[Tombstones.record] = Mark(rawValue: occasion.number.rawValue)
      row[Tombstones.exchange] = occasion.exchange.map { Mark(rawValue: $0.rawValue) }
      row[Tombstones.isOwn] = removal.isOwn ? true : nil
      row[Tombstones.isOfDraft] = removal.isOfDraft ? true : nil
      row[Tombstones.otherID] = other
      row[Tombstones.account] = Int64(occasion.account)
    }
  }

  /// The tombstone of an id, unless its time is over.
  mutating func tombstone(
    _ id: String, _ kind: ObjectKind, _ occasion: Occasion
  ) -> RowHandle? {
    tombstone(ObjectKey(id, kind, occasion), occasion)
  }

  /// The last tombstone of an object that is there, unless its time is over.
  ///
  /// - Parameter id: An id of it that it may not know.
  mutating func tombstone(
    of entity: Entity, named id: String? = nil, _ occasion: Occasion
  ) -> RowHandle? {
    guard owns(.mayBeBuried, of: entity) else { return nil }
    return names(of: entity, id, occasion).compactMap { tombstone($0, entity.kind, occasion) }
      .max {
        self[$0, Tombstones.record]?.rawValue ?? 0 < self[$1, Tombstones.record]?.rawValue ?? 0
      }
  }

  /// Whether a tombstone stands against what a fact says: not that of a draft against a message,
  /// which was sent, and not deleted.
  mutating func counts(_ stone: RowHandle, against fact: Fact) -> Bool {
    fact.objectClass == .draft || self[stone, Tombstones.isOfDraft] != true
  }

  /// The tombstone of an object's names, unless its time is over.
  private mutating func tombstone(_ key: ObjectKey, _ occasion: Occasion) -> RowHandle? {
    find(key.stone, in: Tombstones.collection).flatMap { isOver($0, occasion) ? nil : $0 }
  }

  private mutating func isOver(_ stone: RowHandle, _ occasion: Occasion) -> Bool {
    let interval = self[occasion.login, Accounts.tombstoneInterval] ?? 0
    guard interval > 0, self[stone, Tombstones.isOwn] != true,
      let deletedAt = self[stone, Tombstones.deletedAt]
    else { return false }
    return occasion.now.rawValue &- deletedAt.rawValue >= Int64(interval)
  }

  /// Removes tombstones whose time is over, the oldest first: some thousand at most, the others
  /// with the next refresh.
  mutating func removeOldTombstones(_ occasion: Occasion) {
    let stepSize = 16
    for step in 0..<64 {
      let stones = rows(
        in: ListName(InboxViews.fadingTombstones, of: occasion.account),
        at: step * stepSize..<(step + 1) * stepSize)
      let old = stones.prefix { isOver($0, occasion) }
      for stone in old { delete(stone) }
      guard old.count == stepSize else { return }
    }
  }

  /// Whether a fact may make an object; if there is a tombstone it goes then.
  mutating func mayReturn(_ fact: Fact, _ occasion: Occasion) -> Bool {
    guard let stone = find(fact.key.stone, in: Tombstones.collection) else { return true }
    guard isOver(stone, occasion) || passes(fact, stone, occasion) else { return false }
    delete(stone)
    return true
  }

  /// Whether a fact counts for an object that is there: not one about a draft for a message, and
  /// not against a tombstone, which goes then, unless the fact deletes the object.
  mutating func mayTell(_ fact: Fact, of entity: Entity, _ occasion: Occasion) -> Bool {
    if fact.objectClass == .draft, self[entity.row, Messages.kind] == .message { return false }
    guard owns(.mayBeBuried, of: entity) else { return true }
    if let stone = tombstone(of: entity, named: fact.id, occasion) {
      guard passes(fact, stone, occasion) else { return false }
    }
    guard !fact.isDeletion else { return true }
    for name in names(of: entity, fact.id, occasion) { unbury(name, entity.kind, occasion) }
    disown(.mayBeBuried, of: entity)
    return true
  }

  private mutating func passes(
    _ fact: Fact, _ stone: RowHandle, _ occasion: Occasion
  ) -> Bool {
    !counts(stone, against: fact) || outlives(fact, stone, occasion)
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
