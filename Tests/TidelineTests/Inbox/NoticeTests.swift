import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// Events that no list shows, and when their notices arrive.
@Suite(.timeLimit(.minutes(5))) struct NoticeTests {
  @Test(.feature(8, 77)) func refresh_isTold_behindWhatItBrought() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let list = try inbox.rich.provider()
      var (changes, notices) = (
        list.changes.makeAsyncIterator(), inbox.notices.makeAsyncIterator()
      )
      try await inbox.record(RefreshBegan())
      try await inbox.apply(
        Delivery { delivery in
          delivery.add(RichMessage(id: "r1", account: 1))
          delivery.add(RichMessage(id: "r2", account: 1))
          delivery.add(Message(id: "m", account: 1))
        })
      try await inbox.tell(rich: "r1", "r3")
      try await inbox.record(RefreshEnded())
      var told: [InboxNotice?] = []
      for _ in 0..<5 { told.append(await notices.next()) }
      #expect(
        told == [
          .refreshBegan, .newMessages(ids: ["m"]), .newRichMessages(ids: ["r1", "r2"]),
          .newRichMessages(ids: ["r3"]), .refreshCompleted,
        ])
      // By then, everything waits in the list's mailbox as one change.
      #expect(await changes.next()?.list.count == 3)
    }
  }

  /// Servers want receipts, so reports of receipt are recorded among the messages.
  @Test(.feature(77)) func messagesOfAnAnswer_areToldTogether_alsoWhereTheyAreReported()
    async throws
  {
    try await TestDesk.withInbox(.marketingCloud) { inbox, _ in
      var notices = inbox.notices.makeAsyncIterator()
      var delivery = Delivery { delivery in
        for id in ["r1", "r2", "r3"] { delivery.add(RichMessage(id: id, account: 1)) }
      }
      delivery.wantsReceipts = true
      try await inbox.apply(delivery)
      #expect(try inbox.openOperations().map(\.kind) == [.report, .report, .report])
      #expect(await notices.next() == .newRichMessages(ids: ["r1", "r2", "r3"]))
    }
  }

  @Test func refresh_endsOtherwise() async throws {
    try await TestDesk.withInbox { inbox, _ in
      var notices = inbox.notices.makeAsyncIterator()
      try await inbox.record(
        RefreshEnded {
          $0.outcome = .failed
          $0.status = 503
          $0.error = "busy"
        })
      try await inbox.record(RefreshEnded { $0.outcome = .cancelled })
      try await inbox.record(RefreshThrottled { $0.retryAfter = 1500 })
      #expect(await notices.next() == .refreshFailed(status: 503, reason: "busy"))
      #expect(await notices.next() == .refreshCancelled)
      #expect(await notices.next() == .refreshThrottled(retryAfter: .milliseconds(1500)))
    }
  }

  @Test(.feature(66, 77), .rule(1)) func message_isNew_once() async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, _ in
      var notices = inbox.notices.makeAsyncIterator()
      let json = #"{"_sid":"SFMC","_mt":8,"_m":"m1","aps":{"alert":"Hi"}}"#
      let payload = try PushPayload(json: Array(json.utf8))
      for _ in 0..<2 { try await inbox.store.receive(payload, by: .marketingCloud) }
      try await inbox.tell(rich: "m1", "m2")
      #expect(await notices.next() == .newRichMessages(ids: ["m1"]))
      #expect(await notices.next() == .newRichMessages(ids: ["m2"]))
    }
  }

  @Test(.feature(77, 92)) func whatIsShownToNobody_isNotTold() async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, _ in
      var notices = inbox.notices.makeAsyncIterator()
      try await inbox.configure(isInboxEnabled: false)
      try await inbox.tell(rich: "m1")
      try await inbox.record(RefreshBegan())
      #expect(await notices.next() == .refreshBegan)
      try await inbox.configure(isInboxEnabled: true)
      try await inbox.tell(rich: "m2")
      #expect(await notices.next() == .newRichMessages(ids: ["m2"]))
    }
  }

  @Test func others_areNotTold() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let bob = try await inbox.store.logIn("bob@example.com", policy: .inbox)
      var notices = inbox.notices.makeAsyncIterator()
      try await bob.tell(rich: "b")
      try await bob.record(RefreshBegan())
      try await inbox.tell(rich: "a")
      #expect(await notices.next() == .newRichMessages(ids: ["a"]))
    }
  }

  @Test(.feature(78)) func outbox_isSynced_whenAllIsDone() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["unread"], "b": ["unread"]])
      let first = try await inbox.perform(.markRead(MailThread.self, ["a"]))
      var notices = inbox.notices.makeAsyncIterator()
      let second = try await inbox.perform(.markRead(MailThread.self, ["b"]))
      try await inbox.record(OperationAcknowledged { $0.intent = first.number })
      try await inbox.record(RefreshBegan())
      try await inbox.record(OperationRejected { $0.intent = second.number })
      // Views may be ahead of the notices: `.synced` arrives as soon as it is true.
      var told: Set<InboxNotice> = []
      for _ in 0..<3 { if let notice = await notices.next() { told.insert(notice) } }
      let rejected = InboxNotice.rejected(
        intent: second.number, .thread, id: "b", .refused, answer: nil)
      #expect(told == [.refreshBegan, rejected, .synced])
    }
  }

  @Test(.feature(52)) func whatIsRefused_isNamed_withWhatTheServerSays() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["unread"]])
      try await inbox.tell(rich: "a")
      let thread = try await inbox.perform(.markRead(MailThread.self, ["a"]))
      let rich = try await inbox.perform(.markRead(RichMessage.self, ["a"]))
      let draft = Draft(id: inbox.newID(), account: inbox.account)
      try await inbox.perform(.save(draft))
      let file = Tideline.Attachment(id: inbox.newID(), account: inbox.account)
      let attaching = try await inbox.perform(.add(file, to: draft))
      var notices = inbox.notices.makeAsyncIterator()
      for (receipt, item) in [(rich, nil), (thread, nil), (attaching, draft.id)] {
        try await inbox.record(
          OperationRejected { ($0.intent, $0.item, $0.error) = (receipt.number, item, "No") })
        let (objectClass, id): (ObjectClass, String) =
          receipt.number == rich.number
          ? (.rich, "a") : item == nil ? (.thread, "a") : (.draft, draft.id)
        let rejected = InboxNotice.rejected(
          intent: receipt.number, objectClass, id: id, .refused, answer: "No")
        #expect(await notices.next() == rejected)
      }
    }
  }

  @Test(.feature(56), .rule(19)) func outcomes_areTold_once() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let bob = try await inbox.store.logIn("bob@example.com", policy: .inbox)
      let draft = Draft(id: inbox.newID(), account: inbox.account)
      let saving = try await inbox.perform(.save(draft))
      let sending = try await inbox.perform(.send(draft))
      var notices = inbox.notices.makeAsyncIterator()
      try await inbox.record(OperationStarted { $0.intent = sending.number })
      try await bob.record(OperationUncertain { $0.intent = sending.number })
      try await inbox.record(
        OperationUncertain { ($0.intent, $0.item) = (sending.number, draft.id) })
      try await inbox.record(
        OperationRejected { ($0.intent, $0.reason) = (saving.number, .tooLarge) })
      try await inbox.record(RefreshBegan())
      let uncertain = InboxNotice.uncertain(
        intent: sending.number, .draft, id: draft.id, answer: nil)
      #expect(await notices.next() == uncertain)
      let rejected = InboxNotice.rejected(
        intent: saving.number, .draft, id: draft.id, .tooLarge, answer: nil)
      #expect(await notices.next() == rejected)
      var rest = await notices.next()
      // Views may be ahead of the notices, and no operation waits any more.
      if rest == .synced { rest = await notices.next() }
      #expect(rest == .refreshBegan)
      let open = try inbox.openOperations()
      #expect(open.map(\.intent) == [saving.number, sending.number])
      #expect(open.map(\.state) == [.rejected, .uncertain])
    }
  }

  /// A waiting reader is released once its task is cancelled, whether it waits for the next notice
  /// or for the store to resume.
  @Test(arguments: [false, true]) func waiting_endsWithItsTask(isSuspended: Bool) async throws {
    try await TestDesk.withInbox { inbox, _ in
      let (notices, head) = (inbox.notices, try inbox.store.core.log.head)
      if isSuspended { await inbox.store.suspend() }
      let waiting = Task {
        var iterator = notices.makeAsyncIterator()
        return await iterator.next()
      }
      while !isSuspended, head.waiterCount == 0 { try await Task.sleep(for: .milliseconds(1)) }
      // Nothing shows that the task waits for the store.
      if isSuspended { try await Task.sleep(for: .milliseconds(20)) }
      waiting.cancel()
      #expect(await waiting.value == nil)
      if isSuspended { try await inbox.store.resume() }
    }
  }

  @Test func notices_goOn_whenTheStoreResumes_andEndWithIt() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let notices = inbox.notices
      // Ends with the test, even if the test exceeds its time limit.
      async let waiting = {
        var iterator = notices.makeAsyncIterator()
        return await iterator.next()
      }()
      await inbox.store.suspend()
      try await inbox.store.resume()
      try await inbox.tell(rich: "a")
      #expect(await waiting == .newRichMessages(ids: ["a"]))
      var iterator = notices.makeAsyncIterator()
      #expect(await iterator.next() == .newRichMessages(ids: ["a"]))
      await inbox.store.close()
      #expect(await iterator.next() == nil)
    }
  }

  /// A screen may ask before the store has resumed; what happened earlier is not news to it.
  @Test func notices_askedForWhileSuspended_areOnlyOfWhatFollows() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(rich: "a")
      await inbox.store.suspend()
      var notices = inbox.notices.makeAsyncIterator()
      try await inbox.store.resume()
      try await inbox.tell(rich: "b")
      #expect(await notices.next() == .newRichMessages(ids: ["b"]))
    }
  }

  @Test func outboxOfASuspendedStore_isSynced_whenAllIsDone() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["unread"]])
      let receipt = try await inbox.perform(.markRead(MailThread.self, ["a"]))
      await inbox.store.suspend()
      var notices = inbox.notices.makeAsyncIterator()
      try await inbox.store.resume()
      try await inbox.record(OperationAcknowledged { $0.intent = receipt.number })
      try await inbox.record(RefreshBegan())
      #expect(await notices.next() == .synced)
    }
  }

  /// The server has nothing more to answer then.
  @Test(.feature(78), arguments: [true, false])
  func outbox_isSynced_whenTheLastIsWithdrawn_orGoesWithItsObject(isWithdrawn: Bool) async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["unread"]])
      let receipt = try await inbox.perform(.markRead(MailThread.self, ["a"]))
      var notices = inbox.notices.makeAsyncIterator()
      if isWithdrawn {
        try await receipt.withdraw()
      } else {
        try await inbox.apply(Delivery { $0.delete(MailThread.self, "a") })
      }
      #expect(try inbox.openOperations().isEmpty)
      var told: [InboxNotice?] = [await notices.next()]
      try await inbox.record(RefreshBegan())
      told.append(await notices.next())
      #expect(told == [.synced, .refreshBegan])
    }
  }

  /// The sequence began where it was made, whenever somebody begins to read it.
  @Test(.feature(78)) func outbox_isSynced_alsoForWhoReadsLater() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["unread"]])
      let receipt = try await inbox.perform(.markRead(MailThread.self, ["a"]))
      let notices = inbox.notices
      try await inbox.record(OperationAcknowledged { $0.intent = receipt.number })
      try await inbox.record(RefreshBegan())
      for _ in 0..<2 {
        var again = notices.makeAsyncIterator()
        #expect(await again.next() == .synced)
        #expect(await again.next() == .refreshBegan)
      }
    }
  }

  /// Nothing waited, so nothing is done.
  @Test func outbox_isNotSynced_byAnActionWithoutEffect() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": []])
      var notices = inbox.notices.makeAsyncIterator()
      try await inbox.perform(.markRead(MailThread.self, ["a"]))
      try await inbox.record(RefreshBegan())
      #expect(await notices.next() == .refreshBegan)
    }
  }
}
