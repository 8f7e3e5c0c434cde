package import EventStore

/// The fields of threads, with permanent numbers.
package enum Threads {
  static let effectiveDate = Field<Timestamp>("effectiveDate", 12)
  static let subject = Field<String>("subject", 13)
  static let foldedSubject = Field<String>("foldedSubject", 14)
  static let snippet = Field<String>("snippet", 15)
  static let participants = Field<String>("participants", 16)
  package static let addresses = Field<Set<String>>("addresses", 17)
  package static let lastMessageDate = Field<Timestamp>("lastMessageDate", 18)
  static let firstMessageDate = Field<Timestamp>("firstMessageDate", 19)
  static let lastMessageReceivedDate = Field<Timestamp>("lastMessageReceivedDate", 20)
  static let lastMessageSentDate = Field<Timestamp>("lastMessageSentDate", 21)
  package static let tagIDs = Field<Set<String>>("tagIDs", 22)
  static let messageIDs = Field<Set<String>>("messageIDs", 23)
  static let draftIDs = Field<Set<String>>("draftIDs", 24)
  static let hasAttachments = Field<Bool>("hasAttachments", 25)
  /// The latest record that created a message by which the thread became unread.
  static let raised = Field<Mark>("raised", 26)

  /// The collection.
  package static let collection = RowCollection(
    "threads", number: 2,
    fields: InboxFields.all + [
      effectiveDate.declaration, subject.declaration, foldedSubject.declaration,
      snippet.declaration, participants.declaration, addresses.declaration,
      lastMessageDate.declaration, firstMessageDate.declaration,
      lastMessageReceivedDate.declaration, lastMessageSentDate.declaration, tagIDs.declaration,
      messageIDs.declaration, draftIDs.declaration, hasAttachments.declaration,
      raised.declaration,
    ])
}

extension ObjectKind {
  /// How threads map to rows.
  package static let thread = ObjectKind(
    .thread, Threads.collection, bases: Bases.threads,
    [
      .subject: .text(Threads.subject), .snippet: .snippet(Threads.snippet),
      .participants: .participants(Threads.participants),
      .lastMessageDate: .time(Threads.lastMessageDate),
      .firstMessageDate: .time(Threads.firstMessageDate),
      .lastReceivedDate: .time(Threads.lastMessageReceivedDate),
      .lastSentDate: .time(Threads.lastMessageSentDate),
      .tags: .tags(Threads.tagIDs), .labels: .labels(Threads.tagIDs),
      .folders: .labels(Threads.tagIDs), .isUnread: .tag("unread", Threads.tagIDs),
      .isStarred: .tag("starred", Threads.tagIDs), .messageIDs: .ids(Threads.messageIDs),
      .draftIDs: .ids(Threads.draftIDs), .hasAttachments: .flag(Threads.hasAttachments),
    ]
  ) { row, said in
    row.fold(Threads.subject, into: Threads.foldedSubject, said)
    if said & Threads.participants.bit != 0 {
      row.setAddresses(Threads.addresses, [Threads.participants])
    }
    if said & Threads.lastMessageDate.bit != 0, let date = row[Threads.lastMessageDate] {
      row[Threads.effectiveDate] = date
    }
  }
}
