public import EventStore
import Foundation

extension RichMessage {
  private typealias Fields = RichMessages

  /// The collection of rich messages.
  public static let collection = Fields.collection

  /// The properties and the fields that hold them.
  public static let properties: [ModelProperty<Self>] = [
    ModelProperty(computed: \.account, InboxFields.account, absent: 0),
    ModelProperty(\.version, InboxFields.version),
    ModelProperty(\.createdAt, InboxFields.createdAt),
    ModelProperty(\.updatedAt, InboxFields.updatedAt),
    ModelProperty(\.unknownFields, InboxFields.unknownFields),
    ModelProperty(
      \.effectiveDate, always: Fields.effectiveDate, absent: Date(timeIntervalSince1970: 0)),
    ModelProperty(\.subject, Fields.subject),
    ModelProperty(computed: \.foldedSubject, Fields.foldedSubject, absent: FoldedText("")),
    ModelProperty(\.title, Fields.title),
    ModelProperty(\.subtitle, Fields.subtitle),
    ModelProperty(\.alert, Fields.alert),
    ModelProperty(\.name, Fields.name),
    ModelProperty(\.url, Fields.url),
    ModelProperty(\.sound, Fields.sound),
    ModelProperty(\.mediaURL, Fields.mediaURL),
    ModelProperty(\.mediaAlternativeText, Fields.mediaAlternativeText),
    ModelProperty(\.iconURL, Fields.iconURL),
    ModelProperty(\.messageLink, Fields.messageLink),
    ModelProperty(\.deepLink, Fields.deepLink),
    ModelProperty(\.content, Fields.content),
    ModelProperty(\.custom, Fields.custom),
    ModelProperty(\.customKeys, Fields.customKeys),
    ModelProperty(\.keys, Fields.keys),
    ModelProperty(\.summary, Fields.summary),
    ModelProperty(\.sendDateUtc, Fields.sendDateUtc),
    ModelProperty(\.startDateUtc, Fields.startDateUtc),
    ModelProperty(\.endDateUtc, Fields.endDateUtc),
    ModelProperty(\.messageType, Fields.messageType),
    ModelProperty(\.inboxMessage, Fields.inboxMessage),
    ModelProperty(\.inboxSubtitle, Fields.inboxSubtitle),
    ModelProperty(\.notificationMessage, Fields.notificationMessage),
    ModelProperty(\.isRead, Fields.isRead, absent: false),
    ModelProperty(\.isDeleted, Fields.isDeleted, absent: false),
    ModelProperty(\.isActive, Fields.isActive, absent: true),
    ModelProperty(\.isOpened, Fields.isOpened, absent: false),
    ModelProperty(\.openedDate, Fields.openedDate),
  ]
}
