package import EventStore
package import Tideline
package import TidelineSync

/// The changes at a mail server since a cursor.
package struct ServedChanges: Sendable {
  /// The reported changes, in order.
  package var facts: [ObjectFact] = []
  /// The cursor after each of them.
  package var cursors: [String] = []
  /// The cursor after all of them, and after changes that are not reported.
  package var end: String
  /// Whether there are no further changes at present.
  package var isLast = true

  fileprivate var answer: Answer {
    Answer {
      $0.facts = facts
      $0.cursor = end
      $0.isLast = isLast
    }
  }
}

/// The answers of the server.
extension MailServer {
  package func answer(_ question: Question, token: Token?) throws(ServerFailure) -> Answer {
    try admit(token)
    return switch question {
    case .cursor: Answer { $0.cursor = cursor(at: log.last) }
    case .changes(_, let since, let limit): try changes(since: since, limit: limit).answer
    case .page(let objectClass, let offset, let limit):
      page(objectClass, offset, pageLength(atMost: limit))
    case .list(let objectClass, let filters, let offset, let limit):
      page(objectClass, offset, limit, by: filters)
    case .all(let objectClass, _): page(objectClass, 0, .max)
    case .object(let objectClass, let id): try object(ObjectName(objectClass, id))
    case .sent(let messageID, _): sent(messageID)
    }
  }

  private func cursor(at number: Int) -> String { "c\(number)" }

  /// Returns the cursor after the changes before a moment; the first known one if those are
  /// forgotten or there are none.
  package func cursor(before moment: Timestamp) -> String {
    cursor(at: log.last(before: moment))
  }

  /// Forgets all transactions but the last; cursors before those become unknown.
  package func purge(keeping count: Int) { log.purge(through: log.last - count) }

  /// Returns the changes since a cursor, each with the cursor after it.
  package func changes(
    since: String, limit: Int
  ) throws(ServerFailure) -> ServedChanges {
    guard let number = Int(since.dropFirst()), since.first == "c",
      (log.floor...log.last).contains(number)
    else { throw .because(.cursorUnknown) }
    let isShort = dice.happens(manners.shortShare)
    let limit = isShort ? dice.number(1...max(limit, 1)) : max(limit, 1)
    var changes = ServedChanges(end: since)
    for entry in log.entries(after: number) {
      guard changes.facts.count < limit else {
        changes.isLast = false
        break
      }
      changes.end = cursor(at: entry.number)
      guard let fact = fact(entry) else { continue }
      changes.facts.append(fact)
      changes.cursors.append(changes.end)
    }
    return changes
  }

  /// Returns the fact for a transaction; of an object that no longer exists, only its deletion.
  private func fact(_ entry: TransactionLog.Entry) -> ObjectFact? {
    switch entry.command {
    case .delete:
      ObjectFact(
        entry.name.objectClass,
        ObjectFields {
          $0.put(.id, entry.name.id)
          $0.put(.change, ObjectChange.deleted)
        })
    case .create: fact(entry.name, .created)
    case .modify: fact(entry.name, .changed, telling: entry.told)
    }
  }

  /// Draws how many objects a page of all objects may have.
  private func pageLength(atMost limit: Int) -> Int {
    let most = max(min(limit, manners.listedMax), 0)
    guard pageDice.happens(manners.shortPageShare) else { return most }
    // Few pages are too short to overlap: a listing with many of them can't tell what is gone.
    if pageDice.happens(50) { return pageDice.number(0...min(most, 1)) }
    return pageDice.number(min(most, 2)...most)
  }

  private func page(
    _ objectClass: ObjectClass, _ offset: Int, _ limit: Int, by filters: [ServerFilter] = []
  ) -> Answer {
    let all = order(of: objectClass).filter { passes(filters, ObjectName(objectClass, $0.id)) }
    let page = all.dropFirst(offset).prefix(limit)
    return Answer {
      $0.facts = page.compactMap { fact(ObjectName(objectClass, $0.id), .whole) }
      $0.isLast = limit == .max || page.count < limit
    }
  }

  /// Returns the objects of a class in page order, with the dates that determine their places.
  package func order(of objectClass: ObjectClass) -> [(id: String, date: Timestamp)] {
    switch objectClass {
    case .tag: undated(tags.ids)
    case .contact: undated(contacts.ids)
    case .file: undated(files.ids)
    case .thread: lastFirst(threads.all.map { ($0.id, lastDate(of: $0)) })
    case .message: lastFirst(messages.all.filter { !$0.isDraft }.map { ($0.id, $0.date) })
    case .draft: lastFirst(messages.all.filter(\.isDraft).map { ($0.id, $0.date) })
    default: []
    }
  }

  /// Returns the date that determines an object's place; `nil` if the class has no such object.
  package func date(of name: ObjectName) -> Timestamp? {
    switch name.objectClass {
    case .tag: tags[name.id].map { _ in Self.undated }
    case .contact: contacts[name.id].map { _ in Self.undated }
    case .file: files[name.id].map { _ in Self.undated }
    case .thread: threads[name.id].map(lastDate)
    case .message: messages[name.id].flatMap { $0.isDraft ? nil : $0.date }
    case .draft: messages[name.id].flatMap { $0.isDraft ? $0.date : nil }
    default: nil
    }
  }

  /// The date of objects that are listed in creation order.
  private static let undated = Timestamp(rawValue: 0)

  private func undated(_ ids: [String]) -> [(id: String, date: Timestamp)] {
    ids.map { ($0, Self.undated) }
  }

  /// Sorts by descending date; the order of equal dates is arbitrary.
  private func lastFirst(
    _ things: [(id: String, date: Timestamp)]
  ) -> [(id: String, date: Timestamp)] {
    var all = things
    if dice.happens(500) { all.reverse() }
    all.sort { left, right in left.date > right.date }
    return all
  }

  private func object(_ name: ObjectName) throws(ServerFailure) -> Answer {
    guard let fact = fact(name, .whole) else { throw .because(.notFound) }
    return Answer { $0.facts = [fact] }
  }

  private func sent(_ messageID: String) -> Answer {
    let message = messages.all.first { $0.messageID == messageID && !$0.isDraft }
    let told = message.flatMap { fact(ObjectName(.message, $0.id), .whole) }
    return Answer { $0.facts = told.map { [$0] } ?? [] }
  }
}
