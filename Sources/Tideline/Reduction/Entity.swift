import EventStore

/// An object and its row, while a record is folded.
struct Entity {
  let kind: ObjectKind
  let row: RowHandle
}

extension ReducerState {
  /// Returns the object with an id, or `nil` if there is none.
  mutating func lookUp(_ id: String, _ kind: ObjectKind, _ occasion: Occasion) -> Entity? {
    lookUp(ObjectKey(id, kind, occasion), kind)
  }

  /// Returns the object with a key, or `nil` if there is none.
  mutating func lookUp(_ key: ObjectKey, _ kind: ObjectKind) -> Entity? {
    find(key.row, in: kind.collection).map { Entity(kind: kind, row: $0) }
  }

  /// Returns the object with an id, or `nil` if there is none or only a message instead of a draft,
  /// or vice versa.
  mutating func object(
    _ id: String, _ objectClass: ObjectClass, _ occasion: Occasion
  ) -> Entity? {
    guard let kind = ObjectKind.of(objectClass), let entity = lookUp(id, kind, occasion) else {
      return nil
    }
    guard kind.objectClass == .message else { return entity }
    let isDraft = self[entity.row, Messages.kind] == .draft
    return isDraft == (objectClass == .draft) ? entity : nil
  }

  /// Creates the object with an id, of which nothing is known.
  mutating func makeObject(
    _ id: String, _ kind: ObjectKind, _ occasion: Occasion, owned: Making.Owned = []
  ) throws(Refusal) -> Entity {
    let key = ObjectKey(id, kind, occasion)
    let entity = Entity(kind: kind, row: try row(key.row, in: kind.collection))
    try edit(entity.row) { row in
      NewObject(kind, occasion).begin(&row, owned: owned)
      kind.finish(&row, having: 0)
    }
    hideNew(entity, occasion)
    return entity
  }

  /// Creates the object of a fact, with all the fact's fields.
  mutating func makeObject(
    of fact: Fact, _ kind: ObjectKind, _ payload: RawSpan, _ occasion: Occasion
  ) throws(Refusal) -> Entity {
    let (row, isSketched) = try row(
      fact.key.row, in: kind.collection, sketchedFor: occasion.number)
    let entity = Entity(kind: kind, row: row)
    if !isSketched {
      try write(into: entity.row) { row throws(EventError) in
        try NewObject(kind, occasion).fill(&row, with: fact, kind, payload)
      }
    }
    hideNew(entity, occasion)
    return entity
  }

  /// Creates the objects of a kind that are sketched for a record, if all of them are new and none
  /// was deleted; returns the first, or `nil` with nothing done.
  mutating func makeSketched(
    _ kind: ObjectKind, _ occasion: Occasion
  ) throws(Refusal) -> RowHandle? {
    // Other ids may be in lists, and a tombstone may block or pass the fact.
    guard !occasion.hasAliases,
      let row = try createSketched(
        in: kind.collection, for: occasion.number, ifAll: { !$0.isBuried($1, kind) })
    else { return nil }
    hideNew(Entity(kind: kind, row: row), occasion)
    return row
  }

  /// Returns why the rich messages of an account are hidden.
  mutating func accountHiding(of login: RowHandle) -> Hiding {
    var hiding: Hiding = []
    if self[login, Accounts.isInboxEnabled] == false { hiding.insert(.inboxOff) }
    switch self[login, Accounts.privacy] {
    case .restricted, .forgotten: hiding.insert(.restricted)
    default: break
    }
    return hiding
  }

  /// Hides a new object if its account's rich messages are hidden.
  private mutating func hideNew(_ entity: Entity, _ occasion: Occasion) {
    guard entity.kind.objectClass == .rich else { return }
    let hiding = accountHiding(of: occasion.login)
    if !hiding.isEmpty { self[entity.row, InboxFields.hiding] = hiding }
  }

  /// Returns an object's id, without its account.
  mutating func objectID(of entity: Entity) -> String {
    id(of: entity.row, behind: UInt8(ascii: "/"))
  }

  /// Returns whether an object is shown.
  mutating func isShown(_ entity: Entity) -> Bool { self[entity.row, InboxFields.hiding] == nil }

  /// Adds or removes reasons for hiding an object.
  mutating func hide(_ row: RowHandle, _ reasons: Hiding, _ isHidden: Bool) {
    var hiding = self[row, InboxFields.hiding] ?? []
    let before = hiding
    if isHidden { hiding.formUnion(reasons) } else { hiding.subtract(reasons) }
    guard hiding != before else { return }
    self[row, InboxFields.hiding] = hiding.isEmpty ? nil : hiding
  }
}
