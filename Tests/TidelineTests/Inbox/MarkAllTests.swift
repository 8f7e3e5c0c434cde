import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing
import Tideline

/// One intent marks all objects that a predicate finds.
@Suite(.timeLimit(.minutes(5))) struct MarkAllTests {
  private func tell(_ inbox: Inbox) async throws {
    try await inbox.apply(
      Delivery { delivery in
        for (id, subject) in [("a", "Sale"), ("b", "News"), ("c", "Sale")] {
          var thread = MailThread(id: id, account: 1)
          thread.subject = subject
          thread.tagIDs = id == "c" ? ["unread"] : ["inbox", "unread"]
          delivery.add(thread)
        }
      })
  }

  private func unread(_ inbox: Inbox) throws -> [String] {
    try ["a", "b", "c"].filter { try inbox.object(MailThread.self, $0)?.isUnread == true }
  }

  @Test(.feature(39), .defect(.cleverTap, 3)) func all_thatAPredicateFinds_areRead() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await tell(inbox)
      let sale = #Predicate<MailThread> { $0.subject == "Sale" }
      try await inbox.perform(.markAllRead(MailThread.self, tag: "inbox", where: sale))
      #expect(try unread(inbox) == ["b", "c"])
      let receipt = try await inbox.perform(.markAllRead(MailThread.self, where: sale))
      #expect(try unread(inbox) == ["b"])
      try await receipt.withdraw()
      #expect(try unread(inbox) == ["b", "c"])
      try await inbox.perform(.deleteAll(MailThread.self, where: sale))
      #expect(try inbox.object(MailThread.self, "b") != nil)
      #expect(try inbox.object(MailThread.self, "c") == nil)
    }
  }

  @Test func seen_isEveryThread_andUnreadAsBefore() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["inbox", "unread", "unseen"], "b": ["unseen"]])
      func tags(_ id: String) throws -> Set<String>? {
        try inbox.object(MailThread.self, id).map { Set($0.tagIDs) }
      }
      let receipt = try await inbox.perform(.markAllSeen(tag: "inbox"))
      #expect(try tags("a") == ["inbox", "unread"] && tags("b") == ["unseen"])
      try await receipt.withdraw()
      #expect(try tags("a") == ["inbox", "unread", "unseen"])
      try await inbox.perform(.markAllSeen())
      #expect(try tags("a") == ["inbox", "unread"] && tags("b") == [])
    }
  }

  /// An object that arrives between the decision and its record was not meant.
  @Test(.feature(39, 41), .rule(6), arguments: [MarkAllAction.read, .deleted])
  func what_nobodyHasSeen_isLeftAlone(_ action: MarkAllAction) async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, desk in
      try await inbox.tell(rich: "r1")
      let seen = try inbox.store.read { $0.position.number }
      try await inbox.tell(rich: "r1", "r2")
      try await inbox.record(
        MarkAll { ($0.objectClass, $0.action, $0.asOf) = (.rich, action, seen) }, at: desk.now)
      #expect(try inbox.openOperations().map(\.id) == ["r1"])
      let receipt = try await inbox.perform(.markAllRead(RichMessage.self))
      let log = try inbox.store.core.log
      let record = try #require(try log.read { try $0.record(receipt.number) })
      let intent = try #require(try EventCatalog.event(of: record) as? MarkAll)
      #expect(intent.asOf?.advanced(by: 1) == receipt.number)
    }
  }

  /// Very many messages are marked in parts, newest first, by records that form one intent.
  ///
  /// Takes over a second: the test needs more messages than fit in one record.
  @Test(.feature(39)) func veryMany_areMarkedInParts_asOneIntent() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let count = MarkAll.firstCount + MarkAll.partCount + 100
      try await inbox.tell(unread: count)
      let store = inbox.store.core
      let (told, last) = (Told(), try store.log.last)
      let live = try store.live(
        ListName(InboxViews.unreadMessages, of: 1), window: 0..<50, countsExactly: true
      ) { told.take($0.total) }
      let receipt = try await inbox.perform(.markAllRead(Message.self))
      // The last two messages of the first part share a date.
      #expect(told.counts == [count - MarkAll.firstCount - 1, 100, 0])
      #expect(receipt.number == last.advanced(by: 1))
      #expect(try store.log.last == last.advanced(by: 3))
      let operations = try store.read {
        try $0.rows(of: .operations(of: receipt.number), in: 0...)
      }
      #expect(operations.count == count)
      #expect(operations.map { $0[Operations.ordinal] ?? 0 } == Array(0..<count))
      try await receipt.withdraw()
      #expect(told.counts.last == count)
      live.end()
    }
  }

  /// Collects the totals that a list reports.
  private final class Told: Sendable {
    private let state = Mutex<[Int?]>([])

    var counts: [Int?] { state.withLock { $0 } }

    func take(_ count: Int?) { state.withLock { $0.append(count) } }
  }

  @Test func predicate_thatHasToBeAskedOfEach_isRefused() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await tell(inbox)
      let last = try inbox.store.core.log.last
      await #expect(throws: QueryError.self) {
        try await inbox.perform(
          .markAllRead(
            MailThread.self, where: #Predicate { $0.participants.contains { $0.email == "b@x" } }))
      }
      #expect(try inbox.store.core.log.last == last)
    }
  }
}

extension Inbox {
  /// Delivers unread messages, two of which share a date where the first part of a mark-all intent
  /// ends.
  fileprivate func tell(unread count: Int) async throws {
    try await apply(
      Delivery { delivery in
        for index in 0..<count {
          var message = Message(id: "m\(index)", account: account)
          let place = index < MarkAll.firstCount ? index : index - 1
          message.date = Date(timeIntervalSince1970: 1_700_000_000 - Double(place))
          message.isUnread = true
          delivery.add(message)
        }
      })
  }
}
