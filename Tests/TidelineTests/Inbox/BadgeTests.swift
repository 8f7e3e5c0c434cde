import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing
import Tideline

/// The number on the app's icon.
@Suite(.timeLimit(.minutes(5))) struct BadgeTests {
  @Test(.feature(16, 87), .defect(.mailspring, 7)) func badge_isWhatIsUnread() async throws {
    try await TestDesk.withInbox { inbox, _ in
      var all = try inbox.badge().makeAsyncIterator()
      var threads = try inbox.badge(countsRich: false).makeAsyncIterator()
      #expect(await all.next() == 0)
      #expect(await threads.next() == 0)
      #expect(inbox.store.core.transientCount == 0, "the inbox's own lists have the counts")
      try await inbox.tell(threads: [
        "a": ["inbox", "unread"], "b": ["inbox", "unread"], "c": ["unread"], "d": ["inbox"],
      ])
      try await inbox.tell(rich: "r")
      // Nobody took the numbers in between.
      #expect(await all.next() == 3)
      #expect(await threads.next() == 2)
      try await inbox.perform(.markRead(MailThread.self, ["a"]))
      #expect(await all.next() == 2)
      try await inbox.rich.markRead(["r"])
      #expect(await all.next() == 1)
      try await inbox.logOut(pending: .drop)
      #expect(await all.next() == 0)
      #expect(await threads.next() == 0)
    }
  }

  @Test(.feature(87)) func badge_isLeftAlone_whileTheAppOwnsIt() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["inbox", "unread"], "b": ["inbox", "unread"]])
      let badge = try inbox.badge()
      var numbers = badge.makeAsyncIterator()
      #expect(await numbers.next() == 2)
      try await inbox.configure(ownsBadge: true)
      try await inbox.tell(threads: ["c": ["inbox", "unread"]])
      let taking = Task {
        var numbers = badge.makeAsyncIterator()
        return await numbers.next()
      }
      taking.cancel()
      #expect(await taking.value == nil)
      try await inbox.perform(.markRead(MailThread.self, ["a"]))
      try await inbox.configure(ownsBadge: false)
      // The number is 2 again, but the badge may have been set to anything meanwhile.
      #expect(await numbers.next() == 2)
    }
  }

  /// Returns the next number, or `nil` if there is none for a moment.
  private func nextAtHand(of badge: Updates<Int>) async throws -> Int? {
    let taking = Task {
      var numbers = badge.makeAsyncIterator()
      return await numbers.next()
    }
    // Nothing shows that the task waits.
    try await Task.sleep(for: .milliseconds(20))
    taking.cancel()
    return await taking.value
  }

  /// A number that nobody has consumed yet is not to replace the app's own either.
  @Test func badge_isLeftAlone_alsoByAnEarlierNumber() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let badge = try inbox.badge()
      var numbers = badge.makeAsyncIterator()
      #expect(await numbers.next() == 0)
      try await inbox.tell(threads: ["a": ["inbox", "unread"]])
      try await inbox.configure(ownsBadge: true)
      #expect(try await nextAtHand(of: badge) == nil)
    }
  }

  /// What came and went before anybody looked is no new number.
  @Test func number_thatIsBackBeforeItIsTaken_isNotRepeated() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let badge = try inbox.badge()
      var numbers = badge.makeAsyncIterator()
      #expect(await numbers.next() == 0)
      try await inbox.tell(threads: ["a": ["inbox", "unread"]])
      try await inbox.perform(.markRead(MailThread.self, ["a"]))
      #expect(try await nextAtHand(of: badge) == nil)
      try await inbox.tell(threads: ["b": ["inbox", "unread"]])
      #expect(await numbers.next() == 1)
    }
  }

  /// The number of accounts is irrelevant: an account's badge looks only at that account, and the
  /// badge of all accounts counts those whose app owns it.
  @Test(arguments: [false, true])
  func badge_isLeftAlone_forTheLastOfManyAccounts(isOfAll: Bool) async throws {
    try await TestDesk.withInbox { inbox, _ in
      let (store, last) = (inbox.store, UInt32(1_002))
      var batch = Batch()
      for account in 2...last {
        batch.add(
          LoggedIn { $0.policy = .inbox }, recordedAt: Timestamp(rawValue: 1_750_000_000_000),
          login: Login(account: account, epoch: 1))
      }
      try await store.core.append(batch)
      try await store.inbox(of: last).configure(ownsBadge: true)
      let badge = isOfAll ? try store.badge() : try store.inbox(of: last).badge()
      let taking = Task {
        var numbers = badge.makeAsyncIterator()
        return await numbers.next()
      }
      taking.cancel()
      #expect(await taking.value == nil)
      // Another account whose app owns the badge doesn't affect an account's own badge.
      var numbers = try inbox.badge().makeAsyncIterator()
      #expect(await numbers.next() == 0)
    }
  }

  @Test func badge_goesOn_whenTheStoreResumes() async throws {
    try await TestDesk.withInbox { inbox, _ in
      var numbers = try inbox.badge().makeAsyncIterator()
      #expect(await numbers.next() == 0)
      await inbox.store.suspend()
      try await inbox.store.resume()
      try await inbox.tell(threads: ["a": ["inbox", "unread"]])
      #expect(await numbers.next() == 1)
    }
  }

  /// An action is shown before it is in the log; a log without room for it refuses it.
  @Test func badge_showsWhatTheListDoes_whenTheLogIsFull() async throws {
    let desk = try TestDesk()
    var options = desk.options
    options.core.log.mapSizeMax = 1 << 20
    let store = try await InboxStore.open(at: desk.folder.path, options: options)
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    try await inbox.tell(threads: ["a": ["inbox", "unread"]])
    let badge = try inbox.badge()
    let shown = Mutex<Int?>(nil)
    let taking = Task { for await number in badge { shown.withLock { $0 = number } } }
    try await fill(inbox)
    var isUnread = true
    do {
      while true {
        try await inbox.perform(
          isUnread ? .markRead(MailThread.self, ["a"]) : .markUnread(MailThread.self, ["a"]))
        isUnread.toggle()
      }
    } catch StoreError.log(.mapFull) {}
    while try inbox.object(MailThread.self, "a")?.isUnread != isUnread { await Task.yield() }
    while shown.withLock(\.self) != (isUnread ? 1 : 0) {
      try await Task.sleep(for: .milliseconds(1))
    }
    taking.cancel()
    await store.close()
  }

  /// Records large objects until the log has no room for another.
  private func fill(_ inbox: Inbox) async throws {
    let fields = ObjectFields {
      $0.put(.id, "b")
      $0.put(.subject, String(repeating: "x", count: 1 << 14))
    }
    do {
      while true { try await inbox.record(ObjectFact(.thread, fields)) }
    } catch StoreError.log(.mapFull) {}
  }
}
