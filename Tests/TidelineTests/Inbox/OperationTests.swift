import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// Operations that the server has not completed: their progress, and how they continue.
@Suite(.timeLimit(.minutes(5))) struct OperationTests {
  private func wanted(_ inbox: Inbox) async throws -> [IntentReceipt] {
    try await inbox.tell(threads: ["a": ["inbox", "unread"], "b": ["inbox"]])
    return [
      try await inbox.perform(.markRead(MailThread.self, ["a"]), heldFor: .seconds(5)),
      try await inbox.perform(.changeTags(MailThread.self, ["b"], adding: ["starred"])),
    ]
  }

  /// A hold of any length ends at a valid moment.
  @Test func whatIsHeldForEver_isHeld_andCanBeTakenBack() async throws {
    try await TestDesk.withInbox { inbox, desk in
      try await inbox.tell(threads: ["a": ["unread"]])
      let edge = Duration.seconds(Int64.max / 1000) + .milliseconds(999)
      for hold in [.seconds(Int64.max), .seconds(Int64.min), edge, edge * -1, .seconds(3600)] {
        let receipt = try await inbox.perform(.markRead(MailThread.self, ["a"]), heldFor: hold)
        try await receipt.hold(for: hold)
        let until = try inbox.openOperations().first?.notBefore ?? .distantPast
        #expect((until > desk.now) == (hold > .zero))
        try await receipt.withdraw()
        #expect(try inbox.openOperations().isEmpty)
      }
      let left = try await inbox.logOut(pending: .flush(within: .seconds(Int64.max)))
      #expect(left.isEmpty)
    }
  }

  @Test(.feature(45)) func operation_tellsHowFarItHasCome() async throws {
    try await TestDesk.withInbox { inbox, desk in
      let receipts = try await wanted(inbox)
      let until = desk.now + 60
      try await inbox.record(OperationStarted { $0.intent = receipts[1].number })
      try await inbox.record(
        OperationDeferred {
          ($0.intent, $0.reason) = (receipts[1].number, .server)
          ($0.status, $0.error, $0.until) = (503, "busy", until.kept)
        })
      let open = try inbox.openOperations()
      #expect(open.map(\.state) == [.waiting, .deferred])
      #expect(open.map(\.reason) == [nil, .server])
      #expect(open.map(\.status) == [nil, 503] && open.map(\.answer) == [nil, "busy"])
      #expect(open.map(\.objectClass) == [.thread, .thread])
      #expect(open.map(\.added) == [[], ["starred"]] && open.map(\.removed) == [[], []])
      #expect(open.map(\.attempts) == [0, 1])
      #expect(open.map(\.notBefore) == [desk.now + 5, until])
    }
  }

  /// Operations on one draft have the same object, and are told apart by their rows.
  @Test func operations_onOneObject_areTwoRows() async throws {
    try await TestDesk.withInbox { inbox, _ in
      var draft = Draft(id: inbox.newID(), account: inbox.account)
      draft.to = [Participant(email: "bob@example.com")]
      try await inbox.perform(.save(draft, body: "Hi"))
      try await inbox.perform(.send(draft))
      let open = try inbox.openOperations()
      #expect(open.map(\.kind) == [.saveDraft, .sendDraft] && Set(open.map(\.id)) == [draft.id])
      #expect(Set(open.map(\.rowID)).count == 2)
    }
  }

  /// The live list is that of `openOperations()`, and is delivered only when it differs.
  @Test func operations_areTold_eachTimeThatTheyChange() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let other = try await inbox.store.logIn("bob@example.com", policy: .inbox)
      try await other.tell(threads: ["c": ["inbox"]])
      var lists = try inbox.watchOperations().makeAsyncIterator()
      #expect(await lists.next() == [])
      let receipts = try await wanted(inbox)
      let first = await lists.next() ?? []
      #expect(try first == inbox.openOperations())
      #expect(first.map(\.receipt?.number) == receipts.map(\.number))
      // What nobody sees, and what another account wants, are no changes.
      try await other.perform(.archive(["c"]))
      try await receipts[0].hold(for: .seconds(60))
      try await receipts[0].hold(for: .seconds(5))
      try await inbox.record(OperationStarted { $0.intent = receipts[1].number })
      #expect(await lists.next()?.map(\.state) == [.waiting, .started])
      try await receipts[0].withdraw()
      #expect(await lists.next()?.map(\.id) == ["b"])
      try await inbox.record(OperationAcknowledged { $0.intent = receipts[1].number })
      #expect(await lists.next() == [])
      #expect(try inbox.openOperations().isEmpty && other.openOperations().count == 1)
    }
  }

  @Test func operations_beyondTheWindow_areNotTold() async throws {
    try await TestDesk.withInbox { inbox, _ in
      var lists = try inbox.watchOperations(window: 0..<1).makeAsyncIterator()
      #expect(await lists.next() == [])
      let receipts = try await wanted(inbox)
      #expect(await lists.next()?.map(\.id) == ["a"])
      try await receipts[0].withdraw()
      #expect(await lists.next()?.map(\.id) == ["b"])
    }
  }

  /// A hold and a deferral begin anew where the clock is set back to before they began, however
  /// many processes record that.
  @Test func clockThatIsSetBack_prolongsNoWait() async throws {
    try await TestDesk.withInbox { inbox, desk in
      let receipts = try await wanted(inbox)
      let until = desk.now + 60
      try await inbox.record(
        OperationDeferred {
          ($0.intent, $0.reason, $0.until) = (receipts[1].number, .server, until.kept)
        })
      desk.setClock(by: -3600)
      for _ in 0..<2 {
        try await inbox.record(
          ClockTicked { ($0.reason, $0.jump) = (.set, -3_600_000) }, at: desk.now)
        let open = try inbox.openOperations()
        #expect(open.map(\.notBefore) == [desk.now + 5, desk.now + 60])
      }
    }
  }

  /// A newly launched app no longer has its receipts.
  @Test(.feature(45)) func operation_hasItsReceipt_whenTheStoreIsOpenedAgain() async throws {
    let desk = try TestDesk()
    let store = try await desk.open()
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    let receipts = try await wanted(inbox)
    await store.close()
    let again = try await desk.open()
    let later = again.inbox(of: inbox.account)
    let open = try later.openOperations()
    #expect(open.map(\.receipt?.number) == receipts.map(\.number))
    try await open[0].receipt?.withdraw()
    try await open[1].receipt?.hold(for: .seconds(60))
    #expect(try later.openOperations().map(\.notBefore) == [desk.now + 60])
    #expect(try later.object(MailThread.self, "a")?.isUnread == true)
    await again.close()
  }

  @Test func rejectedDraft_tellsWhy_andIsTriedAgain() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let draft = Draft(id: inbox.newID(), account: inbox.account)
      let receipt = try await inbox.perform(.save(draft, body: "Hello"))
      try await inbox.record(
        OperationRejected { ($0.intent, $0.reason) = (receipt.number, .tooLarge) })
      let rejected = try #require(try inbox.openOperations().first)
      #expect(rejected.state == .rejected && rejected.reason == .tooLarge)
      try await inbox.retry(rejected)
      let again = try #require(try inbox.openOperations().first)
      #expect(again.state == .waiting && again.reason == nil && again.notBefore == nil)
      let last = try inbox.store.core.log.last
      try await inbox.retry(again)
      try await inbox.retry()
      #expect(try inbox.store.core.log.last == last)
    }
  }

  @Test(.feature(50)) func network_hasAllTriedAgain_butWhatTheServerPutOff() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let receipts = try await wanted(inbox)
      for (receipt, reason) in zip(receipts, [DeferralReason.throttled, .unreachable]) {
        try await inbox.record(
          OperationDeferred { ($0.intent, $0.reason) = (receipt.number, reason) })
      }
      try await inbox.retry()
      #expect(try inbox.openOperations().map(\.state) == [.deferred, .waiting])
      try await inbox.retry(try inbox.openOperations()[0])
      #expect(try inbox.openOperations().map(\.state) == [.waiting, .waiting])
    }
  }
}
