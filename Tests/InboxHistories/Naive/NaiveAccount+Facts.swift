import EventStore
import Tideline

// Facts about objects (8 to 19).
extension NaiveAccount {
  mutating func fact(_ objectClass: ObjectClass, _ fields: ObjectFields, _ record: NaiveRecord) {
    guard objectClass != .other, let id = fields.id else { return }
    let isDeletion = fields.change == .deleted || fields.change == .gone
    guard objectClass != .account else { return isDeletion ? () : accountFact(fields) }
    let name = canonical(objectClass, id)
    guard !isDraftFactAboutMessage(objectClass, name) else { return }
    if let object = objects[name] {
      guard !isLower(fields.integer(.version), than: object.version) else { return }
      guard isDeletion || !isLeftAlone(object) else { return }
    }
    guard passesTombstone(of: name, objectClass, fields, record) else { return }
    if isDeletion {
      deletion(name, objectClass, fields, record)
    } else {
      news(name, objectClass, fields, record)
    }
  }

  /// Rule 16.
  private func isDraftFactAboutMessage(_ objectClass: ObjectClass, _ name: ObjectName) -> Bool {
    objectClass == .draft && objects[name]?.objectClass == .message
  }

  private mutating func accountFact(_ fields: ObjectFields) {
    let news = NaiveNews(.account, fields)
    news.put(into: &base, .account)
    known = news.isWhole ? -1 : known | NaiveNews.bits(news.fields, .account)
    if let id = fields.id, !id.isEmpty { serverID = id }
  }

  /// Rule 13: returns whether a fact about an id counts despite a possible tombstone, which then
  /// goes.
  private mutating func passesTombstone(
    of name: ObjectName, _ objectClass: ObjectClass, _ fields: ObjectFields,
    _ record: NaiveRecord
  ) -> Bool {
    let isDeletion = fields.change == .deleted || fields.change == .gone
    let tombstone = tombstone(of: name, record.now)
    guard let tombstone, objectClass == .draft || !tombstone.isOfDraft else {
      if !isDeletion { tombstones[name] = nil }
      return true
    }
    if objectClass == .rich, policy.deletionSticks, !tombstone.isServers { return false }
    let version = fields.integer(.version)
    let isHigher = version.map { now in tombstone.version.map { now > $0 } ?? false } ?? false
    let isOfSameAnswer = record.exchange != nil && record.exchange == tombstone.exchange
    guard
      isHigher || record.wasAsked(after: tombstone.number)
        || (isOfSameAnswer && (fields.change == .created || fields.change == .whole))
    else { return false }
    if isDeletion { return objects[name] != nil }
    tombstones[name] = nil
    return true
  }

  /// Applies a fact that an object exists, and its state.
  private mutating func news(
    _ name: ObjectName, _ objectClass: ObjectClass, _ fields: ObjectFields, _ record: NaiveRecord
  ) {
    let isNew = objects[name] == nil
    var object = objects[name] ?? NaiveObject(objectClass, name.id, record)
    if isLeftAlone(object) { return }
    var news = NaiveNews(objectClass, fields)
    if isLower(news.version, than: object.version) { return }
    object.toldAt = record.number
    for field in object.owned { news.said[field] = nil }
    let wasUnread = object.base?.flag(.isUnread) ?? false
    become(objectClass, &object)
    take(news, into: &object, fields)
    objects[name] = object
    if objectClass == .rich { ask(name, record.now) }
    // Rule 20.
    let isUnread = object.base?.flag(.isUnread) ?? false
    if objectClass == .message, isUnread, isNew || !wasUnread {
      raiseUnread(object, isNew: isNew)
    }
    settle(by: news, about: name, record)
    // Rule 19.
    for file in fields.files(.files) ?? [] { fact(.file, file, record) }
  }

  /// Rule 14.
  private func isLeftAlone(_ object: NaiveObject) -> Bool {
    object.objectClass == .rich && !policy.serverEditsApply && object.known == -1
  }

  /// Rule 9.
  private func isLower(_ version: Int64?, than base: Int64?) -> Bool {
    guard let version, let base else { return false }
    return version < base
  }

  /// Rules 16, 24 and 36.
  private func become(_ objectClass: ObjectClass, _ object: inout NaiveObject) {
    object.isTold = true
    guard objectClass == .message else { return }
    object.objectClass = .message
    object.isSent = false
  }

  /// Rules 8 and 10.
  private func take(
    _ news: NaiveNews, into object: inout NaiveObject, _ fields: ObjectFields
  ) {
    var base = object.base ?? NaiveFields()
    news.put(into: &base, object.objectClass)
    object.setBase(base)
    object.version = news.version ?? object.version
    object.known =
      news.isWhole ? -1 : object.known | NaiveNews.bits(news.fields, object.objectClass)
    if object.serverID == nil, let id = fields.id, !id.hasPrefix("local-") { object.serverID = id }
    if object.objectClass == .thread { replaceLists(of: &object, by: news) }
    renameLists(of: &object)
  }

  /// Rule 37: an object listed as unchanged counts as a fact with everything known about it.
  mutating func listUnchanged(_ answer: Exchange, _ record: NaiveRecord) {
    var record = record
    record.answer = answer
    for names in answer.unchanged {
      for id in names.ids { listUnchanged(names.objectClass, id, record) }
    }
  }

  private mutating func listUnchanged(
    _ objectClass: ObjectClass, _ id: String, _ record: NaiveRecord
  ) {
    let name = canonical(objectClass, id)
    guard let object = objects[name], object.objectClass == objectClass, let base = object.base,
      tombstone(of: name, record.now) == nil, !isLeftAlone(object)
    else { return }
    var news = NaiveNews(all: base, known: object.known, objectClass)
    for field in object.owned { news.said[field] = nil }
    news.version = object.version
    settle(by: news, about: name, record)
  }
}
