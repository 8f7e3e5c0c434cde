import EventStore
import Tideline

// The person's own drafts, tags and files (30).
extension NaiveAccount {
  mutating func save(_ event: SaveDraft, _ record: NaiveRecord) {
    let wish = NaiveWish.save(saved(.draft, event.draft))
    make(.draft, event.draft, wish, event.terms, record)
  }

  mutating func save(_ event: SaveTag, _ record: NaiveRecord) {
    var news = saved(.tag, event.tag)
    news.said = news.said.filter { $0.key == .name }
    make(.tag, event.tag, .save(news), event.terms, record)
  }

  mutating func add(_ event: AddFile, _ record: NaiveRecord) {
    guard let id = event.file.id else { return }
    let name = canonical(.file, id)
    if objects[name] == nil {
      make(.file, event.file, .save(saved(.file, event.file)), event.terms, record)
      objects[name]?.localPath = event.content.isEmpty ? nil : event.content
    }
    guard let file = target(.file, id), let draft = event.draft.flatMap({ target(.draft, $0) })
    else { return }
    operations.append(operation(draft.name, .draft, .attach(file.id), event.terms, record))
  }

  /// Returns what a saving says: its fields, without the server's.
  private func saved(_ objectClass: ObjectClass, _ fields: ObjectFields) -> NaiveNews {
    var news = NaiveNews(objectClass, fields)
    (news.version, news.fields, news.isWhole) = (nil, [], false)
    return news
  }

  /// Opens a saving, and makes the object if it doesn't exist.
  private mutating func make(
    _ objectClass: ObjectClass, _ fields: ObjectFields, _ wish: NaiveWish, _ terms: IntentTerms,
    _ record: NaiveRecord
  ) {
    guard let id = fields.id else { return }
    let name = canonical(objectClass, id)
    if objects[name] == nil {
      objects[name] = NaiveObject(objectClass, name.id, record)
    } else if target(objectClass, id) == nil {
      return
    }
    endRejectedSendings(of: name)
    for index in operations.indices
    where operations[index].name == name && operations[index].state == .rejected {
      operations[index].state = .waiting
    }
    operations.append(operation(name, objectClass, wish, terms, record))
  }

  private mutating func endRejectedSendings(of name: ObjectName) {
    operations.removeAll { $0.name == name && $0.state == .rejected && $0.wish == .send }
  }

  mutating func send(_ event: SendDraft, _ record: NaiveRecord) {
    guard let draft = target(.draft, event.id) else { return }
    let isSending = operations(on: draft.name).contains {
      $0.wish == .send && $0.state != .rejected
    }
    guard !isSending else { return }
    endRejectedSendings(of: draft.name)
    operations.append(operation(draft.name, .draft, .send, event.terms, record))
  }

  mutating func delete(_ event: DeleteDraft, _ record: NaiveRecord) {
    guard let draft = target(.draft, event.id) else { return }
    operations.append(operation(draft.name, .draft, .delete, event.terms, record))
  }

  /// Records that a file's content is kept beside the log, or no longer (42).
  mutating func store(_ event: ContentStored) {
    objects[canonical(.file, event.id)]?.localPath = event.content
  }
}
