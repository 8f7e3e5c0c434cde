import EventStore
import Tideline
package import TidelineSync

/// What the server answers.
extension MailServer {
  package func answer(_ question: Question, token: Token?) throws(ServerFailure) -> Answer {
    try admit(token)
    return switch question {
    case .cursor: Answer { $0.cursor = cursor(at: log.last) }
    case .changes(_, let since, let limit): try changes(since: since, limit)
    case .page(let objectClass, let offset, let limit): page(objectClass, offset, limit)
    case .all(let objectClass): page(objectClass, 0, .max)
    case .object(let objectClass, let id): try object(ObjectName(objectClass, id))
    case .sent(let messageID): sent(messageID)
    }
  }

  private func cursor(at number: Int) -> String { "c\(number)" }

  /// Forgets what happened up to now, but for the last transactions: cursors before them are not
  /// known any more.
  package func purge(keeping count: Int) { log.purge(through: log.last - count) }

  private func changes(since: String, _ limit: Int) throws(ServerFailure) -> Answer {
    guard let number = Int(since.dropFirst()), since.first == "c",
      (log.floor...log.last).contains(number)
    else { throw .because(.cursorUnknown) }
    let isShort = dice.happens(manners.shortShare)
    let limit = isShort ? dice.number(1...max(limit, 1)) : max(limit, 1)
    var (answer, end) = (Answer(), number)
    answer.isLast = true
    for entry in log.entries(behind: number) {
      guard answer.facts.count < limit else {
        answer.isLast = false
        break
      }
      end = entry.number
      if let fact = fact(entry) { answer.facts.append(fact) }
    }
    answer.cursor = cursor(at: end)
    return answer
  }

  /// What a transaction tells; nothing of what is no more, but that it is.
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

  private func page(_ objectClass: ObjectClass, _ offset: Int, _ limit: Int) -> Answer {
    let ids = ids(objectClass)
    let page = ids.dropFirst(offset).prefix(limit)
    return Answer {
      $0.facts = page.compactMap { fact(ObjectName(objectClass, $0), .whole) }
      $0.isLast = limit == .max || page.count < limit
    }
  }

  /// The ids of a class, in the order of pages.
  private func ids(_ objectClass: ObjectClass) -> [String] {
    switch objectClass {
    case .tag: tags.ids
    case .contact: contacts.ids
    case .file: files.ids
    case .thread: lastFirst(threads.all.map { ($0.id, lastDate(of: $0)) })
    case .message: lastFirst(messages.all.filter { !$0.isDraft }.map { ($0.id, $0.date) })
    case .draft: lastFirst(messages.all.filter(\.isDraft).map { ($0.id, $0.date) })
    default: []
    }
  }

  /// The last first; of those of the same time nobody knows which.
  private func lastFirst(_ things: [(id: String, date: Timestamp)]) -> [String] {
    var all = things
    if dice.happens(500) { all.reverse() }
    all.sort { left, right in left.date > right.date }
    return all.map(\.id)
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
