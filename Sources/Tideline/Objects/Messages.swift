package import EventStore

/// The fields of messages, with permanent numbers.
package enum Messages {
  static let kind = Field<Messages.Kind>("kind", 12)
  static let effectiveDate = Field<Timestamp>("effectiveDate", 13)
  package static let threadID = Field<String>("threadID", 14)
  static let subject = Field<String>("subject", 15)
  static let foldedSubject = Field<String>("foldedSubject", 16)
  static let snippet = Field<String>("snippet", 17)
  static let body = Field<TextReference>("body", 18)
  package static let date = Field<Timestamp>("date", 19)
  static let from = Field<String>("from", 20)
  static let to = Field<String>("to", 21)
  static let cc = Field<String>("cc", 22)
  static let bcc = Field<String>("bcc", 23)
  static let replyTo = Field<String>("replyTo", 24)
  static let addresses = Field<Set<String>>("addresses", 25)
  package static let tagIDs = Field<Set<String>>("tagIDs", 26)
  static let fileIDs = Field<Set<String>>("fileIDs", 27)
  package static let isUnread = Field<Bool>("isUnread", 28)
  package static let isStarred = Field<Bool>("isStarred", 29)
  static let state = Field<Draft.State>("state", 30)
  static let replyToMessageID = Field<String>("replyToMessageID", 31)
  static let serverID = Field<String>("serverID", 32)

  /// The collection.
  package static let collection = RowCollection(
    "messages", number: 3,
    fields: InboxFields.all + [
      kind.declaration, effectiveDate.declaration, threadID.declaration, subject.declaration,
      foldedSubject.declaration, snippet.declaration, body.declaration, date.declaration,
      from.declaration, to.declaration, cc.declaration, bcc.declaration, replyTo.declaration,
      addresses.declaration, tagIDs.declaration, fileIDs.declaration, isUnread.declaration,
      isStarred.declaration, state.declaration, replyToMessageID.declaration,
      serverID.declaration,
    ])

  /// The fields that saving a draft writes.
  static let saved = [
    threadID.declaration, subject.declaration, snippet.declaration, body.declaration,
    date.declaration, from.declaration, to.declaration, cc.declaration, bcc.declaration,
    replyTo.declaration, tagIDs.declaration, fileIDs.declaration, isUnread.declaration,
    isStarred.declaration, state.declaration, replyToMessageID.declaration,
    InboxFields.unknownFields.declaration, InboxFields.createdAt.declaration,
    InboxFields.updatedAt.declaration,
  ]

  /// The kind of object that a row holds.
  enum Kind: Int, FieldValue {
    case message = 1
    case draft
  }
}

extension ObjectKind {
  /// How messages and drafts map to rows.
  package static let message = ObjectKind(
    .message, Messages.collection, bases: Bases.messages, serverID: Messages.serverID,
    [
      .thread: .text(Messages.threadID), .subject: .text(Messages.subject),
      .snippet: .snippet(Messages.snippet), .body: .reference(Messages.body),
      .date: .time(Messages.date), .from: .people(Messages.from), .to: .people(Messages.to),
      .cc: .people(Messages.cc), .bcc: .people(Messages.bcc),
      .replyTo: .people(Messages.replyTo), .tags: .labels(Messages.tagIDs),
      .labels: .labels(Messages.tagIDs), .folders: .labels(Messages.tagIDs),
      .fileIDs: .ids(Messages.fileIDs), .files: .files(Messages.fileIDs),
      .isUnread: .flag(Messages.isUnread), .isStarred: .flag(Messages.isStarred),
      .state: .state(Messages.state), .repliedMessage: .text(Messages.replyToMessageID),
    ]
  ) { row, said in
    row.fold(Messages.subject, into: Messages.foldedSubject, said)
    if said & peopleBits != 0 { row.setAddresses(Messages.addresses, people) }
    finishStar(&row, said)
    if said & Messages.date.bit != 0, let date = row[Messages.date] {
      row[Messages.effectiveDate] = date
    }
  }

  private static let people = [
    Messages.from, Messages.to, Messages.cc, Messages.bcc, Messages.replyTo,
  ]
  private static let peopleBits = people.reduce(0) { $0 | $1.bit }

  /// Sets or removes the tag `starred` with the flag; the tag also sets the flag.
  private static func finishStar(_ row: inout MutableRow, _ said: FieldBits) {
    if said & Messages.isStarred.bit != 0 {
      row.set(Messages.tagIDs, "starred", row[Messages.isStarred] == true)
    } else if said & Messages.tagIDs.bit != 0, row.has("starred", in: Messages.tagIDs) {
      row[Messages.isStarred] = true
    }
  }
}
