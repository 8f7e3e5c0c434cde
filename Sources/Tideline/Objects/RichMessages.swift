package import EventStore

/// The fields of rich messages, with permanent numbers.
package enum RichMessages {
  static let effectiveDate = Field<Timestamp>("effectiveDate", 12)
  static let subject = Field<String>("subject", 13)
  static let foldedSubject = Field<String>("foldedSubject", 14)
  static let title = Field<String>("title", 15)
  static let subtitle = Field<String>("subtitle", 16)
  static let alert = Field<String>("alert", 17)
  static let name = Field<String>("name", 18)
  static let url = Field<String>("url", 19)
  static let sound = Field<String>("sound", 20)
  static let mediaURL = Field<String>("mediaURL", 21)
  static let mediaAlternativeText = Field<String>("mediaAlternativeText", 22)
  static let iconURL = Field<String>("iconURL", 23)
  static let messageLink = Field<String>("messageLink", 24)
  static let deepLink = Field<String>("deepLink", 25)
  static let content = Field<TextReference>("content", 26)
  static let custom = Field<TextReference>("custom", 27)
  static let customKeys = Field<TextReference>("customKeys", 28)
  static let summary = Field<String>("summary", 29)
  static let sendDateUtc = Field<Timestamp>("sendDateUtc", 30)
  static let startDateUtc = Field<Timestamp>("startDateUtc", 31)
  static let endDateUtc = Field<Timestamp>("endDateUtc", 32)
  static let messageType = Field<Int>("messageType", 33)
  static let inboxMessage = Field<String>("inboxMessage", 34)
  static let inboxSubtitle = Field<String>("inboxSubtitle", 35)
  static let notificationMessage = Field<String>("notificationMessage", 36)
  package static let isRead = Field<Bool>("isRead", 37)
  static let isDeleted = Field<Bool>("isDeleted", 38)
  static let isActive = Field<Bool>("isActive", 39)
  static let isOpened = Field<Bool>("isOpened", 40)
  static let openedDate = Field<Timestamp>("openedDate", 41)
  package static let requestID = Field<String>("requestID", 42)
  static let messageHash = Field<String>("messageHash", 43)
  static let keys = Field<TextReference>("keys", 44)

  /// The collection.
  package static let collection = RowCollection(
    "rich", number: 7,
    fields: InboxFields.all + [
      effectiveDate.declaration, subject.declaration, foldedSubject.declaration,
      title.declaration, subtitle.declaration, alert.declaration, name.declaration,
      url.declaration, sound.declaration, mediaURL.declaration, mediaAlternativeText.declaration,
      iconURL.declaration, messageLink.declaration, deepLink.declaration, content.declaration,
      custom.declaration, customKeys.declaration, summary.declaration, sendDateUtc.declaration,
      startDateUtc.declaration, endDateUtc.declaration, messageType.declaration,
      inboxMessage.declaration, inboxSubtitle.declaration, notificationMessage.declaration,
      isRead.declaration, isDeleted.declaration, isActive.declaration, isOpened.declaration,
      openedDate.declaration, requestID.declaration, messageHash.declaration,
      keys.declaration,
    ])
}

extension ObjectKind {
  /// How rich messages map to rows.
  package static let rich = ObjectKind(
    .rich, RichMessages.collection, bases: Bases.rich,
    [
      .subject: .text(RichMessages.subject), .title: .text(RichMessages.title),
      .subtitle: .text(RichMessages.subtitle), .alert: .text(RichMessages.alert),
      .name: .text(RichMessages.name), .url: .text(RichMessages.url),
      .sound: .text(RichMessages.sound), .mediaURL: .text(RichMessages.mediaURL),
      .mediaText: .text(RichMessages.mediaAlternativeText),
      .iconURL: .text(RichMessages.iconURL), .messageLink: .text(RichMessages.messageLink),
      .deepLink: .text(RichMessages.deepLink), .body: .reference(RichMessages.content),
      .custom: .reference(RichMessages.custom), .customKeys: .reference(RichMessages.customKeys),
      .summary: .text(RichMessages.summary), .date: .time(RichMessages.sendDateUtc),
      .startDate: .time(RichMessages.startDateUtc), .endDate: .time(RichMessages.endDateUtc),
      .inboxMessageType: .number(RichMessages.messageType),
      .inboxMessage: .text(RichMessages.inboxMessage),
      .inboxSubtitle: .text(RichMessages.inboxSubtitle),
      .notificationMessage: .text(RichMessages.notificationMessage),
      .isRead: .flag(RichMessages.isRead), .isUnread: .opposite(RichMessages.isRead),
      .isDeleted: .flag(RichMessages.isDeleted),
      .requestID: .text(RichMessages.requestID), .messageHash: .text(RichMessages.messageHash),
      .keys: .reference(RichMessages.keys),
    ]
  ) { row, said in
    if said & titleBits != 0 || row[RichMessages.foldedSubject] == nil {
      let title =
        row[RichMessages.subject]?.nonempty ?? row[RichMessages.inboxMessage]?.nonempty
        ?? row[RichMessages.title]
      row[RichMessages.foldedSubject] = FoldedText(title ?? "").text
    }
    if said & RichMessages.sendDateUtc.bit != 0, let date = row[RichMessages.sendDateUtc] {
      row[RichMessages.effectiveDate] = date
    }
  }

  private static let titleBits =
    RichMessages.subject.bit | RichMessages.inboxMessage.bit | RichMessages.title.bit
}
