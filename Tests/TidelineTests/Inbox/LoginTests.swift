import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// A person who logs in gets their own account, and finds it again.
@Suite(.timeLimit(.minutes(5))) struct LoginTests {
  @Test func peopleWhoLogInAtOnce_getAnAccountEach() async throws {
    let desk = try TestDesk()
    let store = try await desk.open()
    let names = (0..<8).map { "person\($0)@example.com" }
    let inboxes = try await withThrowingTaskGroup(of: (String, UInt32).self) { group in
      for name in names {
        group.addTask { (name, try await store.logIn(name, policy: .inbox).account) }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    #expect(Set(inboxes.values).count == names.count)
    for account in try store.accounts {
      #expect(account.isLoggedIn && inboxes[account.person ?? ""] == account.account)
    }
    await store.close()
  }

  /// Whoever still holds a login of an erased account must not take the next person's for it.
  @Test(.feature(93)) func loginOfAnErasedAccount_isNobodyElses() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let first = try inbox.login()
      try await inbox.erase()
      let next = try await inbox.store.logIn("bob@example.com", policy: .inbox)
      #expect(try next.account == inbox.account && next.login() != first)
    }
  }

  /// A log may contain the last of all numbers, which none can follow.
  @Test func loginAfterTheLastNumber_hasAnother() async throws {
    let desk = try TestDesk()
    let store = try await desk.open()
    var batch = Batch()
    for account in [UInt32.max, Login.numberMax] {
      let event = LoggedIn { ($0.person, $0.policy) = ("\(account)", .inbox) }
      batch.add(
        event, recordedAt: desk.now.kept, login: Login(account: account, epoch: account))
    }
    try await store.core.append(batch)
    let inbox = try await store.logIn("alice", policy: .inbox)
    #expect(inbox.account == 1)
    let last = try await store.logIn("\(Login.numberMax)", policy: .inbox)
    #expect(last.account == Login.numberMax)
    try await last.logOut(pending: .drop)
    #expect(try await store.logIn("\(Login.numberMax)", policy: .inbox).account == 2)
    await store.close()
  }

  /// Two accounts may have one name; the one in use last has what the person did last.
  @Test func personWhoseNameWasAnothers_getsTheAccountUsedLast() async throws {
    let desk = try TestDesk()
    let store = try await desk.open()
    let anonymous = try await store.logIn(policy: .inbox)
    try await anonymous.logOut(pending: .drop)
    let other = try await store.logIn("alice", policy: .inbox)
    try await other.logOut(pending: .drop)
    let again = try await store.logIn(policy: .inbox)
    #expect(again.account == anonymous.account)
    try await again.changeIdentity(to: "alice")
    try await again.logOut(pending: .hold)
    #expect(try await store.logIn("alice", policy: .inbox).account == anonymous.account)
    await store.close()
  }

  @Test func account_isFoundByItsNumber() async throws {
    try await TestDesk.withInbox { inbox, _ in
      #expect(try inbox.object(Account.self, "1")?.account == 1)
      #expect(try inbox.object(Account.self, "2") == nil)
      var updates = try inbox.watch(Account.self, "1").makeAsyncIterator()
      #expect(await updates.next()??.account == 1)
    }
  }

  /// An inbox without an account would belong to nobody.
  @Test func nameThatIsTooLong_isRefused_andNothingIsRecorded() async throws {
    let desk = try TestDesk()
    let store = try await desk.open()
    let name = String(repeating: "a", count: 5_000_000)
    let error = StoreError.log(.tooLarge(what: "name", bytes: 5_000_000, limit: 1000))
    await #expect(throws: error) { try await store.logIn(name, policy: .inbox) }
    await #expect(throws: error) { try await store.logIn("a", at: name, policy: .inbox) }
    #expect(try store.accounts.isEmpty)
    #expect(try store.core.log.last == 0)
    let inbox = try await store.logIn(String(name.prefix(1000)), policy: .inbox)
    await #expect(throws: error) { try await inbox.changeIdentity(to: name) }
    #expect(try inbox.profile?.person?.count == 1000)
    #expect(try store.refused().isEmpty)
    await store.close()
  }

  /// A process that has not seen the login assigns the same number again.
  @Test func accountThatSomebodyElseGot_isNotShared() async throws {
    let desk = try TestDesk()
    let store = try await desk.open()
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    let event = LoggedIn { ($0.person, $0.policy) = ("bob@example.com", .inbox) }
    var batch = Batch()
    let login = Login(account: inbox.account, epoch: 1)
    batch.add(event, recordedAt: desk.now.kept, login: login, entity: nil)
    let number = try await store.core.append(batch).upperBound
    try await store.core.show(upTo: number)
    #expect(try store.accounts.map(\.person) == ["alice@example.com"])
    #expect(try store.core.refused().count == 1)
    let other = try await store.logIn("bob@example.com", policy: .inbox)
    #expect(other.account == 2)
    await store.close()
  }

  @Test func personWithTwoAccounts_getsTheOneThatIsInUse() async throws {
    let desk = try TestDesk()
    var store = try await desk.open()
    let first = try await store.logIn(policy: .inbox)
    try await first.changeIdentity(to: "alice@example.com")
    try await first.logOut(pending: .drop)
    let second = try await store.logIn(policy: .inbox)
    try await second.changeIdentity(to: "alice@example.com")
    await store.close()
    store = try await desk.open()
    #expect(try await store.logIn("alice@example.com", policy: .inbox).account == second.account)
    #expect(try store.accounts.map(\.isLoggedIn) == [false, true])
    let present = store.inbox(of: second.account)
    try await present.tell(rich: "a")
    try await present.perform(.delete(RichMessage.self, ["a"]))
    try await present.logOut(pending: .hold)
    // What waits is of the account that was used last.
    let again = try await store.logIn("alice@example.com", policy: .inbox)
    #expect(again.account == second.account)
    #expect(try again.openOperations().map(\.id) == ["a"])
    await store.close()
  }
}
