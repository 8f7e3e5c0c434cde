import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// A caller that waits for the server's answer receives it.
@Suite(.timeLimit(.minutes(5))) struct ConfirmationTests {
  private func withWaiting(
    heldFor hold: Duration? = nil, _ act: (Inbox, IntentReceipt) async throws -> Void
  ) async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["inbox", "unread"], "b": ["inbox", "unread"]])
      let receipt = try await inbox.perform(
        .markRead(MailThread.self, ["a", "b"]), heldFor: hold)
      let waiting = Task { try await receipt.confirmed() }
      do {
        try await act(inbox, receipt)
        try await waiting.value
      } catch {
        waiting.cancel()
        throw error
      }
    }
  }

  private func acknowledge(
    _ inbox: Inbox, _ receipt: IntentReceipt, _ item: String? = nil
  ) async throws {
    try await inbox.record(
      OperationAcknowledged {
        ($0.intent, $0.item, $0.version) = (receipt.number, item, 1)
      })
  }

  @Test(arguments: [["a", "b"], [nil]]) func acknowledged_isConfirmed_whenAllIs(
    _ items: [String?]
  ) async throws {
    try await withWaiting { inbox, receipt in
      for item in items {
        #expect(try !receipt.isSettled)
        try await acknowledge(inbox, receipt, item)
      }
      try await receipt.confirmed()
      #expect(try receipt.isSettled)
    }
  }

  /// A server may complete a part before the caller knows which parts exist.
  @Test func partThatIsDoneAtOnce_isAPart() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["inbox", "unread"], "b": ["inbox", "unread"]])
      let receipt = try await inbox.perform(.markRead(MailThread.self, ["a", "b"]))
      try await acknowledge(inbox, receipt, "a")
      let late = IntentReceipt(of: receipt.number, in: inbox)
      let other = receipt.number
      try await inbox.record(OperationAbandoned { ($0.intent, $0.item) = (other, "b") })
      await #expect(throws: IntentError.abandoned) { try await late.confirmed() }
      await #expect(throws: IntentError.abandoned) { try await receipt.confirmed() }
    }
  }

  @Test(.feature(45), .rule(10)) func acknowledged_isConfirmed_whenTheServerShowsIt() async throws {
    try await withWaiting { inbox, receipt in
      try await inbox.record(OperationAcknowledged { $0.intent = receipt.number })
      #expect(try !receipt.isSettled)
      try await inbox.tell(threads: ["a": ["inbox"], "b": ["inbox"]])
    }
  }

  @Test(.feature(52)) func rejected_throws_thoughAnotherIsOpen() async throws {
    await #expect(throws: IntentError.rejected(id: "b", .forbidden, answer: nil)) {
      try await withWaiting { inbox, receipt in
        try await inbox.record(
          OperationRejected {
            ($0.intent, $0.item, $0.reason) = (receipt.number, "b", .forbidden)
          })
      }
    }
  }

  @Test func withdrawn_throws() async throws {
    await #expect(throws: IntentError.withdrawn) {
      try await withWaiting(heldFor: .seconds(5)) { _, receipt in try await receipt.withdraw() }
    }
  }

  @Test func abandoned_throws() async throws {
    await #expect(throws: IntentError.abandoned) {
      try await withWaiting { inbox, _ in try await inbox.logOut(pending: .drop) }
    }
    await #expect(throws: IntentError.abandoned) {
      try await withWaiting { inbox, receipt in
        try await acknowledge(inbox, receipt, "a")
        try await inbox.apply(Delivery { $0.delete(MailThread.self, "b") })
      }
    }
  }

  /// The server may report that the object is gone before the answer to its deletion is recorded.
  @Test(.feature(45)) func deletion_isConfirmed_whenTheObjectsAreGone() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["inbox"], "b": ["inbox"]])
      let receipt = try await inbox.perform(.delete(MailThread.self, ["a", "b"]))
      let waiting = Task { try await receipt.confirmed() }
      try await inbox.apply(Delivery { $0.delete(MailThread.self, "b") })
      #expect(try !receipt.isSettled)
      try await acknowledge(inbox, receipt, "a")
      try await waiting.value
      try await receipt.confirmed()
    }
  }

  /// What the server still has was not deleted, though nobody waits for that any more.
  @Test func deletion_isAbandoned_whereTheServerWasNotTold() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["inbox"], "b": ["inbox"], "c": ["inbox"]])
      var receipts: [IntentReceipt] = []
      for id in ["a", "b", "c"] {
        receipts.append(try await inbox.perform(.delete(MailThread.self, [id])))
      }
      _ = try await inbox.erase(MailThread.self, "a")
      await #expect(throws: IntentError.abandoned) { try await receipts[0].confirmed() }
      try await receipts[1].withdraw()
      try await inbox.apply(Delivery { $0.delete(MailThread.self, "b") })
      await #expect(throws: IntentError.withdrawn) { try await receipts[1].confirmed() }
      try await inbox.logOut(pending: .drop)
      await #expect(throws: IntentError.abandoned) { try await receipts[2].confirmed() }
    }
  }

  @Test(.defect(.ckSyncEngine, 4)) func draft_thatWasRejected_isConfirmed_whenTriedAgain()
    async throws
  {
    try await TestDesk.withInbox { inbox, _ in
      let draft = Draft(id: inbox.newID(), account: inbox.account)
      let receipt = try await inbox.perform(.save(draft, body: "Hello"))
      try await inbox.record(
        OperationRejected { ($0.intent, $0.reason) = (receipt.number, .tooLarge) })
      await #expect(throws: IntentError.rejected(id: draft.id, .tooLarge, answer: nil)) {
        try await receipt.confirmed()
      }
      let rejected = try #require(try inbox.openOperations().first)
      try await inbox.retry(rejected)
      try await acknowledge(inbox, receipt)
      try await receipt.confirmed()
    }
  }

  @Test func nothing_isConfirmedAtOnce_andWhoDoesNotWaitIsTold() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["inbox"]])
      try await inbox.perform(.markRead(MailThread.self, ["a"])).confirmed()
      let receipt = try await inbox.perform(.markUnread(MailThread.self, ["a"]))
      let waiting = Task { try await receipt.confirmed() }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
  }
}
