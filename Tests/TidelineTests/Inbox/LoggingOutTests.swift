import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing
import Tideline

/// What happens to open operations and to pushes at a logout.
@Suite(.timeLimit(.minutes(5))) struct LoggingOutTests {
  private func want(_ inbox: Inbox) async throws {
    try await inbox.tell(threads: ["a": ["inbox", "unread"], "b": ["inbox"]])
    try await inbox.perform(.markRead(MailThread.self, ["a"]))
    try await inbox.perform(.changeTags(MailThread.self, ["b"], adding: ["starred"]))
  }

  @Test(.feature(88)) func pending_isDropped() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await want(inbox)
      let abandoned = try await inbox.logOut(pending: .drop)
      #expect(abandoned.map(\.id) == ["a", "b"])
      #expect(abandoned.map(\.kind) == [.markRead, .changeTags])
      #expect(abandoned.map(\.wasBegun) == [false, false])
      #expect(try inbox.profile?.isLoggedIn == false)
      #expect(try inbox.object(MailThread.self, "a") == nil)
      await #expect(throws: IntentError.loggedOut) { try await inbox.logOut(pending: .drop) }
      try await inbox.store.logIn("alice@example.com", policy: .inbox)
      #expect(try inbox.object(MailThread.self, "a")?.isUnread == true)
      #expect(try inbox.openOperations().isEmpty)
    }
  }

  @Test(.feature(88, 90), .rule(20), .defect(.ckSyncEngine, 7)) func pending_isHeld() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await want(inbox)
      #expect(try await inbox.logOut(pending: .hold).isEmpty)
      let other = try await inbox.store.logIn("bob@example.com", policy: .inbox)
      #expect(try other.openOperations().isEmpty)
      try await inbox.store.logIn("alice@example.com", policy: .inbox)
      #expect(try inbox.object(MailThread.self, "a")?.isUnread == false)
      #expect(try inbox.openOperations().map(\.id) == ["a", "b"])
    }
  }

  /// The data stays on the device, and neither the next person nor the store's own faces show it.
  @Test(.feature(90)) func anotherPerson_seesNothing() async throws {
    let desk = try TestDesk()
    var store = try await desk.open()
    let alice = try await store.logIn("alice@example.com", policy: .inbox)
    let plan = try QueryPlan<MailThread>(
      where: #Predicate { $0.tagIDs.contains("inbox") },
      sort: [SortDescriptor(\.effectiveDate, order: .reverse)])
    let list = try alice.provider(
      MailThread.self, where: #Predicate { $0.tagIDs.contains("inbox") },
      sort: [SortDescriptor(\.effectiveDate, order: .reverse)])
    try await want(alice)
    try await alice.tell(rich: "r")
    let all = try store.provider(MailThread.self)
    #expect(all.start.list.count == 2 && list.start.list.isEmpty)
    var (shown, shownToAll) = (list.changes.makeAsyncIterator(), all.changes.makeAsyncIterator())
    #expect(await shown.next()?.list.count == 2)
    try await alice.logOut(pending: .hold)
    #expect(await shown.next()?.list.isEmpty == true)
    #expect(await shownToAll.next()?.list.isEmpty == true)
    let bob = try await store.logIn("bob@example.com", policy: .inbox)
    for inbox in [bob, alice] {
      #expect(try inbox.provider(MailThread.self).start.list.isEmpty)
      #expect(try inbox.provider(RichMessage.self).start.list.isEmpty)
      #expect(try inbox.object(MailThread.self, "a") == nil)
      #expect(try inbox.object(RichMessage.self, "r") == nil)
      let boxes = try inbox.rich.contents()
      #expect(boxes.messages.isEmpty && boxes.allCount == 0 && boxes.unreadCount == 0)
      var badge = try inbox.badge().makeAsyncIterator()
      #expect(await badge.next() == 0)
    }
    var badge = try store.badge().makeAsyncIterator()
    #expect(await badge.next() == 0)
    await store.close()
    let screen = try InboxStore.firstScreen(at: desk.folder.path, of: plan, in: alice.account)
    #expect(screen?.objects.isEmpty ?? true)
    store = try await desk.open()
    #expect(try store.provider(MailThread.self).start.list.isEmpty)
    try await store.logIn("alice@example.com", policy: .inbox)
    #expect(try store.provider(MailThread.self).start.list.count == 2)
    await store.close()
  }

  @Test func pending_isFlushed_untilItsTime() async throws {
    try await TestDesk.withInbox { inbox, desk in
      try await want(inbox)
      #expect(try await inbox.logOut(pending: .flush(within: .seconds(10))).isEmpty)
      #expect(try inbox.openOperations().count == 2)
      desk.advance(by: 11)
      while try !inbox.openOperations().isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    }
  }

  @Test func pending_isKept_ifTheyComeBackInTime() async throws {
    try await TestDesk.withInbox { inbox, desk in
      try await want(inbox)
      try await inbox.logOut(pending: .flush(within: .seconds(10)))
      try await inbox.store.logIn("alice@example.com", policy: .inbox)
      desk.advance(by: 11)
      try await inbox.store.clockWasSet()
      #expect(try inbox.openOperations().count == 2)
    }
  }

  @Test func recipient_isWhoIsLoggedIn() async throws {
    let desk = try TestDesk()
    var store = try await desk.open()
    let spool = try desk.spool
    #expect(spool.recipient() == .nobody)
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    #expect(spool.recipient() == .login(Login(account: 1, epoch: 1)))
    let bob = try await store.logIn("bob@example.com", policy: .inbox)
    #expect(spool.recipient() == .unknown)
    try await bob.logOut(pending: .drop)
    #expect(spool.recipient() == .login(Login(account: 1, epoch: 1)))
    try await inbox.logOut(pending: .drop)
    try await store.logIn("alice@example.com", policy: .inbox)
    #expect(spool.recipient() == .login(Login(account: 1, epoch: 2)))
    await store.close()
    try spool.setRecipient(.login(Login(account: 9, epoch: 9)))
    store = try await desk.open()
    #expect(spool.recipient() == .login(Login(account: 1, epoch: 2)))
    await store.close()
  }

  /// A push that an extension receives during a logout isn't for the person who leaves.
  @Test func recipient_isNobody_beforeALogoutIsRecorded() async throws {
    try await TestDesk.withInbox { inbox, desk in
      let spool = try desk.spool
      let seen = Mutex<[Recipient]>([])
      desk.onNow.withLock { $0 = { seen.withLock { $0.append(spool.recipient()) } } }
      try await inbox.logOut(pending: .drop)
      desk.onNow.withLock { $0 = nil }
      #expect(seen.withLock { $0.last } == .nobody)
      try await inbox.store.logIn("alice@example.com", policy: .inbox)
      desk.onNow.withLock { $0 = { seen.withLock { $0.append(spool.recipient()) } } }
      try await inbox.logOut(pending: .drop)
      #expect(seen.withLock { $0.last } == .nobody)
    }
  }

  @Test func identity_changes() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["inbox"]])
      try await inbox.changeIdentity(to: "alice@example.org")
      let again = try await inbox.store.logIn("alice@example.org", policy: .inbox)
      #expect(again.account == inbox.account)
      #expect(try inbox.profile?.person == "alice@example.org")
      #expect(try again.object(MailThread.self, "a") != nil)
    }
  }

  /// An app logs in at each launch.
  @Test(.feature(89), .rule(20), arguments: ["alice@example.com", nil])
  func login_goesOn(person: String?) async throws {
    let desk = try TestDesk()
    var store = try await desk.open()
    var inbox = try await store.logIn(person, policy: .engage)
    try await inbox.tell(rich: "m")
    try await inbox.perform(.markRead(RichMessage.self, ["m"]))
    try await inbox.configure(marksReadOnOpening: true)
    let last = try store.core.log.last
    for isAnew in [false, true] {
      if isAnew {
        await store.close()
        store = try await desk.open()
      }
      inbox = try await store.logIn(person, policy: .engage)
      #expect(try store.core.log.last == last && inbox.account == 1)
      #expect(try inbox.rich.contents().unreadCount == 0)
    }
    var policy = PolicySwitches.engage
    policy.serverEditsApply = false
    inbox = try await store.logIn(person, policy: policy)
    #expect(try inbox.rich.contents().unreadCount == 0 && inbox.profile?.epoch == 1)
    #expect(try store.core.log.last == last.advanced(by: 1))
    try await inbox.logOut(pending: .hold)
    inbox = try await store.logIn(person, policy: policy)
    #expect(try inbox.rich.contents().unreadCount == 1 && inbox.profile?.epoch == 2)
    await store.close()
  }

  @Test(.feature(92, 93)) func inbox_isSwitchedOffAndOn() async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, _ in
      try await inbox.tell(rich: "m")
      try await inbox.configure(isInboxEnabled: false)
      #expect(try inbox.profile?.isInboxEnabled == false)
      #expect(try inbox.rich.contents().allCount == 0)
      try await inbox.configure(isInboxEnabled: true)
      #expect(try inbox.rich.contents().allCount == 1)
      try await inbox.setPrivacy(.restricted)
      #expect(try inbox.rich.contents().allCount == 0)
      try await inbox.setPrivacy(.doNotTrack)
      #expect(try inbox.rich.contents().messages.map(\.id) == ["m"])
      try await inbox.setPrivacy(.forgotten)
      try await inbox.setPrivacy(.unrestricted)
      #expect(try inbox.rich.contents().allCount == 0)
    }
  }

  /// An action that is performed just as the person logs out throws an error.
  @Test func whatIsWantedBehindTheEnd_throws() async throws {
    try await TestDesk.withInbox { inbox, desk in
      try await want(inbox)
      try desk.endAtLook(1, inbox, .drop)
      await #expect(throws: IntentError.loggedOut) {
        try await inbox.perform(.markUnread(MailThread.self, ["a"]))
      }
      try await inbox.store.logIn("alice@example.com", policy: .inbox)
      try desk.endAtLook(1, inbox, .drop)
      await #expect(throws: IntentError.loggedOut) {
        try await inbox.perform(.markAllRead(MailThread.self))
      }
    }
  }

  /// Flushed operations can't be withdrawn or held after a logout, even one during the call.
  @Test func whatIsFlushed_canNotBeTakenBack() async throws {
    for isHeld in [false, true] {
      try await TestDesk.withInbox { inbox, desk in
        try await inbox.tell(threads: ["a": ["inbox", "unread"]])
        let receipt = try await inbox.perform(.markRead(MailThread.self, ["a"]))
        // `hold(for:)` reads the time once before that.
        try desk.endAtLook(isHeld ? 2 : 1, inbox, .flush)
        await #expect(throws: IntentError.loggedOut) {
          guard isHeld else { return try await receipt.withdraw() }
          try await receipt.hold(for: .seconds(5))
        }
        #expect(try !receipt.isSettled)
      }
    }
  }
}

extension TestDesk {
  /// Ends the login at the given read of the time, counted from 1.
  fileprivate func endAtLook(_ number: Int, _ inbox: Inbox, _ pending: PendingIntents) throws {
    let login = try inbox.login()
    let later = Timestamp(rawValue: now.kept.rawValue + 60_000)
    let left = Mutex(number)
    onNow.withLock { look in
      look = { [weak self] in
        let isNow = left.withLock { left in
          left -= 1
          return left == 0
        }
        guard isNow else { return }
        self?.onNow.withLock { $0 = nil }
        let event = LoggedOut { ($0.pending, $0.flushUntil) = (pending, later) }
        _ = try? inbox.record([event], for: login, durability: .full)
      }
    }
  }
}
