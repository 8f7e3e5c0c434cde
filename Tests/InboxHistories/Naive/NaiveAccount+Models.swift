import EventStore
import Foundation
import Tideline

// Visible objects as the public values (15).
extension NaiveAccount {
  func thread(_ object: NaiveObject) -> MailThread {
    let fields = fields(of: object)
    var thread = MailThread(id: object.id, account: number)
    (thread.known, thread.version) = (object.known, object.version.map { Int($0) })
    (thread.createdAt, thread.updatedAt) = (fields.date(.createdAt), fields.date(.updatedAt))
    thread.unknownFields = fields.reference(.unknown)
    thread.effectiveDate = fields.date(.lastMessageDate, or: object.effectiveAt)
    (thread.subject, thread.snippet) = (fields.text(.subject), fields.snippet)
    thread.participants = fields.fewPeople(.participants)
    thread.lastMessageDate = fields.date(.lastMessageDate)
    thread.firstMessageDate = fields.date(.firstMessageDate)
    thread.lastMessageReceivedDate = fields.date(.lastReceivedDate)
    thread.lastMessageSentDate = fields.date(.lastSentDate)
    thread.tagIDs = tags(fields)
    thread.messageIDs = Set(object.messageIDs.suffix(500))
    thread.draftIDs = Set(object.draftIDs.suffix(500))
    thread.hasAttachments = fields.flag(.hasAttachments)
    return thread
  }

  func message(_ object: NaiveObject) -> Message {
    let fields = fields(of: object)
    var message = Message(id: object.id, account: number)
    (message.known, message.version) = (object.known, object.version.map { Int($0) })
    (message.createdAt, message.updatedAt) = (fields.date(.createdAt), fields.date(.updatedAt))
    message.unknownFields = fields.reference(.unknown)
    message.serverID = object.laterID
    message.effectiveDate = fields.date(.date, or: shownAt(object))
    (message.threadID, message.subject) = (fields.text(.thread), fields.text(.subject))
    (message.snippet, message.body) = (fields.snippet, fields.reference(.body))
    message.date = fields.date(.date)
    (message.from, message.to) = (fields.fittingPeople(.from), fields.fittingPeople(.to))
    (message.cc, message.bcc) = (fields.fittingPeople(.cc), fields.fittingPeople(.bcc))
    message.replyTo = fields.fittingPeople(.replyTo)
    (message.tagIDs, message.fileIDs) = (tags(fields), files(fields))
    (message.isUnread, message.isStarred) = (fields.flag(.isUnread), fields.flag(.isStarred))
    return message
  }

  /// Returns the last visible date of a draft, or else the time when it was made (15).
  func shownAt(_ draft: NaiveObject) -> Timestamp {
    operations(on: draft.name).reduce(draft.effectiveAt) { last, operation in
      guard case .save(let news) = operation.wish else { return last }
      var saved = NaiveFields()
      saved[.date] = news.said[.date] ?? nil
      return saved.time(.date) ?? last
    }
  }

  func draft(_ object: NaiveObject) -> Draft {
    let fields = fields(of: object)
    var draft = Draft(id: object.id, account: number)
    (draft.known, draft.version) = (object.known, object.version.map { Int($0) })
    (draft.createdAt, draft.updatedAt) = (fields.date(.createdAt), fields.date(.updatedAt))
    draft.unknownFields = fields.reference(.unknown)
    draft.serverID = object.laterID
    draft.effectiveDate = fields.date(.date, or: shownAt(object))
    (draft.threadID, draft.subject) = (fields.text(.thread), fields.text(.subject))
    (draft.snippet, draft.body) = (fields.snippet, fields.reference(.body))
    draft.date = fields.date(.date)
    (draft.from, draft.to) = (fields.people(.from), fields.people(.to))
    (draft.cc, draft.bcc) = (fields.people(.cc), fields.people(.bcc))
    draft.replyTo = fields.people(.replyTo)
    (draft.tagIDs, draft.fileIDs) = (tags(fields), files(fields))
    (draft.isUnread, draft.isStarred) = (fields.flag(.isUnread), fields.flag(.isStarred))
    (draft.state, draft.replyToMessageID) = (state(of: object), fields.text(.repliedMessage))
    return draft
  }

  func tag(_ object: NaiveObject) -> Tag {
    let fields = fields(of: object)
    var tag = Tag(id: object.id, account: number)
    (tag.known, tag.version) = (object.known, object.version.map { Int($0) })
    (tag.createdAt, tag.updatedAt) = (fields.date(.createdAt), fields.date(.updatedAt))
    tag.unknownFields = fields.reference(.unknown)
    tag.serverID = object.laterID
    (tag.providedName, tag.isReadOnly) = (fields.text(.name), fields.flag(.isReadOnly))
    tag.unreadCount = fields.integer(.unreadCount)
    tag.threadCount = fields.integer(.threadCount)
    return tag
  }

