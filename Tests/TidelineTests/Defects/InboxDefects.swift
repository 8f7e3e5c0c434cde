import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing
import Tideline
import TidelineSync

/// Defects of other inboxes' displays that must not occur here.
@Suite(.timeLimit(.minutes(5))) struct InboxDefects {
  /// Airship counted messages as unread that its list did not show.
  @Test(.defect(.airship, 1)) func badge_isThatOfTheList_whateverHappensToMessages() async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, desk in
      try await inbox.apply(
        Delivery { delivery in
          for (index, id) in ["a", "b", "c", "d"].enumerated() {
            var message = RichMessage(id: id, account: inbox.account)
            message.sendDateUtc = Date(timeIntervalSince1970: 1_700_000_000 + Double(index))
            message.endDateUtc = id == "c" ? desk.now.addingTimeInterval(5) : nil
            delivery.add(message)
          }
        })
      func expect(_ ids: [String]) async throws {
        let list = try inbox.provider(
          RichMessage.self, where: #Predicate { !$0.isRead && !$0.isDeleted && $0.isActive })
        var badge = try inbox.badge().makeAsyncIterator()
        let contents = try inbox.rich.contents()
        #expect(contents.messages.filter { !$0.isRead }.map(\.id).sorted() == ids)
        #expect(contents.unreadCount == ids.count && list.start.list.map(\.id).sorted() == ids)
        #expect(await badge.next() == ids.count)
      }
      try await expect(["a", "b", "c", "d"])
      try await inbox.perform(.markRead(RichMessage.self, ["a"]))
      try await expect(["b", "c", "d"])
      try await inbox.perform(.delete(RichMessage.self, ["b"]))
      try await expect(["c", "d"])
      desk.advance(by: 6)
      try await inbox.store.clockWasSet()
      try await expect(["d"])
    }
  }

  /// Iterable removed a message from memory but saved the list that still contained it.
  @Test(.defect(.iterable, 1)) func whatTheServerRemoved_isGoneAfterARelaunch() async throws {
    let desk = try TestDesk()
    var store = try await desk.open()
    let inbox = try await store.logIn("alice@example.com", policy: .engage)
    try await inbox.tell(rich: "r1", "r2")
    let gone = ObjectFields {
      $0.put(.id, "r1")
      $0.put(.change, ObjectChange.deleted)
    }
    try await inbox.record(ObjectFact(.rich, gone))
    for _ in 0..<2 {
      #expect(try store.inbox(of: 1).rich.contents().messages.map(\.id) == ["r2"])
      await store.close()
      store = try await desk.open()
    }
    await store.close()
  }

  /// Iterable accepted no update from the server except that a message was read.
  @Test(.defect(.iterable, 3)) func whatTheServerSaysNow_isShown_alsoThatItIsUnread() async throws {
    try await TestDesk.withInbox(.engage) { inbox, _ in
      for (isRead, subject) in [(true, "One"), (false, "Two")] {
        var message = RichMessage(id: "r", account: inbox.account)
        (message.isRead, message.subject) = (isRead, subject)
        try await inbox.apply(Delivery { $0.add(message) })
        let shown = try inbox.object(RichMessage.self, "r")
        #expect(shown?.isRead == isRead && shown?.subject == subject)
      }
    }
  }

  /// Braze did not tell open lists that another user's cards were to be shown.
  @Test(.defect(.braze, 2)) func openLists_areToldWhenSomebodyLeaves_andReturns() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["inbox"], "b": ["inbox"]])
      let list = try inbox.provider(
        MailThread.self, where: #Predicate { $0.tagIDs.contains("inbox") })
      var changes = list.changes.makeAsyncIterator()
      try await inbox.logOut(pending: .drop)
      #expect(await changes.next()?.list.isEmpty == true)
      try await inbox.store.logIn("alice@example.com", policy: .inbox)
      #expect(await changes.next()?.list.map(\.id).sorted() == ["a", "b"])
    }
  }

  /// CleverTap's getters deleted expired messages and sent notifications about it.
  @Test(.defect(.cleverTap, 1)) func reading_writesNothing() async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, desk in
      var message = RichMessage(id: "r", account: inbox.account)
      message.endDateUtc = desk.now.addingTimeInterval(5)
      try await inbox.apply(Delivery { $0.add(message) })
      try await inbox.tell(threads: ["a": ["inbox", "unread"]])
      await inbox.store.suspend()
      desk.advance(by: 6)
      try await inbox.store.resume()
      let before = try inbox.store.core.log.last
      for _ in 0..<3 {
        #expect(try inbox.rich.contents().allCount == 0)
        #expect(try inbox.object(RichMessage.self, "r")?.isActive == false)
        let list = try inbox.provider(MailThread.self)
        #expect(list.start.list.count == 1 && list.start.count == 1)
        #expect(try inbox.openOperations().isEmpty)
      }
      #expect(try inbox.store.core.log.last == before)
    }
  }

  /// PowerSync did not retry a failed round, and in Couchbase Lite no round ever ended.
  @Test(.defect(.powerSync, 4), .defect(.couchbaseLite, 1))
  func refreshThatFailed_isTriedAgainByItself() async throws {
    try await TestDesk.withInbox(.engage) { inbox, desk in
      let count = Atomic(0)
      let server = PlayedServer(.rich) { _ throws(ServerFailure) in
        guard count.add(1, ordering: .relaxed).newValue > 2 else {
          throw ServerFailure(.server, status: 503)
        }
        return Answer()
      }
      let sync = Sync(inbox, with: server)
      sync.start()
      let passing = desk.passTime()
      try await sync.status { $0.upToDateAt != nil && !$0.isRefreshing }
      passing.cancel()
      #expect(server.asked.count == 3)
      sync.stop()
    }
  }
}
