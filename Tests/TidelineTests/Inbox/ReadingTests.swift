import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// Views that the app declares, and lists that are read together.
@Suite(.timeLimit(.minutes(5))) struct ReadingTests {
  private static let newest = [SortDescriptor(\MailThread.effectiveDate, order: .reverse)]

  private func open(_ views: [DeclaredView] = []) async throws -> (TestDesk, Inbox) {
    let desk = try TestDesk()
    var options = desk.options
    options.views = views
    let store = try await InboxStore.open(at: desk.folder.path, options: options)
    return (desk, try await store.logIn("alice@example.com", policy: .inbox))
  }

  private func tell(_ inbox: Inbox) async throws {
    try await inbox.apply(
      Delivery { delivery in
        for (id, thread, from) in [("m1", "t1", "b@x"), ("m2", "t1", "C@x"), ("m3", "t2", "c@x")] {
          var message = Message(id: id, account: inbox.account)
          (message.threadID, message.from) = (thread, [Participant(email: from)])
          message.subject = "Subject of \(id)"
          delivery.add(message)
        }
      })
  }

  @Test func groups_answerAQueryForEachValue() async throws {
    let sort = [SortDescriptor(\Message.foldedSubject, order: .reverse)]
    let (_, inbox) = try await open([
      try DeclaredView("by thread", of: Message.self, sort: sort, groupedBy: \.threadID),
      try DeclaredView("by contact", of: Message.self, sort: sort, groupedBy: \.addresses),
    ])
    try await tell(inbox)
    let queries = [
      try QueryPlan(where: #Predicate<Message> { $0.threadID == "t1" }, sort: sort),
      try QueryPlan(where: #Predicate<Message> { $0.addresses.contains("c@x") }, sort: sort),
      try QueryPlan(where: #Predicate<Message> { $0.addresses.contains("d@x") }, sort: sort),
    ]
    let lists = try inbox.store.read { snapshot in
      try queries.map { try snapshot.list(of: $0, in: inbox.account) }
    }
    #expect(lists.map { $0.objects.map(\.id) } == [["m2", "m1"], ["m3", "m2"], []])
    #expect(lists.map(\.count) == [2, 2, 0])
    await inbox.store.close()
  }

  @Test func group_thatQueriesCannotName_isRefused() {
    let refused: [PartialKeyPath<Message>] = [\.date, \.isUnread, \.body, \.from, \.isPartial]
    for keyPath in refused {
      #expect(throws: QueryError.self) {
        try DeclaredView("refused", of: Message.self, groupedBy: keyPath)
      }
    }
    #expect(throws: QueryError.ungrouped(property: "date")) {
      try DeclaredView("refused", of: Message.self, groupedBy: \.date)
    }
  }

  @Test(.feature(1), .defect(.mailspring, 3), .defect(.liveStore, 10))
  func lists_areReadAtOnePosition() async throws {
    let (_, inbox) = try await open()
    try await inbox.tell(threads: ["a": ["inbox", "unread"], "b": ["inbox"], "c": ["inbox"]])
    let all = try QueryPlan(
      where: #Predicate<MailThread> { $0.tagIDs.contains("inbox") }, sort: Self.newest)
    let unread = try QueryPlan(
      where: #Predicate<MailThread> { $0.tagIDs.contains("unread") }, sort: Self.newest)
    let first = try inbox.store.read { snapshot in
      let object = try snapshot.object(MailThread.self, "a", of: inbox.account)
      return (
        try snapshot.list(of: all, in: inbox.account, window: 0..<2),
        try snapshot.list(of: unread, in: inbox.account), object, snapshot.position
      )
    }
    #expect(first.0.objects.map(\.id) == ["c", "b"] && first.0.count == 3)
    #expect(first.1.objects.map(\.id) == ["a"] && first.1.count == 1)
    #expect(first.2?.isUnread == true)
    try await inbox.perform(.markRead(MailThread.self, ["a"]))
    let change = try inbox.changes(of: unread, since: first.3)
    #expect(change?.newTotal == 0)
    await inbox.store.close()
  }

  private func expectKept<Object: Model>(_ plan: QueryPlan<Object>, in inbox: Inbox) {
    #expect(throws: Never.self, "\(plan.explanation)") {
      try inbox.store.read { _ = try $0.list(of: plan, in: inbox.account) }
    }
  }

  /// The lists that the page on queries names, and none that it doesn't.
  @Test func lists_ofTheInboxItself_areKept() async throws {
    let (_, inbox) = try await open()
    let threads = [
      try QueryPlan(where: #Predicate<MailThread> { $0.tagIDs.contains("x") }, sort: Self.newest),
      try QueryPlan(where: #Predicate<MailThread> { $0.isUnread }, sort: Self.newest),
      try QueryPlan(where: #Predicate<MailThread> { $0.isStarred }, sort: Self.newest),
      try QueryPlan(
        where: #Predicate<MailThread> { $0.tagIDs.contains("inbox") && $0.isUnread },
        sort: Self.newest),
    ]
    for plan in threads { expectKept(plan, in: inbox) }
    let latest = [SortDescriptor(\Message.effectiveDate, order: .reverse)]
    let messages = [
      try QueryPlan(
        where: #Predicate<Message> { $0.threadID == "t1" },
        sort: [SortDescriptor(\.effectiveDate)]),
      try QueryPlan(where: #Predicate<Message> { $0.isUnread }, sort: latest),
      try QueryPlan(where: #Predicate<Message> { $0.tagIDs.contains("x") }, sort: latest),
      try QueryPlan(where: #Predicate<Message> { $0.addresses.contains("b@x") }, sort: latest),
    ]
    for plan in messages { expectKept(plan, in: inbox) }
    let address = FoldedText("b@x")
    let byName = [SortDescriptor(\Contact.foldedName)]
    let found = #Predicate<Contact> { $0.foldedEmail == address }
    expectKept(try QueryPlan(sort: byName), in: inbox)
    expectKept(try QueryPlan(where: found, sort: byName), in: inbox)
    let drafts = [SortDescriptor(\Draft.effectiveDate, order: .reverse)]
    expectKept(try QueryPlan(sort: drafts), in: inbox)
    expectKept(try QueryPlan(sort: [SortDescriptor(\InboxTag.foldedName)]), in: inbox)
    expectKept(try QueryPlan(sort: [SortDescriptor(\InboxFile.foldedFilename)]), in: inbox)
    for box in RichInbox.Box.allCases {
      expectKept(try inbox.rich.provider(of: box).plan, in: inbox)
    }
    let other = try QueryPlan(where: #Predicate<Message> { $0.threadID == "t1" }, sort: latest)
    #expect(throws: QueryError.notKept) {
      try inbox.store.read { _ = try $0.list(of: other, in: inbox.account) }
    }
    await inbox.store.close()
  }

  @Test func list_thatNoViewKeeps_isRefused() async throws {
    let (_, inbox) = try await open()
    let query = try QueryPlan(where: #Predicate<MailThread> { $0.subject == "A" })
    let start = try inbox.provider(MailThread.self).start.position
    #expect(throws: QueryError.notKept) {
      try inbox.store.read { _ = try $0.list(of: query, in: inbox.account) }
    }
    #expect(throws: QueryError.notKept) { try inbox.changes(of: query, since: start) }
    #expect(QueryError.notKept.description.contains("InboxStore.Options.views"))
    let part = try QueryPlan(where: #Predicate<MailThread> { $0.subject == $0.snippet })
    #expect(throws: QueryError.unplanned(reasons: part.reasons)) {
      try inbox.store.read { _ = try $0.list(of: part, in: inbox.account) }
    }
    await inbox.store.close()
  }
}
