import EventStore

/// Deletions that last.
extension ReducerState {
  /// The circumstances of a deletion.
  struct Removal {
    /// The deleted version.
    var version: Int?
    /// Whether the person deleted the object.
    var isOwn = false
    /// Whether the object was deleted as a draft.
    var isOfDraft = false
    /// The id in the deletion, which the object may not know.
    var id: String?
  }

  /// Returns the known ids of an object.
  mutating func names(
    of entity: Entity, _ id: String? = nil, _ occasion: Occasion
  ) -> Set<String> {
    let own = objectID(of: entity)
    let server = entity.kind.serverID.flatMap { self[entity.row, $0] }
    // A deleted and restored object may have an id that it no longer knows.
    let other = otherID(ofBuried: own, entity.kind, occasion)
    return Set([own, server, other, id].compactMap { $0 })
  }

  /// Returns another id of a deleted object.
  mutating func otherID(
    ofBuried id: String, _ kind: ObjectKind, _ occasion: Occasion
  ) -> String? {
    find(ObjectKey(id, kind, occasion).stone, in: Tombstones.collection)
      .flatMap { self[$0, Tombstones.otherID] }
  }

  /// Adds tombstones for all ids of an object.
  mutating func bury(
    _ ids: Set<String>, _ kind: ObjectKind, _ removal: Removal, _ occasion: Occasion
  ) throws(Refusal) {
    // Sorted, so that repeated folds assign the same row numbers.
    for id in ids.sorted() {
      try bury(id, kind, removal, knownAs: ids.subtracting([id]).max(), occasion)
    }
  }

  /// Adds a tombstone for an id.
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

  /// Returns the tombstone of an id, unless it has expired.
  mutating func tombstone(
    _ id: String, _ kind: ObjectKind, _ occasion: Occasion
  ) -> RowHandle? {
    tombstone(ObjectKey(id, kind, occasion), occasion)
  }

  /// Returns the latest tombstone of an existing object, unless it has expired.
  ///
  /// - Parameter id: An id that the object may not know.
  mutating func tombstone(
    of entity: Entity, named id: String? = nil, _ occasion: Occasion
  ) -> RowHandle? {
    guard owns(.mayBeBuried, of: entity) else { return nil }
    return names(of: entity, id, occasion).compactMap { tombstone($0, entity.kind, occasion) }
      .max {
        self[$0, Tombstones.record]?.rawValue ?? 0 < self[$1, Tombstones.record]?.rawValue ?? 0
      }
  }

  /// Returns whether a tombstone applies to a fact; one of a draft does not apply to a message,
  /// since the draft was sent, not deleted.
  mutating func counts(_ stone: RowHandle, against fact: Fact) -> Bool {
    fact.objectClass == .draft || self[stone, Tombstones.isOfDraft] != true
  }

  /// Returns the tombstone of a key, unless it has expired.
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

  /// Removes expired tombstones, the oldest first: about a thousand at most, and more at the next
  /// refresh.
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

  /// Returns whether a fact may create an object; if so, removes the tombstone.
  mutating func mayReturn(_ fact: Fact, _ occasion: Occasion) -> Bool {
    guard let stone = find(fact.key.stone, in: Tombstones.collection) else { return true }
    guard isOver(stone, occasion) || passes(fact, stone, occasion) else { return false }
    delete(stone)
    return true
  }

  /// Returns whether the object whose row would have an id has a tombstone.
  mutating func isBuried(_ row: RawSpan, _ kind: ObjectKind) -> Bool {
    guard hadAny(in: Tombstones.collection) else { return false }
    var key = ObjectKey(ofRow: row, kind, in: &spares)
    let stone = find(key.stone, in: Tombstones.collection)
    key.giveBack(to: &spares)
    return stone != nil
  }

  /// Returns whether a fact applies to an existing object.
  ///
  /// A fact about a draft does not apply to a message. A tombstone may block the fact; if not, it
  /// is removed unless the fact is a deletion.
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
    let isOwn = self[stone, Tombstones.isOwn] == true
    if isOwn, fact.objectClass == .rich, occasion.switches.deletionSticks { return false }
    if let version = fact.version, let last = self[stone, Tombstones.version], version > last {
      return true
    }
    let record = self[stone, Tombstones.record]?.rawValue ?? 0
    if answer(of: occasion).sentAfter.rawValue >= record { return true }
    guard let exchange = occasion.exchange, fact.change == .created || fact.change == .whole
    else { return false }
    return self[stone, Tombstones.exchange]?.rawValue == exchange.rawValue
  }

  /// Removes the tombstone of an id.
  mutating func unbury(_ id: String, _ kind: ObjectKind, _ occasion: Occasion) {
    let key = ObjectKey(id, kind, occasion)
    if let stone = find(key.stone, in: Tombstones.collection) { delete(stone) }
  }
}
