import EventStore

/// Reports about objects, and what the device owns of them.
extension ReducerState {
  /// Notes the latest report of an object.
  mutating func noteTold(_ entity: Entity, _ occasion: Occasion) {
    self[entity.row, InboxFields.told] = Mark(rawValue: occasion.number.rawValue)
  }

  /// Notes that a server has reported an object.
  mutating func told(of entity: Entity, _ occasion: Occasion) {
    let kind = entity.kind.objectClass
    noteTold(entity, occasion)
    disown(.object, of: entity)
    guard kind == .message || kind == .rich else { return }
    let isSent = kind == .message && self[base(of: entity), Messages.kind] == .draft
    hide(entity.row, isSent ? .untold : [.untold, .sent], false)
  }

  /// Notes that the base of an object no longer equals the last fact.
  mutating func departed(_ entity: Entity) {
    if self[entity.row, InboxFields.digest] != nil { self[entity.row, InboxFields.digest] = nil }
  }

  /// Returns whether the device owns a part of an object.
  mutating func owns(_ owned: Making.Owned, of entity: Entity) -> Bool {
    self[entity.row, InboxFields.making]?.owned.isSuperset(of: owned) == true
  }

  /// Makes the device the owner of a part of an object.
  mutating func own(_ owned: Making.Owned, of entity: Entity) {
    guard var making = self[entity.row, InboxFields.making] else { return }
    making.owned.formUnion(owned)
    self[entity.row, InboxFields.making] = making
  }

  /// Ends the device's ownership of a part of an object.
  mutating func disown(_ owned: Making.Owned, of entity: Entity) {
    guard var making = self[entity.row, InboxFields.making],
      !making.owned.isDisjoint(with: owned)
    else { return }
    making.owned.subtract(owned)
    self[entity.row, InboxFields.making] = making
  }
}
