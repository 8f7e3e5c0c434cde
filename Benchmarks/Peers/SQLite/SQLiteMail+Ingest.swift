extension SQLiteMail {
  /// Ingests a batch in one transaction.
  package func ingest(_ mailbox: Mailbox, _ batch: Range<Int>) throws(SQLiteError) {
    var none: Changes?
    try ingest(mailbox, batch, noting: &none)
  }

  /// The changes of both views' keys in a batch.
  struct Changes {
    var groups = KeyChanges()
    var items = KeyChanges()
  }

  /// Ingests a batch, and notes the changes in `changes`, unless it is `nil`.
  func ingest(
    _ mailbox: Mailbox, _ batch: Range<Int>, noting changes: inout Changes?
  ) throws(SQLiteError) {
    try statements.begin.run()
    for number in batch { try add(mailbox[number], noting: &changes) }
    try statements.commit.run()
    changes?.groups.settle()
    changes?.items.settle()
  }

  private func add(_ item: MailItem, noting changes: inout Changes?) throws(SQLiteError) {
    unsafe payload.write(item, to: event)
    try addEvent(MailPayload.size)
    try addItem(item)
    if extras.contains(.tags) { try addTags(item) }
    if item.isUnread {
      changes?.items.insert(item.key)
      try addToDay(of: item.date, 1, statements.items)
    }
    try noteGroup(of: item, &changes)
    unsafe statements.addToGroup.bind(1, text: eventBytes(MailPayload.groupPlace))
    statements.addToGroup.bind(2, item.date)
    statements.addToGroup.bind(3, item.isUnread ? 1 : 0)
    try statements.addToGroup.run()
  }

  /// Appends the first bytes of the current event to the log.
  func addEvent(_ size: Int) throws(SQLiteError) {
    unsafe statements.addEvent.bind(1, bytes: eventBytes(0..<size))
    try statements.addEvent.run()
  }

  func addItem(_ item: MailItem) throws(SQLiteError) {
    unsafe statements.addItem.bind(1, text: eventBytes(MailPayload.idPlace))
    unsafe statements.addItem.bind(2, text: eventBytes(MailPayload.groupPlace))
    statements.addItem.bind(3, item.date)
    statements.addItem.bind(4, item.isUnread ? 1 : 0)
    unsafe statements.addItem.bind(5, text: eventBytes(MailPayload.subjectPlace))
    try statements.addItem.run()
  }

  func addTags(_ item: MailItem) throws(SQLiteError) {
    for tag in [item.tags.0, item.tags.1] {
      statements.addTag.bind(1, Int64(tag))
      statements.addTag.bind(2, item.date)
      unsafe statements.addTag.bind(3, text: eventBytes(MailPayload.idPlace))
      try statements.addTag.run()
    }
  }

  /// Notes a group's move; queries its old place only if that is needed.
  private func noteGroup(of item: MailItem, _ changes: inout Changes?) throws(SQLiteError) {
    guard changes != nil || extras.contains(.days) else { return }
    unsafe statements.groupDate.bind(1, text: eventBytes(MailPayload.groupPlace))
    let last = try statements.groupDate.integer()
    guard last ?? .min < item.date else { return }
    let old = last.map { ViewKey(date: $0, id: item.groupID) }
    changes?.groups.move(item.group, from: old, to: ViewKey(date: item.date, id: item.groupID))
    if let last { try addToDay(of: last, -1, statements.groups) }
    try addToDay(of: item.date, 1, statements.groups)
  }

  func addToDay(
    of date: Int64, _ count: Int64, _ view: Statements.View
  ) throws(SQLiteError) {
    guard extras.contains(.days) else { return }
    view.addToDay.bind(1, Self.day(of: date))
    view.addToDay.bind(2, count)
    try view.addToDay.run()
  }

  @unsafe func eventBytes(_ place: Range<Int>) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: event[place])
  }

  static func day(of date: Int64) -> Int64 { date / millisecondsPerDay }
  static let millisecondsPerDay: Int64 = 86_400_000
}
