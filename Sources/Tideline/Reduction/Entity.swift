import EventStore

/// An object and its row, while a record is reduced.
struct Entity {
  let kind: ObjectKind
  let row: RowHandle
}

extension State {
  /// The row of an id, or `nil` where there is none.
  mutating func lookUp(_ id: String, _ kind: ObjectKind, _ occasion: Occasion) -> Entity? {
    lookUp(ObjectKey(id, kind, occasion), kind)
  }

  /// The row of an object's names, or `nil` where there is none.
  mutating func lookUp(_ key: ObjectKey, _ kind: ObjectKind) -> Entity? {
    find(key.row, in: kind.collection).map { Entity(kind: kind, row: $0) }
  }

  /// The object of a name, or `nil` where there is none, or it is a message for a draft or a draft
  /// for a message.
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

  /// Makes the object of an id, of which nothing is known.
  mutating func makeObject(
    _ id: String, _ kind: ObjectKind, _ occasion: Occasion, owned: Making.Owned = []
  ) throws(Refusal) -> Entity {
    try makeObject(ObjectKey(id, kind, occasion), kind, occasion, owned: owned) { row in
      kind.finish(&row, having: 0)
    }
  }

  /// Makes the object of an id, of which `fill` says what is known, and what follows from that.
  mutating func makeObject(
    _ key: ObjectKey, _ kind: ObjectKind, _ occasion: Occasion, owned: Making.Owned = [],
    _ fill: (inout MutableRow) -> Void
  ) throws(Refusal) -> Entity {
    let entity = Entity(kind: kind, row: try row(key.row, in: kind.collection))
    let hiding = hiding(ofNew: kind, occasion)
    try edit(entity.row) { row in
      row[InboxFields.account] = Int64(occasion.account)
      row[InboxFields.known] = 0
      row[InboxFields.making] = Making(
        occasion.number, owned: owned.contains(.object) ? owned.union(.mayBeBuried) : owned)
      row[InboxFields.hiding] = hiding
      switch kind.objectClass {
      case .thread: row[Threads.effectiveDate] = occasion.now
      case .message: row[Messages.effectiveDate] = occasion.now
      case .rich: row[RichMessages.effectiveDate] = occasion.now
      default: break
      }
      fill(&row)
    }
    return entity
  }

  /// Why the rich messages of an account aren't shown.
  mutating func accountHiding(of login: RowHandle) -> Hiding {
    var hiding: Hiding = []
    if self[login, Accounts.isInboxEnabled] == false { hiding.insert(.inboxOff) }
    switch self[login, Accounts.privacy] {
    case .restricted, .forgotten: hiding.insert(.restricted)
    default: break
    }
    return hiding
  }

  /// Why a new object of an account isn't shown.
  private mutating func hiding(ofNew kind: ObjectKind, _ occasion: Occasion) -> Hiding? {
    guard kind.objectClass == .rich else { return nil }
    let hiding = accountHiding(of: occasion.login)
    return hiding.isEmpty ? nil : hiding
  }

  /// Whether an object is shown.
  mutating func isShown(_ entity: Entity) -> Bool { self[entity.row, InboxFields.hiding] == nil }

  /// Hides an object for some reasons more or fewer.
  mutating func hide(_ row: RowHandle, _ reasons: Hiding, _ isHidden: Bool) {
    var hiding = self[row, InboxFields.hiding] ?? []
    let before = hiding
    if isHidden { hiding.formUnion(reasons) } else { hiding.subtract(reasons) }
    guard hiding != before else { return }
    self[row, InboxFields.hiding] = hiding.isEmpty ? nil : hiding
  }
}
