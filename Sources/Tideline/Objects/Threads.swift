package import EventStore

/// The fields of threads, numbered for ever.
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
  /// The last record that made a message by which the thread became unread.
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
