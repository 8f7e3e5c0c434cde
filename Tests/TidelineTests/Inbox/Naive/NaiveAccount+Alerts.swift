import EventStore
import Tideline

extension NaiveAccount {
  /// Rule 39.
  mutating func alert(_ fields: ObjectFields, _ record: NaiveRecord) {
    guard let id = fields.id else { return }
    let name = canonical(.rich, id)
    guard objects[name] != nil || tombstone(of: name, record.now) == nil else { return }
    var object = objects[name] ?? NaiveObject(.rich, name.id, record)
    object.toldAt = record.number
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
    object.setBase(base)
    let bits = NaiveNews.bits(news.fields.subtracting(own), .rich)
    object.known = news.isWhole ? -1 : object.known | bits
    object.version = object.version ?? news.version
  }

  /// Rule 41.
  mutating func replaceID(_ event: IDReplaced, _ record: NaiveRecord) {
    let old = canonical(event.objectClass, event.old)
    let new = canonical(event.objectClass, event.new)
    if objects[old] == nil {
      guard objects[new] != nil else { return }
      if old != new { aliases[old] = new.id }
      objects[new]?.serverID = event.new
    } else {
      if old != new { takeOver(new, into: old) }
      objects[old]?.serverID = event.new
    }
  }

  /// The object of the new id is gone; what there was of it counts for the old one's.
  private mutating func takeOver(_ new: ObjectName, into old: ObjectName) {
    aliases[new] = old.id
    renameInLists(new, to: old)
    tombstones[new] = nil
    guard let other = objects[new] else { return }
    objects[new] = nil
    for index in operations.indices where operations[index].name == new {
      operations[index].name = old
    }
    guard var object = objects[old], let taken = other.base else { return }
    if other.objectClass == .message { (object.objectClass, object.isSent) = (.message, false) }
    guard other.objectClass == object.objectClass else { return }
    object.setBase(taken)
    object.version = [object.version, other.version].compactMap(\.self).max()
    object.known = other.known
    objects[old] = object
  }

  /// Lists that threads have already name the object as its row does.
  private mutating func renameInLists(_ new: ObjectName, to old: ObjectName) {
    guard new.objectClass == .message else { return }
    for thread in objects(.thread) {
      objects[thread.name]?.messageIDs = thread.messageIDs.renaming(new.id, to: old.id)
      objects[thread.name]?.draftIDs = thread.draftIDs.renaming(new.id, to: old.id)
    }
  }
}

extension [String] {
  fileprivate func renaming(_ id: String, to other: String) -> [String] {
    guard let index = firstIndex(of: id) else { return self }
    var list = self
    if contains(other) { list.remove(at: index) } else { list[index] = other }
    return list
  }
}
