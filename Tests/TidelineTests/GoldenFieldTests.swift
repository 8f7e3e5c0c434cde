import EventStore
import Testing
import Tideline

/// The permanent numbers of collections and fields: logs and views identify fields by them.
@Suite struct GoldenFieldTests {
  private func text(_ type: any Model.Type) -> String {
    let fields = type.collection.fields.map { "\($0.number) \($0.name) \($0.kind)" }
    return "\(type.collection.number) \(type.collection.name): "
      + fields.joined(separator: ", ")
  }

  @Test func fields() {
    let expected = """
      1 accounts: 1 account integer, 2 known integer, 3 version integer, 4 createdAt \
      timestamp, 5 updatedAt timestamp, 6 unknownFields reference, 7 hiding integer, 8 \
      making link, 9 told link, 10 digest link, 11 overlay link, 12 serverID text, 13 \
      emailAddress text, 14 foldedEmailAddress text, 15 name text, 16 foldedName text, 17 \
      provider text, 18 status text, 19 scope text, 20 lastSync timestamp, 21 epoch \
      integer, 22 isLoggedIn boolean, 23 isInboxEnabled boolean, 24 ownsBadge boolean, 25 \
      person text, 26 server text, 27 privacy integer, 28 lastRefresh timestamp, 29 \
      lastManualRefresh timestamp, 30 isRefreshing boolean, 31 flushUntil timestamp, 32 \
      switches link, 33 refreshInterval integer, 34 settleInterval integer, 35 \
      tombstoneInterval integer, 36 emptyAnswerRowsMax integer, 37 hasAliases link, 38 \
      policy link, 44 floor link, 45 forgetting link, 46 flushSince timestamp
      2 threads: 1 account integer, 2 known integer, 3 version integer, 4 createdAt \
      timestamp, 5 updatedAt timestamp, 6 unknownFields reference, 7 hiding integer, 8 \
      making link, 9 told link, 10 digest link, 11 overlay link, 12 effectiveDate \
      timestamp, 13 subject text, 14 foldedSubject text, 15 snippet text, 16 participants \
      text, 17 addresses texts, 18 lastMessageDate timestamp, 19 firstMessageDate \
      timestamp, 20 lastMessageReceivedDate timestamp, 21 lastMessageSentDate timestamp, \
      22 tagIDs texts, 23 messageIDs texts, 24 draftIDs texts, 25 hasAttachments boolean, \
      26 raised link
      3 messages: 1 account integer, 2 known integer, 3 version integer, 4 createdAt \
      timestamp, 5 updatedAt timestamp, 6 unknownFields reference, 7 hiding integer, 8 \
      making link, 9 told link, 10 digest link, 11 overlay link, 12 kind integer, 13 \
      effectiveDate timestamp, 14 threadID text, 15 subject text, 16 foldedSubject text, \
      17 snippet text, 18 body reference, 19 date timestamp, 20 from text, 21 to text, 22 \
      cc text, 23 bcc text, 24 replyTo text, 25 addresses texts, 26 tagIDs texts, 27 \
      fileIDs texts, 28 isUnread boolean, 29 isStarred boolean, 30 state integer, 31 \
      replyToMessageID text, 32 serverID text
      4 tags: 1 account integer, 2 known integer, 3 version integer, 4 createdAt \
      timestamp, 5 updatedAt timestamp, 6 unknownFields reference, 7 hiding integer, 8 \
      making link, 9 told link, 10 digest link, 11 overlay link, 12 providedName text, 13 \
      foldedName text, 14 isReadOnly boolean, 15 unreadCount integer, 16 threadCount \
      integer, 17 serverID text
      5 contacts: 1 account integer, 2 known integer, 3 version integer, 4 createdAt \
      timestamp, 5 updatedAt timestamp, 6 unknownFields reference, 7 hiding integer, 8 \
      making link, 9 told link, 10 digest link, 11 overlay link, 12 name text, 13 \
      foldedName text, 14 email text, 15 foldedEmail text, 16 source text, 17 providerName \
      text, 18 accountID text, 19 uid text, 20 phoneNumbers texts
      6 files: 1 account integer, 2 known integer, 3 version integer, 4 createdAt \
      timestamp, 5 updatedAt timestamp, 6 unknownFields reference, 7 hiding integer, 8 \
      making link, 9 told link, 10 digest link, 11 overlay link, 12 filename text, 13 \
      foldedFilename text, 14 contentType text, 15 size integer, 16 contentID text, 17 \
      messageIDs texts, 18 localPath text, 19 serverID text
      7 rich: 1 account integer, 2 known integer, 3 version integer, 4 createdAt \
      timestamp, 5 updatedAt timestamp, 6 unknownFields reference, 7 hiding integer, 8 \
      making link, 9 told link, 10 digest link, 11 overlay link, 12 effectiveDate \
      timestamp, 13 subject text, 14 foldedSubject text, 15 title text, 16 subtitle text, \
      17 alert text, 18 name text, 19 url text, 20 sound text, 21 mediaURL text, 22 \
      mediaAlternativeText text, 23 iconURL text, 24 messageLink text, 25 deepLink text, \
      26 content reference, 27 custom reference, 28 customKeys reference, 29 summary text, \
      30 sendDateUtc timestamp, 31 startDateUtc timestamp, 32 endDateUtc timestamp, 33 \
      messageType integer, 34 inboxMessage text, 35 inboxSubtitle text, 36 \
      notificationMessage text, 37 isRead boolean, 38 isDeleted boolean, 39 isActive \
      boolean, 40 isOpened boolean, 41 openedDate timestamp, 42 requestID text, 43 \
      messageHash text, 44 keys reference
      """
    let found = ModelTests.models.filter { $0 != Draft.self }.map(text)
    #expect(found == expected.split(separator: "\n").map(String.init))
  }
}
