import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// An inbox seen from outside: what it is told, what it shows and what is wanted of it.
@Suite struct InboxStoreTests {
  /// Runs the body with a store in its own folder, at a fixed time.
  private func withInbox(
    _ policy: PolicySwitches = .inbox, _ body: (Inbox) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    var options = InboxStore.Options()
    options.now = { Date(timeIntervalSince1970: 1_750_000_000) }
    let store = try await InboxStore.open(at: folder.path, options: options)
    let inbox = try await store.logIn("alice@example.com", policy: policy)
    try await body(inbox)
    await store.close()
  }

  private func thread(_ id: String, _ date: Int, _ tags: Set<String>) -> MailThread {
    var thread = MailThread(id: id, account: 1)
    thread.subject = "Subject of \(id)"
    thread.lastMessageDate = Date(timeIntervalSince1970: 1_700_000_000 + Double(date))
    thread.tagIDs = tags
    return thread
  }

  @Test(.feature(2, 12, 44), .defect(.braze, 1)) func provider_showsWhatIsToldAndWanted()
    async throws
  {
    try await withInbox { inbox in
      let unread = try inbox.provider(
        MailThread.self, where: #Predicate { $0.tagIDs.contains("unread") },
        sort: [SortDescriptor(\.effectiveDate, order: .reverse)], window: 0..<10)
      #expect(unread.start.list.isEmpty)
      var changes = unread.changes.makeAsyncIterator()
      try await inbox.apply(
        Delivery { delivery in
          delivery.add(thread("a", 1, ["inbox", "unread"]))
          delivery.add(thread("b", 2, ["inbox", "unread"]))
          delivery.add(thread("c", 3, ["inbox"]))
        })
      let first = try #require(await changes.next())
      #expect(first.list.map(\.id) == ["b", "a"])
      #expect(first.count == 2)
      try await inbox.perform(.markRead(try #require(first.list.first)))
      let second = try #require(await changes.next())
      #expect(second.list.map(\.id) == ["a"])
      #expect(try inbox.object(MailThread.self, "b")?.isUnread == false)
    }
  }

  @Test(.feature(12, 13)) func provider_ofWhatNoViewKeeps() async throws {
    try await withInbox { inbox in
      let planned = try inbox.provider(
        MailThread.self,
        where: #Predicate { $0.tagIDs.contains("inbox") && !$0.tagIDs.contains("unread") })
      let asked = try inbox.provider(
        MailThread.self, where: #Predicate { $0.participants.contains { $0.email == "b@x" } })
      #expect(planned.plan.residue == nil)
      #expect(asked.plan.residue != nil)
      var changes = asked.changes.makeAsyncIterator()
      var other = thread("b", 2, ["inbox", "unread"])
      other.participants = [Participant(email: "b@x")]
      try await inbox.apply(
        Delivery { delivery in
          delivery.add(thread("a", 1, ["inbox"]))
          delivery.add(other)
        })
      let change = try #require(await changes.next())
      #expect(change.list.map(\.id) == ["b"])
      var others = planned.changes.makeAsyncIterator()
      #expect(await others.next()?.list.map(\.id) == ["a"])
    }
  }

  @Test(.feature(12)) func provider_ofTwoTags_hasWhatIsUnderBoth_asThatChanges() async throws {
    try await withInbox { inbox in
      let list = try inbox.provider(
        MailThread.self,
        where: #Predicate { $0.tagIDs.contains("inbox") && $0.tagIDs.contains("work") },
        sort: [SortDescriptor(\.effectiveDate)])
      var changes = list.changes.makeAsyncIterator()
      try await inbox.apply(
        Delivery { delivery in
          delivery.add(thread("a", 1, ["inbox", "work", "unread"]))
          delivery.add(thread("b", 2, ["work"]))
          delivery.add(thread("c", 3, ["inbox"]))
        })
      #expect(await changes.next()?.list.map(\.id) == ["a"])
      try await inbox.perform(.changeTags(MailThread.self, ["b"], adding: ["inbox"]))
      #expect(await changes.next()?.list.map(\.id) == ["a", "b"])
      try await inbox.perform(.changeTags(MailThread.self, ["a"], removing: ["inbox"]))
      #expect(await changes.next()?.list.map(\.id) == ["b"])
      try await inbox.apply(Delivery { $0.add(thread("c", 3, ["inbox", "work"])) })
      #expect(await changes.next()?.list.map(\.id) == ["b", "c"])
      #expect(list.plan.residue == nil)
    }
  }

  @Test(.feature(7), .defect(.watermelonDB, 2)) func delivery_thatSaysNothingNew_isNotRecorded()
    async throws
  {
    try await withInbox { inbox in
      let delivery = Delivery { $0.add(thread("a", 1, ["inbox"])) }
      let other = Delivery { $0.add(thread("a", 2, ["inbox"])) }
      var counts: [Int] = []
      for delivery in [delivery, delivery, other] {
        counts.append(try await inbox.apply(delivery))
      }
      #expect(counts == [1, 0, 1])
    }
  }

  // Takes over a second without optimization: the delivery has more objects than fit in a batch.
  @Test func delivery_ofVeryMuch_isTakenInParts() async throws {
    try await withInbox { inbox in
      let count = 1_200
      let delivery = Delivery { delivery in
        for number in 0..<count { delivery.add(thread("t\(number)", number, ["inbox"])) }
        delivery.setCursor("c", of: "mail", isAtEnd: true)
      }
      #expect(try await inbox.apply(delivery) == count + 1)
      var kinds: [EventKind] = []
      try inbox.store.core.log.read { snapshot in
        var cursor = try snapshot.records()
        while try cursor.next() { kinds.append(cursor.record.header.kind) }
      }
      // Parts of at most 128, 256, 512 and 1,024 records.
      #expect(kinds.count { $0 == Exchange.kind } == 4)
      #expect(kinds.firstIndex(of: CursorSet.kind) == kinds.count - 1)
      let provider = try inbox.provider(MailThread.self, window: 0..<Int.max, counts: false)
      #expect(provider.start.list.count == count)
      provider.end()
      #expect(try await inbox.apply(delivery) == 1)
    }
  }

  @Test func resync_namesOnlyWhatMayBeOverByIt() async throws {
    try await withInbox { inbox in
      let delivery = Delivery { delivery in
        for number in 0..<20 { delivery.add(thread("t\(number)", number, ["inbox", "unread"])) }
      }
      try await inbox.apply(delivery)
      for id in ["t7", "t8"] { try await inbox.perform(.markRead(MailThread.self, [id])) }
      let intent = try inbox.store.core.log.last
      let done = OperationAcknowledged { ($0.intent, $0.item) = (intent, "t8") }
      let receipt = try inbox.record([done], for: try inbox.login(), durability: .full)
      try await receipt.visible()
      try await receipt.durable()
      let last = try inbox.store.core.log.last
      #expect(try await inbox.apply(delivery) == 0)
      var records = try inbox.store.core.log.records(from: last.advanced(by: 1)).makeAsyncIterator()
      let record = try #require(await records.next())
      let exchange = try #require(try EventCatalog.event(of: record) as? Exchange)
      #expect(exchange.unchanged == [ObjectNames(.thread, ["t8"])])
    }
  }

  @Test func declaredView_isDividedByAProperty() async throws {
    let folder = try TemporaryFolder()
    var options = InboxStore.Options()
    options.views = [
      try DeclaredView(
        "unread by address", of: MailThread.self, where: #Predicate { $0.isUnread },
        groupedBy: \.addresses)
    ]
    let store = try await InboxStore.open(at: folder.path, options: options)
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    let providers = try ["b@x", "c@x"].map { address in
      try inbox.provider(
        MailThread.self, where: #Predicate { $0.isUnread && $0.addresses.contains(address) })
    }
    try await inbox.apply(
      Delivery { delivery in
        for (number, address) in ["b@x", "c@x", "b@x"].enumerated() {
          var thread = thread("t\(number)", number, number == 2 ? [] : ["unread"])
          thread.participants = [Participant(email: address)]
          delivery.add(thread)
        }
      })
    for (number, provider) in providers.enumerated() {
      var changes = provider.changes.makeAsyncIterator()
      #expect(await changes.next()?.list.map(\.id) == ["t\(number)"])
    }
    #expect(store.core.transientCount == 0)
    await store.close()
    #expect(throws: QueryError.self) {
      try DeclaredView("by date", of: MailThread.self, groupedBy: \.effectiveDate)
    }
  }

  @Test(.feature(23), .defect(.airship, 5))
  func absence_isRemoval_butOnlyTheSecondTimeWhereNothingIsLeft() async throws {
    try await withInbox { inbox in
      try await inbox.apply(
        Delivery { delivery in
          for number in 0..<30 { delivery.add(thread("t\(number)", number, ["inbox"])) }
        })
      var whole = Delivery { $0.add(thread("t0", 0, ["inbox"])) }
      whole.extent = .whole
      try await inbox.apply(whole)
      #expect(try inbox.object(MailThread.self, "t0") != nil)
      #expect(try inbox.object(MailThread.self, "t1") == nil)
    }
  }

  /// A server reports a draft under the id it assigned, and omits a draft that is unchanged.
  @Test(.feature(23, 54)) func draft_isNotAbsent_underTheServersID() async throws {
    try await withInbox { inbox in
      var draft = Draft(id: inbox.newID(), account: inbox.account)
      draft.subject = "Lunch?"
      let own = draft.id
      let saving = try await inbox.perform(.save(draft))
      try await inbox.record(OperationAcknowledged { $0.intent = saving.number })
      try await inbox.record(IDReplaced { ($0.old, $0.new) = (own, "d1") })
      var told = Draft(id: "d1", account: inbox.account)
      told.subject = "Lunch?"
      var whole = Delivery { $0.add(told) }
      whole.extent = .whole
      for _ in 0..<2 { try await inbox.apply(whole) }
      #expect(try inbox.object(Draft.self, own)?.subject == "Lunch?")
    }
  }

  @Test func intent_isWithdrawn() async throws {
    try await withInbox { inbox in
      try await inbox.apply(Delivery { $0.add(thread("a", 1, ["inbox", "unread"])) })
      let found = try #require(try inbox.object(MailThread.self, "a"))
      let receipt = try await inbox.perform(.archive(found), heldFor: .seconds(5))
      #expect(try inbox.object(MailThread.self, "a")?.tagIDs == ["archive", "unread"])
      try await receipt.withdraw()
      #expect(try inbox.object(MailThread.self, "a")?.tagIDs == ["inbox", "unread"])
      #expect(try receipt.isSettled)
      await #expect(throws: IntentError.unknown(id: "z")) {
        try await inbox.perform(.markRead(MailThread.self, ["z"]))
      }
    }
  }

  @Test(.feature(53, 58)) func draft_keepsItsText() async throws {
    try await withInbox { inbox in
      var draft = Draft(id: inbox.newID(), account: inbox.account)
      draft.subject = "Hi"
      draft.to = [Participant(email: "bob@example.com")]
      try await inbox.perform(.save(draft, body: "<p>Hello</p>"))
      let saved = try #require(try inbox.object(Draft.self, draft.id))
      #expect(saved.subject == "Hi")
      let body = try #require(saved.body)
      #expect(try inbox.text(body) == "<p>Hello</p>")
      let drafts = try inbox.provider(
        Draft.self, sort: [SortDescriptor(\.effectiveDate, order: .reverse)])
      #expect(drafts.start.list.map(\.id) == [draft.id])
      try await inbox.perform(.delete(saved))
      #expect(try inbox.object(Draft.self, draft.id) == nil)
    }
  }
}
