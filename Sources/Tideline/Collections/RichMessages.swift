package import EventStore

/// The fields of rich messages, numbered for ever.
package enum RichMessages {
  static let effectiveDate = Field<Timestamp>("effectiveDate", 7)
  static let subject = Field<String>("subject", 8)
  static let foldedSubject = Field<String>("foldedSubject", 9)
  static let title = Field<String>("title", 10)
  static let subtitle = Field<String>("subtitle", 11)
  static let alert = Field<String>("alert", 12)
  static let name = Field<String>("name", 13)
  static let url = Field<String>("url", 14)
  static let sound = Field<String>("sound", 15)
  static let mediaURL = Field<String>("mediaURL", 16)
  static let mediaAlternativeText = Field<String>("mediaAlternativeText", 17)
  static let iconURL = Field<String>("iconURL", 18)
  static let messageLink = Field<String>("messageLink", 19)
  static let deepLink = Field<String>("deepLink", 20)
  static let content = Field<TextReference>("content", 21)
  static let custom = Field<TextReference>("custom", 22)
  static let customKeys = Field<TextReference>("customKeys", 23)
  static let summary = Field<String>("summary", 24)
  static let sendDateUtc = Field<Timestamp>("sendDateUtc", 25)
  static let startDateUtc = Field<Timestamp>("startDateUtc", 26)
  static let endDateUtc = Field<Timestamp>("endDateUtc", 27)
  static let messageType = Field<Int>("messageType", 28)
  static let inboxMessage = Field<String>("inboxMessage", 29)
  static let inboxSubtitle = Field<String>("inboxSubtitle", 30)
  static let notificationMessage = Field<String>("notificationMessage", 31)
  static let isRead = Field<Bool>("isRead", 32)
  static let isDeleted = Field<Bool>("isDeleted", 33)
  static let isActive = Field<Bool>("isActive", 34)
  static let isOpened = Field<Bool>("isOpened", 35)
  static let openedDate = Field<Timestamp>("openedDate", 36)
  static let requestID = Field<String>("requestID", 37)
  static let messageHash = Field<String>("messageHash", 38)

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
    ])
}
