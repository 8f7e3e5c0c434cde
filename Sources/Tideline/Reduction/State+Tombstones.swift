import EventStore

/// What stays deleted.
extension State {
  /// Why an object is no more.
  struct Removal {
    /// The version in which it was deleted.
    var version: Int?
    /// Whether the person deleted it.
    var isOwn = false
    /// Whether it was merely not there when something was asked or wanted of it.
    var isMissed = false
    /// Whether it was deleted as a draft.
    var isOfDraft = false
  }

  /// Leaves a tombstone for an id.
  mutating func bury(
    _ id: String, _ kind: ObjectKind, _ removal: Removal, _ occasion: Occasion
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
      row[Tombstones.account] = Int64(occasion.account)
    }
  }

  /// The tombstone of an id, unless its time is over.
  mutating func tombstone(
    _ id: String, _ kind: ObjectKind, _ occasion: Occasion
  ) -> RowHandle? {
    tombstone(ObjectKey(id, kind, occasion), occasion)
  }

  /// Whether a tombstone stands against what a fact says: not that of a draft against a message,
  /// which was sent, and not deleted.
  mutating func counts(_ stone: RowHandle, against fact: Fact) -> Bool {
    fact.objectClass == .draft || self[stone, Tombstones.isOfDraft] != true
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
    guard !counts(stone, against: fact) || outlives(fact, stone, occasion) else { return false }
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
