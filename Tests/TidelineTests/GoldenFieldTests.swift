import EventStore
import Testing
import Tideline

/// The numbers of collections and fields, for ever: logs and views name fields by them.
@Suite struct GoldenFieldTests {
  private func text(_ type: any Model.Type) -> String {
    let fields = type.collection.fields.map { "\($0.number) \($0.name) \($0.kind)" }
    return "\(type.collection.number) \(type.collection.name): "
      + fields.joined(separator: ", ")
  }

  @Test func fields() {
    let expected = """
      1 accounts: 1 account integer, 2 known integer, 3 version integer, 4 createdAt \
      timestamp, 5 updatedAt timestamp, 6 unknownFields reference, 7 serverID text, 8 \
      emailAddress text, 9 foldedEmailAddress text, 10 name text, 11 foldedName text, 12 \
      provider text, 13 status text, 14 scope text, 15 lastSync timestamp, 16 epoch integer, \
      17 isLoggedIn boolean, 18 isInboxEnabled boolean, 19 isBadgeOwn boolean
      2 threads: 1 account integer, 2 known integer, 3 version integer, 4 createdAt timestamp, \
      5 updatedAt timestamp, 6 unknownFields reference, 7 effectiveDate timestamp, 8 subject \
      text, 9 foldedSubject text, 10 snippet text, 11 participants text, 12 addresses texts, \
      13 lastMessageDate timestamp, 14 firstMessageDate timestamp, 15 lastMessageReceivedDate \
      timestamp, 16 lastMessageSentDate timestamp, 17 tagIDs texts, 18 messageIDs texts, 19 \
      draftIDs texts, 20 hasAttachments boolean
      3 messages: 1 account integer, 2 known integer, 3 version integer, 4 createdAt \
      timestamp, 5 updatedAt timestamp, 6 unknownFields reference, 7 kind integer, 8 \
      effectiveDate timestamp, 9 threadID text, 10 subject text, 11 foldedSubject text, 12 \
      snippet text, 13 body reference, 14 date timestamp, 15 from text, 16 to text, 17 cc \
      text, 18 bcc text, 19 replyTo text, 20 addresses texts, 21 tagIDs texts, 22 fileIDs \
      texts, 23 isUnread boolean, 24 isStarred boolean, 25 state integer, 26 replyToMessageID \
      text
      4 tags: 1 account integer, 2 known integer, 3 version integer, 4 createdAt timestamp, 5 \
      updatedAt timestamp, 6 unknownFields reference, 7 providedName text, 8 foldedName text, \
      9 isReadOnly boolean, 10 unreadCount integer, 11 threadCount integer
      5 contacts: 1 account integer, 2 known integer, 3 version integer, 4 createdAt \
      timestamp, 5 updatedAt timestamp, 6 unknownFields reference, 7 name text, 8 foldedName \
      text, 9 email text, 10 foldedEmail text, 11 source text, 12 providerName text, 13 \
      accountID text, 14 uid text, 15 phoneNumbers texts
      6 files: 1 account integer, 2 known integer, 3 version integer, 4 createdAt timestamp, 5 \
      updatedAt timestamp, 6 unknownFields reference, 7 filename text, 8 foldedFilename text, \
      9 contentType text, 10 size integer, 11 contentID text, 12 messageIDs texts, 13 \
      localPath text
      7 rich: 1 account integer, 2 known integer, 3 version integer, 4 createdAt timestamp, 5 \
      updatedAt timestamp, 6 unknownFields reference, 7 effectiveDate timestamp, 8 subject \
      text, 9 foldedSubject text, 10 title text, 11 subtitle text, 12 alert text, 13 name \
      text, 14 url text, 15 sound text, 16 mediaURL text, 17 mediaAlternativeText text, 18 \
      iconURL text, 19 messageLink text, 20 deepLink text, 21 content reference, 22 custom \
      reference, 23 customKeys reference, 24 summary text, 25 sendDateUtc timestamp, 26 \
      startDateUtc timestamp, 27 endDateUtc timestamp, 28 messageType integer, 29 inboxMessage \
      text, 30 inboxSubtitle text, 31 notificationMessage text, 32 isRead boolean, 33 \
      isDeleted boolean, 34 isActive boolean, 35 isOpened boolean, 36 openedDate timestamp, 37 \
      requestID text, 38 messageHash text
      """
    let found = ModelTests.models.filter { $0 != Draft.self }.map(text)
    #expect(found == expected.split(separator: "\n").map(String.init))
  }
}
