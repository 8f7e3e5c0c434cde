import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// All that a predicate finds is marked by one intent.
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
