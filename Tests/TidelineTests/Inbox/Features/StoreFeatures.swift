import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// What the device keeps, whatever happens to the process.
@Suite(.timeLimit(.minutes(5))) struct StoreFeatures {
  private let newest = [SortDescriptor(\MailThread.effectiveDate, order: .reverse)]

  /// The log is copied while the store is open, as a crash would leave it.
  @Test(.feature(44, 45), .defect(.inboxKit, 7), .defect(.mailspring, 2), .defect(.ckSyncEngine, 1))
  func whatIsWanted_survivesTheProcess() async throws {
    let copy = try TemporaryFolder()
    try await TestDesk.withInbox { inbox, desk in
      try await inbox.tell(threads: ["a": ["unread"], "b": ["unread"]])
      try await inbox.perform(.markRead(MailThread.self, ["a"]))
      try FileManager.default.copyItem(
        atPath: desk.folder.path(of: "log"), toPath: copy.path(of: "log"))
    }
    let store = try await InboxStore.open(at: copy.path)
    let inbox = store.inbox(of: 1)
    #expect(try inbox.object(MailThread.self, "a")?.isUnread == false)
    #expect(try inbox.openOperations().map(\.id) == ["a"])
    await store.close()
  }

  @Test(.feature(96), .defect(.liveStore, 9)) func otherViews_areMadeFromTheLog() async throws {
    let desk = try TestDesk()
    let store = try await desk.open()
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    try await inbox.tell(threads: ["a": ["x"], "b": ["starred"], "c": ["starred"]])
    await store.close()
    var options = desk.options
    options.views = [
      try DeclaredView(
        "starred", of: MailThread.self, where: #Predicate { $0.isStarred && !$0.isUnread },
        sort: newest)
    ]
    for _ in 0..<2 {
      let store = try await InboxStore.open(at: desk.folder.path, options: options)
      let starred = try store.inbox(of: 1).provider(
        MailThread.self, where: #Predicate { $0.isStarred && !$0.isUnread }, sort: newest)
      #expect(starred.start.list.map(\.id) == ["c", "b"])
      await store.close()
      try FileManager.default.removeItem(atPath: desk.folder.path(of: "views"))
    }
  }

  @Test(.feature(18, 90), .defect(.ckSyncEngine, 7)) func oneID_inTwoAccounts_isTwoObjects()
    async throws
  {
    try await TestDesk.withInbox { inbox, _ in
      let bob = try await inbox.store.logIn("bob@example.com", policy: .inbox)
      try await inbox.tell(threads: ["a": ["unread"]])
      try await bob.tell(threads: ["a": ["unread"]])
      try await inbox.perform(.markRead(MailThread.self, ["a"]))
      #expect(try inbox.object(MailThread.self, "a")?.isUnread == false)
      #expect(try bob.object(MailThread.self, "a")?.isUnread == true)
      #expect(try bob.openOperations().isEmpty)
    }
  }
}
