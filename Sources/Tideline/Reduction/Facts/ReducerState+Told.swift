import EventStore

/// What is noted of who told of objects, and of what of them is the device's.
extension ReducerState {
  /// Notes when an object was last told of.
  mutating func noteTold(_ entity: Entity, _ occasion: Occasion) {
    self[entity.row, InboxFields.told] = Mark(rawValue: occasion.number.rawValue)
  }

  /// Notes that a server has told of an object.
  mutating func told(of entity: Entity, _ occasion: Occasion) {
    let kind = entity.kind.objectClass
    noteTold(entity, occasion)
    disown(.object, of: entity)
    guard kind == .message || kind == .rich else { return }
    let isSent = kind == .message && self[base(of: entity), Messages.kind] == .draft
    hide(entity.row, isSent ? .untold : [.untold, .sent], false)
  }

  /// Notes that the base of an object is not what the last fact said any more.
  mutating func departed(_ entity: Entity) {
    if self[entity.row, InboxFields.digest] != nil { self[entity.row, InboxFields.digest] = nil }
  }

  /// Whether the device owns something of an object.
  mutating func owns(_ owned: Making.Owned, of entity: Entity) -> Bool {
    self[entity.row, InboxFields.making]?.owned.isSuperset(of: owned) == true
  }

  /// Has the device own something of an object.
  mutating func own(_ owned: Making.Owned, of entity: Entity) {
    guard var making = self[entity.row, InboxFields.making] else { return }
    making.owned.formUnion(owned)
    self[entity.row, InboxFields.making] = making
  }

  /// Has the device own something of an object no more.
  mutating func disown(_ owned: Making.Owned, of entity: Entity) {
    guard var making = self[entity.row, InboxFields.making],
      !making.owned.isDisjoint(with: owned)
    else { return }
    making.owned.subtract(owned)
    self[entity.row, InboxFields.making] = making
  }
}
