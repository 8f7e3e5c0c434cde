package import EventStore

/// The fields of messages, numbered for ever.
package enum Messages {
  static let kind = Field<Messages.Kind>("kind", 7)
  static let effectiveDate = Field<Timestamp>("effectiveDate", 8)
  static let threadID = Field<String>("threadID", 9)
  static let subject = Field<String>("subject", 10)
  static let foldedSubject = Field<String>("foldedSubject", 11)
  static let snippet = Field<String>("snippet", 12)
  static let body = Field<TextReference>("body", 13)
  static let date = Field<Timestamp>("date", 14)
  static let from = Field<String>("from", 15)
  static let to = Field<String>("to", 16)
  static let cc = Field<String>("cc", 17)
  static let bcc = Field<String>("bcc", 18)
  static let replyTo = Field<String>("replyTo", 19)
  static let addresses = Field<Set<String>>("addresses", 20)
  static let tagIDs = Field<Set<String>>("tagIDs", 21)
  static let fileIDs = Field<Set<String>>("fileIDs", 22)
  static let isUnread = Field<Bool>("isUnread", 23)
  static let isStarred = Field<Bool>("isStarred", 24)
  static let state = Field<Draft.State>("state", 25)
  static let replyToMessageID = Field<String>("replyToMessageID", 26)

  /// The collection.
  package static let collection = RowCollection(
    "messages", number: 3,
    fields: InboxFields.all + [
      kind.declaration, effectiveDate.declaration, threadID.declaration, subject.declaration,
      foldedSubject.declaration, snippet.declaration, body.declaration, date.declaration,
      from.declaration, to.declaration, cc.declaration, bcc.declaration, replyTo.declaration,
      addresses.declaration, tagIDs.declaration, fileIDs.declaration, isUnread.declaration,
      isStarred.declaration, state.declaration, replyToMessageID.declaration,
    ])

  /// What a row of the collection is.
  enum Kind: Int, FieldValue {
    case message = 1
    case draft
  }
}
