import Tideline
import TidelineSync

/// Drafts: saving and sending.
extension MailServer {
  /// Returns the draft of an order, which must have the expected version.
  func draft(_ order: Order) throws(ServerFailure) -> ServedMessage {
    guard let draft = messages[order.id], draft.isDraft else { throw .because(.notFound) }
    guard let version = order.part.version else { throw .because(.invalid) }
    guard version == draft.version else { throw .because(.conflict) }
    return draft
  }

  /// Saves a draft.
  func save(
    _ draft: Draft, isNew: Bool, _ order: Order
  ) throws(ServerFailure) -> PartOutcome {
    guard draft.fileIDs.allSatisfy({ files[$0] != nil }) else { throw .because(.invalid) }
    if isNew { return try make(draft, order) }
    let known = try self.draft(order)
    messages.change(known.id) { fill(&$0, draft, order) }
    note(order)
    touched(draft: known.id)
    return .done(version: known.version + 1)
  }

  private func make(_ draft: Draft, _ order: Order) throws(ServerFailure) -> PartOutcome {
    if let thread = draft.threadID, threads[thread] == nil { throw .because(.notFound) }
    let thread = draft.threadID ?? makeThread(draft.subject ?? "")
    let id = newID("m")
    var message = ServedMessage(
      id: id, thread: thread, subject: "", text: "", sender: Self.person, recipients: [],
      date: now, isDraft: true, version: -1)
    fill(&message, draft, order)
    messages[id] = message
    threads.change(thread) { $0.items.append(id) }
    log.add(.create, ObjectName(.draft, id))
    touched(thread: thread)
    note(order, on: id)
    return .done(version: 0, newID: id)
  }

  private func fill(_ message: inout ServedMessage, _ draft: Draft, _ order: Order) {
    message.subject = draft.subject ?? ""
    message.text = order.part.text ?? message.text
    message.recipients = draft.to.map(\.email)
    for (field, people) in draft.namedPeople { message.people[field] = people }
    message.repliedMessage = draft.replyToMessageID
    message.files = draft.fileIDs.sorted()
    message.version += 1
    message.date = now
  }

  /// Notes the change of a draft.
  func touched(draft id: String) {
    log.add(.modify, ObjectName(.draft, id))
    if let thread = messages[id]?.thread { touched(thread: thread) }
  }

  /// Sends a draft, which becomes a message with the same id.
  func send(_ messageID: String?, _ order: Order) throws(ServerFailure) -> PartOutcome {
    if manners.sendsAgain, let sent = messages[order.id], !sent.isDraft {
      messages.change(sent.id) { $0.messageID = messageID }
      note(order)
      return .done()
    }
    let draft = try draft(order)
    guard !draft.recipients.isEmpty else { throw .because(.invalid) }
    messages.change(draft.id) { message in
      message.isDraft = false
      message.messageID = messageID
      message.date = now
    }
    log.add(.modify, ObjectName(.message, draft.id))
    threads.change(draft.thread) { $0.tags.insert("sent") }
    touched(thread: draft.thread)
    note(order)
    return .done()
  }

  /// The address of the mailbox's owner.
  static let person = "me@example.com"
}

extension Draft {
  /// The people who are more than the addresses of its recipients.
  fileprivate var namedPeople: [ObjectField: [ObjectPerson]?] {
    let fields: [(ObjectField, [Participant], Bool)] = [
      (.from, from, !from.isEmpty), (.to, to, to.contains { $0.name != nil }),
      (.cc, cc, !cc.isEmpty), (.bcc, bcc, !bcc.isEmpty), (.replyTo, replyTo, !replyTo.isEmpty),
    ]
    return Dictionary(
      uniqueKeysWithValues: fields.map { field, people, isMore in
        (field, isMore ? people.map { ObjectPerson(name: $0.name, email: $0.email) } : nil)
      })
  }
}
