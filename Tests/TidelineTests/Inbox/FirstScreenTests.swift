import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// What an app shows before its store is open.
@Suite(.timeLimit(.minutes(5))) struct FirstScreenTests {
  private func plan() throws -> QueryPlan<MailThread> {
    try QueryPlan(
      where: #Predicate { $0.tagIDs.contains("inbox") },
      sort: [SortDescriptor(\.effectiveDate, order: .reverse)])
  }

  private func screen(_ desk: TestDesk) throws -> [String]? {
    let screen = try InboxStore.firstScreen(at: desk.folder.path, of: plan(), in: 1)
    if let screen { #expect(screen.count == screen.objects.count) }
    return screen?.objects.map(\.id)
  }

  @Test(.feature(88)) func list_isShown_beforeTheStoreIsOpen_untilSomebodyLeaves() async throws {
    let desk = try TestDesk()
    #expect(try screen(desk) == nil)
    var store = try await desk.open()
    var inbox = try await store.logIn("alice@example.com", policy: .inbox)
    let list = try inbox.provider(
      MailThread.self, where: #Predicate { $0.tagIDs.contains("inbox") },
      sort: [SortDescriptor(\.effectiveDate, order: .reverse)])
    try await inbox.tell(threads: ["a": ["inbox"], "b": ["inbox"], "c": []])
    await store.close()
    list.end()
    #expect(try screen(desk) == ["b", "a"])
    store = try await desk.open()
    inbox = try await store.logIn("alice@example.com", policy: .inbox)
    #expect(try screen(desk) == ["b", "a"])
    try await inbox.logOut(pending: .drop)
    #expect(try screen(desk) == nil)
    await store.close()
    #expect(try screen(desk) == nil)
  }

  /// Otherwise the next launch would show what is hidden by then.
  @Test func screen_isForgotten_whenSomethingIsHidden() async throws {
    let desk = try TestDesk()
    for isRestricted in [true, false] {
      var store = try await desk.open()
      var inbox = try await store.logIn("alice@example.com", policy: .inbox)
      try await inbox.setPrivacy(.unrestricted)
      let list = try inbox.provider(
        MailThread.self, where: #Predicate { $0.tagIDs.contains("inbox") },
        sort: [SortDescriptor(\.effectiveDate, order: .reverse)])
      try await inbox.tell(threads: ["a": ["inbox"]])
      await store.close()
      list.end()
      #expect(try screen(desk) == ["a"])
      store = try await desk.open()
      inbox = try await store.logIn("alice@example.com", policy: .inbox)
      if isRestricted {
        try await inbox.setPrivacy(.restricted)
      } else {
        try await inbox.configure(isInboxEnabled: false)
      }
      #expect(try screen(desk) == nil)
      await store.close()
    }
  }

  @Test func listThatIsNotKept_isNone() throws {
    let plan = try QueryPlan<MailThread>(where: #Predicate { !$0.isStarred })
    #expect(throws: QueryError.notKept) {
      try InboxStore.firstScreen(at: "none", of: plan, in: 1)?.count
    }
  }
}
