package import EventStore

/// The fields of threads, numbered for ever.
package enum Threads {
  static let effectiveDate = Field<Timestamp>("effectiveDate", 7)
  static let subject = Field<String>("subject", 8)
  static let foldedSubject = Field<String>("foldedSubject", 9)
  static let snippet = Field<String>("snippet", 10)
  static let participants = Field<String>("participants", 11)
  static let addresses = Field<Set<String>>("addresses", 12)
  static let lastMessageDate = Field<Timestamp>("lastMessageDate", 13)
  static let firstMessageDate = Field<Timestamp>("firstMessageDate", 14)
  static let lastMessageReceivedDate = Field<Timestamp>("lastMessageReceivedDate", 15)
  static let lastMessageSentDate = Field<Timestamp>("lastMessageSentDate", 16)
  static let tagIDs = Field<Set<String>>("tagIDs", 17)
  static let messageIDs = Field<Set<String>>("messageIDs", 18)
  static let draftIDs = Field<Set<String>>("draftIDs", 19)
  static let hasAttachments = Field<Bool>("hasAttachments", 20)

  /// The collection.
  package static let collection = RowCollection(
    "threads", number: 2,
    fields: InboxFields.all + [
      effectiveDate.declaration, subject.declaration, foldedSubject.declaration,
      snippet.declaration, participants.declaration, addresses.declaration,
      lastMessageDate.declaration, firstMessageDate.declaration,
      lastMessageReceivedDate.declaration, lastMessageSentDate.declaration, tagIDs.declaration,
      messageIDs.declaration, draftIDs.declaration, hasAttachments.declaration,
    ])
}
