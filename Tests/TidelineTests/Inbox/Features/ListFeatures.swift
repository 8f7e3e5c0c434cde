import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// The changes that lists report.
@Suite(.timeLimit(.minutes(5))) struct ListFeatures {
  private func unread(
    _ inbox: Inbox, _ window: Range<Int> = 0..<10
  ) throws -> Provider<MailThread> {
    try inbox.provider(
      MailThread.self, where: #Predicate { $0.tagIDs.contains("unread") },
      sort: [SortDescriptor(\.effectiveDate, order: .reverse)], window: window)
  }

  private func tell(
    _ inbox: Inbox, _ id: String, at seconds: Int, _ tags: Set<String> = ["unread"]
  ) async throws {
    var thread = MailThread(id: id, account: inbox.account)
    thread.lastMessageDate = Date(timeIntervalSince1970: 1_700_000_000 + Double(seconds))
    thread.tagIDs = tags
    try await inbox.apply(Delivery { $0.add(thread) })
  }

  @Test(.feature(5)) func thread_thatGetsAMessage_moves() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["unread"], "b": ["unread"], "c": ["unread"]])
      let list = try unread(inbox)
      var changes = list.changes.makeAsyncIterator()
      try await tell(inbox, "a", at: 60)
      let change = try #require(await changes.next())
      #expect(change.list.map(\.id) == ["a", "c", "b"])
      let edits = change.set.edits
      #expect(edits.moves == [ChangeSet.Move(old: 2, new: 0)] && edits.updates.map(\.index) == [0])
      #expect(edits.removals.isEmpty && edits.insertions.isEmpty)
    }
  }

  /// An alert's message sorts by its arrival; the answer supplies its sending date and contents.
  @Test(.rule(1)) func alertsMessage_isFilled_byOneMoveAndUpdate() async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, _ in
      try await inbox.tell(rich: "a", "b")
      let json = #"{"_sid":"SFMC","_mt":8,"_m":"m1","aps":{"alert":"Hi"}}"#
      try await inbox.store.receive(
        PushPayload(json: Array(json.utf8)), by: .marketingCloud)
      let list = try inbox.rich.provider()
      #expect(list.start.list.map(\.id) == ["m1", "b", "a"])
      var changes = list.changes.makeAsyncIterator()
      var message = RichMessage(id: "m1", account: inbox.account)
      message.subject = "Sale"
      message.sendDateUtc = Date(timeIntervalSince1970: 1_600_000_000)
      let told = message
      try await inbox.apply(Delivery { $0.add(told) })
      let change = try #require(await changes.next())
      #expect(change.list.map(\.id) == ["b", "a", "m1"] && change.list.last?.subject == "Sale")
      let edits = change.set.edits
      #expect(edits.moves == [ChangeSet.Move(old: 0, new: 2)] && edits.updates.map(\.index) == [2])
      #expect(edits.removals.isEmpty && edits.insertions.isEmpty)
    }
  }

  @Test(.feature(6, 7)) func whatChangesNothing_isNotTold() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await tell(inbox, "a", at: 0)
      let list = try unread(inbox)
      var changes = list.changes.makeAsyncIterator()
      try await tell(inbox, "a", at: 0)
      try await inbox.perform(.markRead(MailThread.self, ["a"]), heldFor: .seconds(5)).withdraw()
      try await tell(inbox, "z", at: 9, ["inbox"])
      try await tell(inbox, "b", at: 1)
      let change = try #require(await changes.next())
      let edits = change.set.edits
      #expect(edits.insertions.map(\.index) == [0] && edits.updates.isEmpty)
      #expect(edits.removals.isEmpty && edits.moves.isEmpty)
    }
  }

  @Test(.feature(6, 7), .rule(9)) func whatWasToldAhead_isNotToldAgain() async throws {
    try await TestDesk.withInbox { inbox, _ in
      func tell(_ version: Int, _ subject: String) async throws {
        var thread = MailThread(id: "a", account: inbox.account)
        (thread.version, thread.subject, thread.tagIDs) = (version, subject, ["unread"])
        let told = thread
        try await inbox.apply(Delivery { $0.add(told) })
      }
      try await tell(5, "New")
      let list = try unread(inbox)
      var changes = list.changes.makeAsyncIterator()
      for (version, subject, other) in [(4, "Old", "b"), (5, "New", "c")] {
        try await tell(version, subject)
        try await self.tell(inbox, other, at: 1)
        let edits = try #require(await changes.next()).set.edits
        #expect(edits.insertions.count == 1 && edits.updates.isEmpty && edits.moves.isEmpty)
        #expect(try inbox.object(MailThread.self, "a")?.subject == "New")
      }
    }
  }

  @Test(.feature(11)) func window_isFilledUp_pushesOut_andIsShownFurther() async throws {
    try await TestDesk.withInbox { inbox, _ in
      for (index, id) in ["a", "b", "c", "d"].enumerated() { try await tell(inbox, id, at: index) }
      let list = try unread(inbox, 0..<2)
      #expect(list.start.list.map(\.id) == ["d", "c"] && list.start.count == 4)
      var changes = list.changes.makeAsyncIterator()
      try await inbox.perform(.markRead(MailThread.self, ["d"]))
      var change = try #require(await changes.next())
      #expect(change.list.map(\.id) == ["c", "b"] && change.count == 3)
      #expect(change.set.edits.removals.map(\.index) == [0])
      #expect(change.set.edits.insertions.map(\.index) == [1])
      try await tell(inbox, "e", at: 9)
      change = try #require(await changes.next())
      #expect(change.list.map(\.id) == ["e", "c"] && change.count == 4)
      #expect(change.set.edits.removals.map(\.index) == [1])
      try list.show(0..<4)
      change = try #require(await changes.next())
      #expect(change.list.map(\.id) == ["e", "c", "b", "a"] && !change.set.isReset)
    }
  }

  /// A table that performs the batches has the rows of the list, whatever happens.
  @Test(.feature(4, 94)) func table_thatPerformsBothBatches_showsTheList() async throws {
    try await TestDesk.withInbox { inbox, _ in
      var dice = SeededGenerator(seed: 4)
      let list = try unread(inbox, 0..<5)
      var changes = list.changes.makeAsyncIterator()
      var table: [MailThread] = []
      for _ in 0..<150 {
        let id = "t\(Int.random(in: 0..<8, using: &dice))"
        let tags: Set<String> = Bool.random(using: &dice) ? ["unread"] : []
        try await tell(inbox, id, at: .random(in: 0..<1_000, using: &dice), tags)
        let shown = Array(try unread(inbox, 0..<5).start.list)
        while table != shown {
          let change = try #require(await changes.next())
          table = perform(change, on: table)
          #expect(table == Array(change.list))
        }
      }
    }
  }

  private func perform(
    _ change: ProviderChange<MailThread>, on table: [MailThread]
  ) -> [MailThread] {
    guard let batches = change.set.batchUpdates() else { return Array(change.list) }
    let gone = Set((batches.deletions + batches.moves.map(\.from)).map(\.item))
    var cells = table.indices.filter { !gone.contains($0) }.map { table[$0] }
    let fresh = batches.insertions.map { ($0.item, change.list[$0.item]) }
    let moved = batches.moves.map { ($0.to.item, table[$0.from.item]) }
    for (index, cell) in (fresh + moved).sorted(by: { $0.0 < $1.0 }) {
      cells.insert(cell, at: index)
    }
    for path in batches.reloads { cells[path.item] = change.list[path.item] }
    return cells
  }

  @Test(.feature(63)) func contacts_areListedByName_andFoundByAddress() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.apply(
        Delivery { delivery in
          for (id, name) in [("1", "Zoë"), ("2", "ann"), ("3", "Bob")] {
            var contact = Contact(id: id, account: inbox.account)
            (contact.name, contact.email) = (name, "\(name.prefix(3))@Example.com")
            delivery.add(contact)
          }
        })
      let all = try inbox.provider(Contact.self, sort: [SortDescriptor(\.foldedName)])
      #expect(all.start.list.map(\.name) == ["ann", "Bob", "Zoë"])
      let address = FoldedText("BOB@example.com")
      let found = try inbox.provider(
        Contact.self, where: #Predicate { $0.foldedEmail == address },
        sort: [SortDescriptor(\.foldedName)])
      #expect(found.start.list.map(\.id) == ["3"] && found.plan.residue == nil)
      try await inbox.store.logIn("bob@example.com", policy: .inbox)
      #expect(try inbox.store.accounts.map(\.id) == ["1", "2"])
    }
  }

  /// A list of all accounts has those that nobody is logged in to as well.
  @Test(.feature(63)) func accounts_areListed_asTheyChange() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let all = try inbox.store.provider(Account.self, sort: [SortDescriptor(\.person)])
      #expect(all.start.list.map(\.person) == ["alice@example.com"])
      var changes = all.changes.makeAsyncIterator()
      try await inbox.store.logIn("bob@example.com", policy: .inbox)
      let both = try #require(await changes.next()?.list)
      #expect(both.map(\.person) == ["alice@example.com", "bob@example.com"])
      try await inbox.logOut(pending: .drop)
      #expect(await changes.next()?.list.map(\.isLoggedIn) == [false, true])
      let own = try inbox.provider(Account.self)
      #expect(own.start.list.map(\.account) == [inbox.account])
    }
  }

  /// Objects with equal keys, or without any, are ordered by their ids, however they arrived.
  @Test(.feature(15)) func equalKeys_areOrderedByIDs() async throws {
    let ids = ["10", "2", "B", "a", "b", "Ä"]
    for order in [ids, ids.reversed(), ids.shuffled()] {
      try await TestDesk.withInbox { inbox, _ in
        for id in order {
          var contact = Contact(id: id, account: inbox.account)
          contact.name = id == "2" || id == "b" ? nil : "Ann"
          try await inbox.apply(Delivery { [contact] in $0.add(contact) })
        }
        let up = try inbox.provider(Contact.self, sort: [SortDescriptor(\.name)])
        #expect(up.start.list.map(\.id) == ["2", "b", "10", "B", "a", "Ä"], "\(order)")
        let down = try inbox.provider(
          Contact.self, sort: [SortDescriptor(\.name, order: .reverse)])
        #expect(down.start.list.map(\.id) == ["10", "B", "a", "Ä", "2", "b"], "\(order)")
      }
    }
  }
}
