import EventStore
import Tideline

extension NaiveAccount {
  /// Rule 37.
  mutating func alert(_ fields: ObjectFields, _ record: NaiveRecord) {
    guard let id = fields.id else { return }
    let name = canonical(.rich, id)
    guard objects[name] != nil || tombstones[name] == nil else { return }
    var object = objects[name] ?? NaiveObject(.rich, name.id, record)
    object.lastFact = record.number
    object.isTold = true
    if object.known != -1 { take(NaiveNews(.rich, fields), into: &object) }
    objects[name] = object
    ask(name, record.now)
  }

  private func take(_ news: NaiveNews, into object: inout NaiveObject) {
    var base = object.base ?? NaiveFields()
    let own: Set<ObjectField> = [.isRead, .isDeleted]
    for (field, value) in news.said where !own.contains(field) && base[field] == nil {
      base[field] = value
    }
    object.base = base
    let bits = NaiveNews.bits(news.fields.subtracting(own), .rich)
    object.known = news.isWhole ? -1 : object.known | bits
    object.version = object.version ?? news.version
  }

  /// Rule 39.
  mutating func replaceID(_ event: IDReplaced, _ record: NaiveRecord) {
    let (old, new) = (
      canonical(event.objectClass, event.old), canonical(event.objectClass, event.new)
    )
    if old != new {
      if objects[old] != nil {
        takeOver(new, into: old)
      } else {
        move(new, to: old)
      }
      aliases[new] = old.id
    }
    objects[old]?.serverID = event.new
  }

  /// The object of the new id is gone; what the server said of it counts for the old one's.
  private mutating func takeOver(_ new: ObjectName, into old: ObjectName) {
    tombstones[new] = nil
    guard let other = objects[new], var object = objects[old] else { return }
    remove(new)
    guard let taken = other.base else { return objects[old] = object }
    if other.objectClass == .message { (object.objectClass, object.isSent) = (.message, false) }
    guard other.objectClass == object.objectClass else { return }
    object.base = taken
    object.version = [object.version, other.version].compactMap(\.self).max()
    object.known = -1
    objects[old] = object
  }

  /// Nothing is there by the old id: what is there by the new one is, unless the old was deleted.
  private mutating func move(_ new: ObjectName, to old: ObjectName) {
    if tombstones[old] == nil { tombstones[old] = tombstones[new] }
    tombstones[new] = nil
    guard tombstones[old] == nil, let other = objects[new] else { return remove(new) }
    objects[new] = nil
    objects[old] = other.renamed(old.id)
    for index in operations.indices where operations[index].name == new {
      operations[index].name = old
    }
  }
}

extension NaiveObject {
  /// The same object in the row of another id.
  fileprivate func renamed(_ id: String) -> NaiveObject {
    let record = NaiveRecord(number: made, now: madeAt)
    var other = NaiveObject(objectClass, id, record)
    (other.base, other.version, other.known) = (base, version, known)
    (other.lastFact, other.isTold, other.isSent) = (lastFact, isTold, isSent)
    (other.wasBegun, other.owned, other.isActive) = (wasBegun, owned, isActive)
    (other.askedAt, other.openedAt, other.localPath) = (askedAt, openedAt, localPath)
    (other.messageIDs, other.draftIDs) = (messageIDs, draftIDs)
    return other
  }
}
