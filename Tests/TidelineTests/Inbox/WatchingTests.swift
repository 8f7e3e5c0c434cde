import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// Single objects, and the changes since a position.
@Suite(.timeLimit(.minutes(5))) struct WatchingTests {
  private let newest = [SortDescriptor(\MailThread.effectiveDate, order: .reverse)]

  private var unread: QueryPlan<MailThread> {
    get throws {
      try QueryPlan(where: #Predicate { $0.tagIDs.contains("unread") }, sort: newest)
    }
  }

  @Test(.feature(19)) func object_isTold_eachTimeThatItChanges() async throws {
    try await TestDesk.withInbox { inbox, _ in
      var states = try inbox.watch(MailThread.self, "a").makeAsyncIterator()
      #expect(await states.next() == .some(nil))
      try await inbox.tell(threads: ["a": ["unread"], "b": ["unread"]])
      #expect(await states.next()??.isUnread == true)
      let receipt = try await inbox.perform(.markRead(MailThread.self, ["a"]), heldFor: .seconds(5))
      try await inbox.perform(.markRead(MailThread.self, ["b"]))
      #expect(await states.next()??.isUnread == false)
      try await receipt.withdraw()
      #expect(await states.next()??.isUnread == true)
      // Both changes together have no effect.
      let other = try await inbox.perform(.markRead(MailThread.self, ["a"]), heldFor: .seconds(5))
      try await other.withdraw()
      try await inbox.logOut(pending: .drop)
      #expect(await states.next() == .some(nil))
      try await inbox.store.logIn("alice@example.com", policy: .inbox)
      #expect(await states.next()??.id == "a")
    }
  }

  /// A second loop, as that of a screen that appears again, begins with what the first saw last,
  /// and takes all that follows from it.
  @Test func object_isToldAsItIs_toASecondLoop() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["unread"]])
      let (states, lists) = (try inbox.watch(MailThread.self, "a"), try inbox.watchOperations())
      var (first, open) = (states.makeAsyncIterator(), lists.makeAsyncIterator())
      #expect(await first.next()??.isUnread == true)
      #expect(await open.next() == [])
      try await inbox.perform(.markRead(MailThread.self, ["a"]))
      #expect(await first.next()??.isUnread == false)
      #expect(await open.next()?.count == 1)
      var (second, again) = (states.makeAsyncIterator(), lists.makeAsyncIterator())
      #expect(await second.next()??.isUnread == false)
      #expect(await again.next()?.count == 1)
      try await inbox.logOut(pending: .drop)
      #expect(await first.next() == nil)
      #expect(await open.next() == nil)
      #expect(await second.next() == .some(nil))
      #expect(await again.next() == [])
    }
  }

  /// A waiting reader is told of each visible change once, and of nothing else.
  @Test(.feature(19)) func object_isTold_onceForEachChange() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["unread"]])
      let states = try inbox.watch(MailThread.self, "a")
      let (told, note) = AsyncStream<Bool?>.makeStream()
      let reader = Task { for await state in states { note.yield(state?.isUnread) } }
      var all = told.makeAsyncIterator()
      #expect(await all.next() == true)
      for turn in 0..<5 {
        let receipt = try await inbox.perform(
          .markRead(MailThread.self, ["a"]), heldFor: .seconds(5))
        #expect(await all.next() == false, "turn \(turn)")
        // What others see of other objects, and facts that are known, is nothing to this one.
        try await inbox.tell(threads: ["a": ["unread"]])
        try await inbox.tell(rich: "r\(turn)")
        try await inbox.record(OperationStarted { $0.intent = receipt.number })
        try await inbox.record(OperationRejected { $0.intent = receipt.number })
        #expect(await all.next() == true, "turn \(turn)")
      }
      reader.cancel()
      await reader.value
      note.finish()
      #expect(await all.next() == nil)
    }
  }

  @Test(.feature(4), .defect(.liveStore, 10)) func changes_since_areThoseOfTheList() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["unread"], "b": ["unread"]])
      let old = try inbox.provider(
        MailThread.self, where: #Predicate { $0.tagIDs.contains("unread") }, sort: newest)
      #expect(try inbox.changes(of: unread, since: old.start.position) == nil)
      try await inbox.perform(.markRead(MailThread.self, ["a"]))
      try await inbox.tell(threads: ["c": ["unread"]])
      let set = try #require(try inbox.changes(of: unread, since: old.start.position))
      let now = try inbox.provider(
        MailThread.self, where: #Predicate { $0.tagIDs.contains("unread") }, sort: newest)
      #expect(!set.isReset && set.applying(to: old.start.list.rows) == now.start.list.rows)
      #expect(set.to == now.start.position && set.newTotal == 2)
      var changes = old.changes.makeAsyncIterator()
      #expect(await changes.next()?.set == set)
    }
  }

  @Test func provider_ofWhatNoViewIsKeptOf_isTold() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let odd = try inbox.provider(
        RichMessage.self, where: #Predicate { $0.id.contains("x") && !$0.isRead })
      var changes = odd.changes.makeAsyncIterator()
      try await inbox.tell(rich: "ax", "b", "cx")
      #expect(await changes.next()?.list.map(\.id) == ["ax", "cx"])
      try await inbox.rich.markRead(["ax"])
      #expect(await changes.next()?.count == 1)
    }
  }

  @Test(.feature(3)) func changes_sinceAnotherHistory_areAReset() async throws {
    var foreign: Position?
    try await TestDesk.withInbox { inbox, _ in
      let list = try inbox.provider(
        MailThread.self, where: #Predicate { $0.tagIDs.contains("unread") }, sort: newest)
      foreign = list.start.position
    }
    let position = try #require(foreign)
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["unread"]])
      let set = try inbox.changes(of: unread, window: 0..<10, since: position)
      #expect(set?.isReset == true && set?.newCount == 1)
      let plan = try QueryPlan<MailThread>(where: #Predicate { $0.subject == "a" })
      #expect(throws: QueryError.self) { try inbox.changes(of: plan, since: position) }
    }
  }
}
