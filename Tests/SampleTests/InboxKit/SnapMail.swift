import Foundation
import Testing
import Tideline

// ComingFromInboxKit.md begins
/// Sends pictures by mail, and shows those that came, once each.
struct SnapMail {
  let inbox: Inbox

  func snaps() throws -> Provider<Message> {
    try inbox.provider(
      Message.self,
      where: #Predicate { $0.isUnread && $0.subject?.starts(with: "New snap from ") ?? false },
      sort: [SortDescriptor(\.effectiveDate, order: .reverse)])
  }

  /// The app has loaded the picture of this id: it is there from now on.
  func keep(_ id: String, at path: String) async throws {
    var loaded = Attachment(partOf: id, account: inbox.account)
    loaded.localPath = path
    try await inbox.apply(Delivery { [loaded] in $0.add(loaded) })
  }

  /// Where the picture is, if it was loaded; it is not shown again.
  func peek(_ snap: Message) async throws -> String? {
    try await inbox.perform(.markRead(snap))
    let files = try snap.fileIDs.compactMap { try inbox.object(Attachment.self, $0) }
    return files.first { $0.contentType == "image/jpeg" }?.localPath
  }

  func send(_ path: String, from sender: String, to address: String) async throws {
    var draft = Draft(id: inbox.newID(), account: inbox.account)
    draft.subject = "New snap from \(sender)"
    draft.to = [Participant(email: address)]
    var picture = Attachment(id: inbox.newID(), account: inbox.account)
    (picture.filename, picture.contentType, picture.localPath) = ("snap.jpg", "image/jpeg", path)
    try await inbox.perform(.save(draft))
    try await inbox.perform(.add(picture, to: draft))
    try await inbox.perform(.send(draft))
  }
}
// ComingFromInboxKit.md ends

@Suite(.timeLimit(.minutes(5))) struct SnapMailTests {
  @Test func snap_isSent_comes_andIsSeenOnce() async throws {
    try await SampleStore.withInbox { inbox in
      let mail = SnapMail(inbox: inbox)
      try await mail.send("snaps/1.jpg", from: "Alice", to: "bob@example.com")
      let sent = try #require(try inbox.provider(Draft.self).start.list.first)
      #expect(sent.state == .sending && sent.subject == "New snap from Alice")
      let file = try #require(try sent.fileIDs.first.map { try inbox.object(Attachment.self, $0) })
      #expect(file?.localPath == "snaps/1.jpg")
      var told = Message(id: "m1", account: inbox.account)
      (told.subject, told.isUnread, told.fileIDs) = ("New snap from Bob", true, ["f1"])
      var picture = Attachment(id: "f1", account: inbox.account)
      picture.contentType = "image/jpeg"
      let (message, loaded) = (told, picture)
      try await inbox.apply(
        Delivery { delivery in
          delivery.add(message)
          delivery.add(loaded)
        })
      try await mail.keep("f1", at: "snaps/2.jpg")
      let snap = try #require(try mail.snaps().start.list.first)
      #expect(try await mail.peek(snap) == "snaps/2.jpg")
      #expect(try mail.snaps().start.list.isEmpty)
    }
  }
}
