import EventStore
import Tideline

// Intents (24 to 29).
extension NaiveAccount {
  /// Opens an operation, unless the object has none and this one would change neither the object
  /// nor a thread's messages, even if no other operation were open but deletions (24).
  mutating func open(_ operation: NaiveOperation) {
    var deleting = self
    deleting.operations.removeAll { $0.wish != .delete }
    let isIdle =
      operations(on: operation.name).isEmpty && !isSeen(operation)
      && !deleting.isSeen(operation)
    if !isIdle { operations.append(operation) }
  }

  /// Returns whether one more operation would change the object or a thread's messages.
  private func isSeen(_ operation: NaiveOperation) -> Bool {
    var (operation, after) = (operation, self)
    let tags = objects[operation.name].map { fields(of: $0).ids(.tags) } ?? []
    operation.wish = named(operation.wish, among: tags)
    after.operations.append(operation)
    return after.shown(around: operation.name) != shown(around: operation.name)
  }

  /// Returns the visible fields of an object, and of a thread's messages.
  private func shown(around name: ObjectName) -> [NaiveFields?] {
    let messages = objects(.message).filter { servedThread(of: $0) == name }
    return ([objects[name]].compactMap(\.self) + messages).map { object in
      guard !isHidden(object) else { return nil }
      var fields = fields(of: object)
      fields.values = fields.values.filter { !$0.value.isEmpty }
      fields[.tags] = .ids(fields.ids(.tags).sorted())
      return fields
    }
  }

  /// Opens an operation on each of several objects that exist and are visible (24).
  private mutating func openEach(
    _ objectClass: ObjectClass, _ ids: [String], _ wish: NaiveWish, _ terms: IntentTerms,
    _ record: NaiveRecord
  ) {
    var done: Set<ObjectName> = []
    for id in ids {
      guard let object = target(objectClass, id), done.insert(object.name).inserted else {
        continue
      }
      open(operation(object.name, objectClass, wish, terms, record))
    }
  }

  func operation(
    _ name: ObjectName, _ objectClass: ObjectClass, _ wish: NaiveWish, _ terms: IntentTerms,
    _ record: NaiveRecord
  ) -> NaiveOperation {
    var operation = NaiveOperation(record.number, name, objectClass, wish)
    operation.heldUntil = terms.heldUntil
    if terms.heldUntil != nil { operation.waitsSince = record.now }
    return operation
  }

  /// Rule 25.
  mutating func markRead(_ event: MarkRead, _ record: NaiveRecord) {
    guard [.thread, .message, .rich].contains(event.objectClass),
      event.isRead || policy.marksUnread
    else { return }
    openEach(event.objectClass, event.ids, .read(event.isRead), event.terms, record)
  }

  /// Rule 26.
  mutating func changeTags(_ event: ChangeTags, _ record: NaiveRecord) {
    let (added, removed) = (event.added.map(own(tag:)), event.removed.map(own(tag:)))
    guard [.thread, .message].contains(event.objectClass),
      Set(added).isDisjoint(with: removed)
    else { return }
    let wish = NaiveWish.tags(removed: removed, added: added)
    openEach(event.objectClass, event.ids, wish, event.terms, record)
  }

  /// Rule 28; drafts have an intent of their own.
  mutating func delete(_ event: DeleteObjects, _ record: NaiveRecord) {
    guard ![.draft, .account, .other].contains(event.objectClass) else { return }
    openEach(event.objectClass, event.ids, .delete, event.terms, record)
  }

  /// Rule 29.
  mutating func markAll(_ event: MarkAll, _ record: NaiveRecord) {
    let wish: NaiveWish =
      switch event.action {
      case .read: .read(true)
      case .deleted: .delete
      case .seen: .tags(removed: ["unseen"], added: [])
      }
    guard let record = beginning(of: record) else { return }
    let found = objects(event.objectClass).filter { isVisible($0) && finds(event, $0) }
    for object in found
    where !operations.contains(where: { $0.name == object.name && $0.intent == record.number }) {
      // A part may come after other intents than its own.
      let place = operations.firstIndex { $0.intent > record.number } ?? operations.endIndex
      operations.insert(
        operation(object.name, event.objectClass, wish, event.terms, record), at: place)
    }
  }

  /// Returns the record where the intent of a part began, if any.
  private func beginning(of record: NaiveRecord) -> NaiveRecord? {
    guard let cause = record.cause else { return record }
    guard cause > 0, cause < record.number else { return nil }
    return NaiveRecord(
      number: cause, now: record.now, exchange: record.exchange, answer: record.answer)
  }

  private func finds(_ event: MarkAll, _ object: NaiveObject) -> Bool {
    let fields = fields(of: object)
    if let asOf = event.asOf, object.made > asOf { return false }
    if let tag = event.tag {
      let isStar = object.objectClass == .message && tag == "starred"
      guard isStar ? fields.flag(.isStarred) : fields.ids(.tags).contains(tag) else { return false }
    }
    if let bytes = event.condition?.bytes, !meets(bytes, object) { return false }
    if let since = event.since {
      // Objects that may be deleted in any order are in no list by date.
      let isListed = event.action != .deleted || event.objectClass == .rich
      let date = fields.time(object.dateField) ?? shownAt(object)
      guard isListed, date >= since else { return false }
    }
    let isActive = object.isActive && !fields.flag(.isDeleted)
    return switch (event.action, object.objectClass) {
    case (.read, .thread): fields.ids(.tags).contains("unread")
    case (.read, .message): fields.flag(.isUnread)
    case (.read, .rich): isActive && !fields.flag(.isRead)
    case (.deleted, .rich): isActive
    case (.deleted, .thread), (.deleted, .message), (.deleted, .contact): true
    case (.seen, .thread): fields.ids(.tags).contains("unseen")
    default: false
    }
  }

  /// Rule 27.
  mutating func opened(_ event: MessageOpened, _ record: NaiveRecord) {
    guard event.objectClass == .rich, let object = target(.rich, event.id) else { return }
    objects[object.name]?.openedAt = object.openedAt ?? record.now
    report(object, record)
  }

  /// Rule 27.
  mutating func downloaded(_ event: MessageDownloaded, _ record: NaiveRecord) {
    guard event.objectClass == .rich, let object = target(.rich, event.id), !object.isReceived
    else { return }
    objects[object.name]?.isReceived = true
    report(object, record)
  }

  private mutating func report(_ object: NaiveObject, _ record: NaiveRecord) {
    guard privacy == .unrestricted else { return }
    operations.append(NaiveOperation(record.number, object.name, .rich, .report))
  }

  /// Rule 24.
  mutating func openAlert(_ event: AlertOpened, _ record: NaiveRecord) {
    guard event.marksRead ?? policy.marksReadOnOpening else { return }
    let name = canonical(.rich, event.id)
    let wanted = operation(name, .rich, .read(true), event.terms, record)
    if objects[name] != nil {
      if target(.rich, event.id) != nil { open(wanted) }
    } else if tombstone(of: name, record.now) == nil {
      var object = NaiveObject(.rich, name.id, record)
      object.isTold = false
      objects[name] = object
      operations.append(wanted)
    }
  }
}
