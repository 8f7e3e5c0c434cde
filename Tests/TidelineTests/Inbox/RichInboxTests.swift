import Foundation
import TestSupport
import Testing
import Tideline

/// The rich inbox: what is in which box, and what can be done.
@Suite(.timeLimit(.minutes(5))) struct RichInboxTests {
  private func ids(_ inbox: Inbox) throws -> [String] {
    try RichInbox.Box.allCases.map { box in
      let contents = try inbox.rich.contents(of: box)
      #expect(try Array(inbox.rich.provider(of: box).start.list) == contents.messages)
      return contents.messages.map(\.id).joined()
    }
  }

  @Test(.feature(1, 17, 42)) func boxes_haveWhatBecameOfMessages() async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, _ in
      try await inbox.tell(rich: "a", "b", "c", "d")
      #expect(try ids(inbox) == ["dcba", "dcba", "", ""])
      try await inbox.rich.markRead(["a", "b"])
      try await inbox.rich.delete(["b", "c"])
      #expect(try ids(inbox) == ["da", "d", "a", "cb"])
      let contents = try inbox.rich.contents(of: .all, window: 1..<2)
      #expect(contents.messages.map(\.id) == ["a"])
      let counts = [
        contents.allCount, contents.unreadCount, contents.readCount, contents.deletedCount,
      ]
      #expect(counts == [2, 1, 1, 2])
      try await inbox.rich.markAllRead()
      #expect(try ids(inbox) == ["da", "", "da", "cb"])
      try await inbox.rich.deleteAll()
      #expect(try ids(inbox) == ["", "", "", "dcba"])
      await #expect(throws: IntentError.unknown(id: "z")) { try await inbox.rich.markRead(["z"]) }
    }
  }

  @Test(.feature(2, 72), .rule(5, 6))
  func messages_thatAreNotActiveYet_areInNoBox_andNotMeant() async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, desk in
      try await inbox.tell(rich: "a")
      try await inbox.tell(rich: "b", startingIn: 60)
      let list = try inbox.rich.provider(of: .unread)
      var changes = list.changes.makeAsyncIterator()
      try await inbox.rich.markAllRead()
      #expect(await changes.next()?.list.isEmpty == true)
      desk.advance(by: 61)
      #expect(await changes.next()?.list.map(\.id) == ["b"])
      #expect(try ids(inbox) == ["ab", "b", "a", ""])
    }
  }

  @Test(
    .feature(79), .rule(7), arguments: [(PolicySwitches.marketingCloud, true), (.engage, false)])
  func open_reads_whereThePolicySaysSo(policy: PolicySwitches, reads: Bool) async throws {
    try await TestDesk.withInbox(policy) { inbox, _ in
      try await inbox.tell(rich: "a", "b", "c")
      try await inbox.rich.open("a", marksRead: false)
      let tracked = try #require(try inbox.object(RichMessage.self, "a"))
      #expect(tracked.isOpened && !tracked.isRead)
      let opened = try await inbox.rich.open("b")
      #expect(opened.isOpened && opened.isRead == reads)
      #expect(try await inbox.rich.open("c", marksRead: true).isRead)
      await #expect(throws: IntentError.unknown(id: "z")) { try await inbox.rich.open("z") }
    }
  }
}
