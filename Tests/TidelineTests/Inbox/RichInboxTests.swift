import Foundation
import TestSupport
import Testing
import Tideline

/// The rich inbox: the contents of each box, and the available actions.
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
      #expect(contents.counts == [2, 1, 1, 2])
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

  /// A deleted message stays deleted, and stays listed as long as it would be in another box.
  @Test(.feature(17, 42), .rule(4, 5)) func boxes_andTheirCounts_haveWhatIsActive() async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, desk in
      try await inbox.tell(rich: "a", "b", "c", endingIn: 60)
      try await inbox.tell(rich: "d", "e", startingIn: 60)
      try await inbox.rich.markRead(["b"])
      try await inbox.rich.delete(["c", "e"])
      #expect(try ids(inbox) == ["ba", "a", "b", "c"])
      #expect(try inbox.rich.contents().counts == [2, 1, 1, 1])
      desk.advance(by: 61)
      for (id, isActive) in [("a", false), ("d", true)] {
        while try inbox.object(RichMessage.self, id)?.isActive != isActive {
          try await Task.sleep(for: .milliseconds(1))
        }
      }
      #expect(try ids(inbox) == ["d", "d", "", "e"])
      #expect(try inbox.rich.contents().counts == [1, 1, 0, 1])
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

extension RichContents {
  /// The number of messages in each box, in the order of the boxes.
  fileprivate var counts: [Int] { [allCount, unreadCount, readCount, deletedCount] }
}
