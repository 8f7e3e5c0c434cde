import EventStore
package import Tideline

/// The facts that the server reports.
extension MailServer {
  /// Returns the fact about an object; `nil` if the class has no such object.
  func fact(
    _ name: ObjectName, _ change: ObjectChange, telling told: ObjectFields? = nil
  ) -> ObjectFact? {
    guard var fields = fields(of: name) else { return nil }
    fields = told ?? fields
    fields.put(.change, change)
    return ObjectFact(name.objectClass, fields)
  }

  /// Returns the current fields of an object.
  func fields(of name: ObjectName) -> ObjectFields? {
    switch name.objectClass {
    case .thread: threads[name.id].map(fields)
    case .message: messages[name.id].flatMap { $0.isDraft ? nil : fields(of: $0) }
    case .draft: messages[name.id].flatMap { $0.isDraft ? fields(of: $0) : nil }
    case .tag: tags[name.id].map(fields)
    case .file: files[name.id].map(fields)
    case .contact: contacts[name.id].map(fields)
    default: nil
    }
  }

  private func fields(of thread: ServedThread) -> ObjectFields {
    let items = thread.items.compactMap { messages[$0] }
    return ObjectFields {
      $0.put(.id, thread.id)
      $0.put(.version, thread.version)
      $0.put(.subject, thread.subject)
      $0.put(.firstMessageDate, items.map(\.date).min())
      $0.put(.lastMessageDate, items.map(\.date).max())
      $0.put(.tags, thread.tags.sorted().map { ObjectLabel($0, name: tags[$0]?.name) })
      $0.put(.messageIDs, items.filter { !$0.isDraft }.map(\.id))
      $0.put(.draftIDs, items.filter(\.isDraft).map(\.id))
      if let snippet = items.last?.snippet { $0.put(.snippet, snippet) }
      let senders = items.compactMap { $0.people[.from]?.first }
      if !senders.isEmpty { $0.put(.participants, unique(senders)) }
    }
  }

  private func unique(_ people: [ObjectPerson]) -> [ObjectPerson] {
    var seen: Set<String?> = []
    return people.filter { seen.insert($0.email).inserted }
  }

  private func fields(of message: ServedMessage) -> ObjectFields {
    ObjectFields {
      $0.put(.id, message.id)
      if message.isDraft { $0.put(.version, message.version) }
      $0.put(.subject, message.subject)
      $0.put(.body, message.text)
      $0.put(.thread, message.thread)
      if let replied = message.repliedMessage { $0.put(.repliedMessage, replied) }
      $0.put(.date, message.date)
      $0.put(.isUnread, message.isUnread)
      if let snippet = message.snippet { $0.put(.snippet, snippet) }
      $0.put(.from, [ObjectPerson(email: message.sender)])
      $0.put(.to, message.recipients.map { ObjectPerson(email: $0) })
      if message.isTagged {
        $0.put(.isStarred, message.tags.contains("starred"))
        $0.put(.labels, message.tags.subtracting(["starred"]).sorted().map { ObjectLabel($0) })
      }
      for (field, people) in message.people { $0.put(field, people) }
      $0.put(.fileIDs, message.files)
    }
  }

  private func fields(of tag: ServedTag) -> ObjectFields {
    ObjectFields {
      $0.put(.id, tag.id)
      $0.put(.name, tag.name)
      $0.put(.isReadOnly, !tag.isOwn)
    }
  }

  private func fields(of file: ServedFile) -> ObjectFields {
    ObjectFields {
      $0.put(.id, file.id)
      $0.put(.filename, file.name)
      $0.put(.size, file.size)
      if let type = file.contentType { $0.put(.contentType, type) }
      $0.put(.messageIDs, file.messages)
    }
  }

  private func fields(of contact: ServedContact) -> ObjectFields {
    ObjectFields {
      $0.put(.id, contact.id)
      $0.put(.name, contact.name)
      $0.put(.email, contact.email)
    }
  }

  /// Returns the time at which the last item of a thread was sent or saved.
  func lastDate(of thread: ServedThread) -> Timestamp {
    thread.items.compactMap { messages[$0]?.date }.max() ?? now
  }
}

/// The content of the server, for comparisons.
extension MailServer {
  /// Returns a thread.
  package func thread(_ id: String) -> ServedThread? { threads[id] }

  /// Returns a message or a draft.
  package func message(_ id: String) -> ServedMessage? { messages[id] }

  /// Returns a file.
  package func file(_ id: String) -> ServedFile? { files[id] }

  /// Returns the id of the tag with this id or name.
  package func tagID(_ text: String) -> String? {
    tags[text]?.id ?? tags.all.first { $0.name == text.lowercased() }?.id
  }

  /// Returns the name of a tag.
  package func tagName(_ id: String) -> String? { tags[id]?.name }

  /// Returns the objects changed after a transaction, and the number of the last transaction.
  package func changed(after number: Int) -> (names: [ObjectName], last: Int) {
    (log.entries(after: number).map(\.name), log.last)
  }
}