  func contact(_ object: NaiveObject) -> Contact {
    let fields = fields(of: object)
    var contact = Contact(id: object.id, account: number)
    (contact.known, contact.version) = (object.known, object.version.map { Int($0) })
    (contact.createdAt, contact.updatedAt) = (fields.date(.createdAt), fields.date(.updatedAt))
    contact.unknownFields = fields.reference(.unknown)
    (contact.name, contact.email) = (fields.text(.name), fields.text(.email))
    (contact.source, contact.providerName) = (fields.text(.source), fields.text(.provider))
    (contact.accountID, contact.uid) = (fields.text(.namespace), fields.text(.uid))
    contact.phoneNumbers = Set(fields.ids(.phoneNumbers))
    return contact
  }

  func file(_ object: NaiveObject) -> Attachment {
    let fields = fields(of: object)
    var file = Attachment(id: object.id, account: number)
    (file.known, file.version) = (object.known, object.version.map { Int($0) })
    (file.createdAt, file.updatedAt) = (fields.date(.createdAt), fields.date(.updatedAt))
    file.unknownFields = fields.reference(.unknown)
    file.serverID = object.laterID
    (file.filename, file.contentType) = (fields.text(.filename), fields.text(.contentType))
    (file.size, file.contentID) = (fields.integer(.size), fields.text(.contentID))
    file.messageIDs = Set(fields.ids(.messageIDs).suffix(500))
    file.localPath = object.localPath
    return file
  }

  private func tags(_ fields: NaiveFields) -> Set<String> {
    Set(fields.ids(.tags))
  }

  private func files(_ fields: NaiveFields) -> Set<String> {
    Set(fields.ids(.fileIDs).suffix(500))
  }
}

extension NaiveFields {
  /// A row holds 200 characters of a snippet (15).
  fileprivate var snippet: String? { text(.snippet).map { String($0.prefix(200)) } }

  /// A thread's row holds 100 people (15).
  fileprivate func fewPeople(_ field: ObjectField) -> [Participant] {
    Array(people(field).prefix(100))
  }

  /// A message's row holds as many people of a list as fit in 8 KiB (15).
  fileprivate func fittingPeople(_ field: ObjectField) -> [Participant] {
    let people = people(field)
    return (0...people.count).last { [Participant](people[..<$0]).kept.utf8.count <= 8192 }
      .map { Array(people[..<$0]) } ?? []
  }
}

extension NaiveAccount {
  func rich(_ object: NaiveObject) -> RichMessage {
    let fields = fields(of: object)
    var rich = RichMessage(id: object.id, account: number)
    (rich.known, rich.version) = (object.known, object.version.map { Int($0) })
    (rich.createdAt, rich.updatedAt) = (fields.date(.createdAt), fields.date(.updatedAt))
    rich.unknownFields = fields.reference(.unknown)
    rich.effectiveDate = fields.date(.date, or: object.effectiveAt)
    (rich.subject, rich.title) = (fields.text(.subject), fields.text(.title))
    (rich.subtitle, rich.alert) = (fields.text(.subtitle), fields.text(.alert))
    (rich.name, rich.url, rich.sound) = (fields.text(.name), fields.text(.url), fields.text(.sound))
    rich.mediaURL = fields.text(.mediaURL)
    rich.mediaAlternativeText = fields.text(.mediaText)
    (rich.iconURL, rich.messageLink) = (fields.text(.iconURL), fields.text(.messageLink))
    (rich.deepLink, rich.summary) = (fields.text(.deepLink), fields.text(.summary))
    (rich.content, rich.custom) = (fields.reference(.body), fields.reference(.custom))
    (rich.customKeys, rich.keys) = (fields.reference(.customKeys), fields.reference(.keys))
    rich.sendDateUtc = fields.date(.date)
    rich.startDateUtc = fields.date(.startDate)
    rich.endDateUtc = fields.date(.endDate)
    rich.messageType = fields.integer(.inboxMessageType)
    rich.inboxMessage = fields.text(.inboxMessage)
    rich.inboxSubtitle = fields.text(.inboxSubtitle)
    rich.notificationMessage = fields.text(.notificationMessage)
    (rich.isRead, rich.isDeleted) = (fields.flag(.isRead), fields.flag(.isDeleted))
    (rich.isActive, rich.isOpened) = (object.isActive, object.openedAt != nil)
    rich.openedDate = object.openedAt.flatMap(Date.init(kept:))
    return rich
  }
}
