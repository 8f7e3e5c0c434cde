import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// Lists and counts across the accounts of everyone who is logged in.
@Suite(.timeLimit(.minutes(5))) struct AllAccountsTests {
  private static let newest = [SortDescriptor(\MailThread.effectiveDate, order: .reverse)]

  private func inboxThreads(_ store: InboxStore) throws -> Provider<MailThread> {
    try store.provider(
      MailThread.self, where: #Predicate { $0.tagIDs.contains("inbox") }, sort: Self.newest)
  }

  private func tell(
    _ inbox: Inbox, _ id: String, at seconds: Int, _ tags: Set<String> = ["inbox", "unread"]
  ) async throws {
    var thread = MailThread(id: id, account: inbox.account)
    thread.lastMessageDate = Date(timeIntervalSince1970: 1_700_000_000 + Double(seconds))
    thread.tagIDs = tags
    let told = thread
    try await inbox.apply(Delivery { $0.add(told) })
  }

  private func names(_ list: ObjectList<MailThread>) -> [String] { list.map(\.rowID) }

  private func withTwo(
    _ views: [DeclaredView] = [], _ body: (InboxStore, Inbox, Inbox) async throws -> Void
  ) async throws {
    let desk = try TestDesk()
    var options = desk.options
    options.views = views
    let store = try await InboxStore.open(at: desk.folder.path, options: options)
    let alice = try await store.logIn("alice@example.com", policy: .inbox)
    let bob = try await store.logIn("bob@example.com", policy: .inbox)
    try await body(store, alice, bob)
    await store.close()
  }

  @Test(.feature(12, 88), arguments: [false, true])
  func list_hasTheObjectsOfAll_whileTheyAreLoggedIn(isKept: Bool) async throws {
    let view = try DeclaredView(
      "all inboxes", of: MailThread.self, where: #Predicate { $0.tagIDs.contains("inbox") },
      sort: Self.newest, acrossAccounts: true)
    try await withTwo(isKept ? [view] : []) { store, alice, bob in
      try await tell(alice, "a", at: 1)
      let list = try inboxThreads(store)
      #expect(store.core.transientCount == (isKept ? 0 : 1))
      var changes = list.changes.makeAsyncIterator()
      #expect(names(list.start.list) == ["1/a"] && list.start.count == 1)
      // Ids are unique only within an account: two accounts may share one.
      try await tell(bob, "a", at: 2)
      var change = try #require(await changes.next())
      #expect(names(change.list) == ["2/a", "1/a"] && change.count == 2)
      #expect(change.set.edits.insertions.map(\.index) == [0])
      try await tell(alice, "a", at: 3)
      change = try #require(await changes.next())
      #expect(change.set.edits.moves == [ChangeSet.Move(old: 1, new: 0)])
      try await bob.logOut(pending: .drop)
      change = try #require(await changes.next())
      #expect(names(change.list) == ["1/a"] && change.count == 1)
      #expect(change.set.edits.removals.map(\.index) == [1])
      try await store.logIn("bob@example.com", policy: .inbox)
      #expect(await changes.next().map { names($0.list) } == ["1/a", "2/a"])
    }
  }

  @Test func list_isReadWithOthers_whereItIsKept() async throws {
    let view = try DeclaredView(
      "all unread", of: MailThread.self, sort: Self.newest, groupedBy: \.tagIDs,
      acrossAccounts: true)
    let plan = try QueryPlan<MailThread>(
      where: #Predicate { $0.tagIDs.contains("unread") }, sort: Self.newest)
    try await withTwo([view]) { store, alice, bob in
      try await tell(alice, "a", at: 1)
      try await tell(bob, "b", at: 2)
      try await tell(bob, "c", at: 3, ["inbox"])
      let (list, count) = try store.read { try $0.list(of: plan) }
      #expect(names(list) == ["2/b", "1/a"] && count == 2)
    }
    try await withTwo { store, _, _ in
      #expect(throws: QueryError.notKept) { try store.read { try $0.list(of: plan).count } }
    }
  }

  /// The id of a tag that somebody made means another tag in another account.
  @Test func tagOfAnAccountsOwn_isRefused() async throws {
    let plan = try QueryPlan<MailThread>(
      where: #Predicate { $0.isUnread && !$0.tagIDs.contains("t17") })
    #expect(throws: QueryError.ownTag(id: "t17")) {
      try DeclaredView(
        "own", of: MailThread.self, where: #Predicate { $0.tagIDs.contains("t17") },
        acrossAccounts: true)
    }
    try await withTwo { store, _, _ in
      #expect(throws: QueryError.ownTag(id: "t17")) {
        try store.provider(MailThread.self, where: #Predicate { $0.tagIDs.contains("t17") })
      }
      #expect(throws: QueryError.ownTag(id: "t17")) {
        try store.read { try $0.list(of: plan).count }
      }
    }
  }

  @Test(.feature(87)) func badge_isTheSumOfAll() async throws {
    try await withTwo { store, alice, bob in
      var numbers = try store.badge().makeAsyncIterator()
      #expect(await numbers.next() == 0)
      try await tell(alice, "a", at: 1)
      #expect(await numbers.next() == 1)
      try await tell(bob, "a", at: 1)
      #expect(await numbers.next() == 2)
      try await bob.tell(rich: "r")
      #expect(await numbers.next() == 3)
      // An app has only one badge.
      try await bob.configure(ownsBadge: true)
      try await tell(alice, "b", at: 2)
      try await bob.logOut(pending: .drop)
      #expect(await numbers.next() == 2)
    }
  }

  @MainActor private final class Delegate: ProviderDelegate {
    var completed = 0

    func provider(_ provider: Provider<MailThread>, dataChanged list: ObjectList<MailThread>) {}
    func provider(
      _ provider: Provider<MailThread>, dataAltered change: ProviderChange<MailThread>
    ) {}
    func providerDataFetchCompleted(_ provider: Provider<MailThread>) { completed += 1 }
  }

  @Test @MainActor func refreshOfAnyone_isTold() async throws {
    try await withTwo { store, alice, bob in
      let (list, delegate) = (try inboxThreads(store), Delegate())
      list.tell(delegate)
      for inbox in [bob, alice] {
        try await inbox.record(RefreshBegan())
        try await inbox.record(RefreshEnded { $0.outcome = .succeeded })
      }
      while delegate.completed < 2 { await Task.yield() }
    }
  }
}
