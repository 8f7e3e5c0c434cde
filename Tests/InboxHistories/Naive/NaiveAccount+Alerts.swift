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
    let isPartial = object.known != -1
    if isPartial { take(NaiveNews(.rich, fields), into: &object) }
    objects[name] = object
    if isPartial { ask(name, record.now) }
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
      if old != new { aliases[written(event.objectClass, event.old)] = new.id }
      objects[new]?.serverID = event.new
    } else if old != new {
      releaseFormerID(of: old)
      takeOver(objects[new] == nil ? written(event.objectClass, event.new) : new, into: old)
      objects[old]?.serverID = event.new
      objects[old]?.toldAt = record.number
    }
  }

  /// Forgets that an object with no facts has the id that its server knew it by.
  private mutating func releaseFormerID(of name: ObjectName) {
    guard let object = objects[name], object.base == nil, let former = object.serverID
    else { return }
    let other = written(object.objectClass, former)
    guard aliases[other] != nil else { return }
    aliases[other] = nil
    if tombstones[other] == nil { tombstones[other] = tombstones[name] }
  }

  /// Makes the old id's object take over the new id's object, and removes that.
  ///
  /// If the new id is only another name of a removed object, that object keeps its tombstone.
  private mutating func takeOver(_ new: ObjectName, into old: ObjectName) {
    let buried = canonical(new.objectClass, new.id)
    let left = [old, new].compactMap { objects[$0].flatMap(thread(of:)) }
    aliases[new] = old.id
    let isToBeMade = objects[new] == nil && objects[old]?.base == nil
    tombstones[old] = isToBeMade ? tombstones[buried] : nil
    if buried == new { tombstones[new] = nil }
    defer {
      for name in left + [objects[old].flatMap(thread(of:))] { renameLists(ofThread: name) }
    }
    guard let other = objects[new] else { return }
    objects[new] = nil
    for index in operations.indices where operations[index].name == new {
      operations[index].name = old
    }
    guard var object = objects[old], let taken = other.base else { return }
    if other.objectClass == .message { (object.objectClass, object.isSent) = (.message, false) }
    guard other.objectClass == object.objectClass else { return }
    (object.base, object.effectiveAt) = (taken, other.effectiveAt)
    (object.version, object.known) = (other.version, other.known)
    object.localPath = object.localPath ?? other.localPath
    objects[old] = object
  }

  /// Renames the ids in a thread's present lists to those of their rows.
  mutating func renameLists(ofThread name: ObjectName?) {
    guard let name, var thread = objects[name] else { return }
    renameLists(of: &thread)
    objects[name] = thread
  }

  /// Renames the ids in the lists of an object with facts to those of their rows.
  func renameLists(of object: inout NaiveObject) {
    object.messageIDs = renamed(object.messageIDs, .message)
    object.draftIDs = renamed(object.draftIDs, .draft)
    if let tags = object.base?[.tags] { object.base?[.tags] = .ids(renamed(tags.list, .tag)) }
    if let files = object.base?[.fileIDs] {
      object.base?[.fileIDs] = .ids(renamed(files.list, .file))
    }
  }

  private func renamed(_ ids: [String], _ objectClass: ObjectClass) -> [String] {
    var renamed: [String] = []
    for id in ids {
      let name = canonical(objectClass, id)
      let own = objects[name] == nil ? id : name.id
      if !renamed.contains(own) { renamed.append(own) }
    }
    return renamed
  }
}
