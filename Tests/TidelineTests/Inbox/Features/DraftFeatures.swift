import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// What happens to drafts while somebody looks at them.
@Suite(.timeLimit(.minutes(5))) struct DraftFeatures {
  private func drafts(_ inbox: Inbox) throws -> Provider<Draft> {
    try inbox.provider(Draft.self, sort: [SortDescriptor(\.effectiveDate, order: .reverse)])
  }

  @Test(.feature(54), .rule(18)) func serversID_isOneUpdate_underAnOpenList() async throws {
    try await TestDesk.withInbox { inbox, _ in
      var draft = Draft(id: inbox.newID(), account: inbox.account)
      draft.subject = "Lunch?"
      let saving = try await inbox.perform(.save(draft))
      let list = try drafts(inbox)
      var changes = list.changes.makeAsyncIterator()
      let own = draft.id
      #expect(list.start.list.first?.isUnsynced == true)
      try await inbox.record(OperationAcknowledged { $0.intent = saving.number })
      try await inbox.record(IDReplaced { ($0.old, $0.new) = (own, "d1") })
      var told = Draft(id: "d1", account: inbox.account)
      (told.subject, told.version) = ("Lunch?", 1)
      try await inbox.apply(Delivery { $0.add(told) })
      try await inbox.perform(.save(Draft(id: own, account: inbox.account), body: "At one."))
      var edits: [ChangeSet.Edits] = []
      while edits.last?.updates.last.map({ Draft($0.row)?.body == nil }) ?? true {
        edits.append(try #require(await changes.next()).set.edits)
      }
      #expect(edits.allSatisfy { $0.removals.isEmpty && $0.insertions.isEmpty })
      let saved = try #require(try inbox.object(Draft.self, "d1"))
      #expect(saved.id == own && saved.serverID == "d1" && !saved.isUnsynced)
      #expect(try inbox.object(Draft.self, "d1") == inbox.object(Draft.self, own))
    }
  }

  /// A reader that counts both lists never counts the draft twice, and never misses it.
  @Test(.rule(12)) func sentDraft_goesFromOneListIntoTheOther_inOneStep() async throws {
    try await TestDesk.withInbox { inbox, _ in
      var draft = Draft(id: "d1", account: inbox.account)
      (draft.subject, draft.threadID) = ("Lunch?", "t1")
      let told = draft
      try await inbox.apply(Delivery { $0.add(told) })
      try await inbox.perform(.send(told))
      let messages = try inbox.provider(Message.self, where: #Predicate { $0.threadID == "t1" })
      let drafts = try drafts(inbox)
      var coming = messages.changes.makeAsyncIterator()
      var going = drafts.changes.makeAsyncIterator()
      #expect(drafts.start.list.map(\.state) == [.sending] && messages.start.list.isEmpty)
      var message = Message(id: "d1", account: inbox.account)
      message.threadID = "t1"
      let sent = message
      try await inbox.apply(Delivery { $0.add(sent) })
      let come = try #require(await coming.next()).set
      let gone = try #require(await going.next()).set
      #expect(come.edits.insertions.map(\.index) == [0] && come.edits.removals.isEmpty)
      #expect(gone.edits.removals.count == 1 && gone.edits.insertions.isEmpty)
      #expect(come.from == gone.from && come.to == gone.to)
    }
  }

  /// A property that the person cleared stays clear, in an own draft and in one of the server's.
  @Test(.feature(53), arguments: [true, false]) func whatIsClearedInADraft_isCleared(
    isOwn: Bool
  ) async throws {
    try await TestDesk.withInbox { inbox, _ in
      var draft = Draft(id: isOwn ? inbox.newID() : "d1", account: inbox.account)
      (draft.subject, draft.threadID) = ("Lunch?", "t1")
      draft.cc = [Participant(email: "bob@example.com")]
      let first = draft
      if isOwn {
        try await inbox.perform(.save(first))
      } else {
        try await inbox.apply(Delivery { $0.add(first) })
      }
      for _ in 0..<2 {
        var shown = try #require(try inbox.object(Draft.self, draft.id))
        (shown.subject, shown.threadID, shown.cc) = (nil, nil, [])
        try await inbox.perform(.save(shown))
        let cleared = try #require(try inbox.object(Draft.self, draft.id))
        #expect(cleared.subject == nil && cleared.threadID == nil && cleared.cc.isEmpty)
        try await inbox.perform(.save(first))
        #expect(try inbox.object(Draft.self, draft.id)?.subject == "Lunch?")
      }
    }
  }

  @Test(.feature(55), .defect(.inboxKit, 3)) func intents_carryTheVersionThatWasKnown() async throws
  {
    try await TestDesk.withInbox { inbox, _ in
      var draft = Draft(id: "d1", account: inbox.account)
      draft.version = 3
      try await inbox.apply(Delivery { $0.add(draft) })
      let known = try #require(try inbox.object(Draft.self, "d1"))
      let saving = try await inbox.perform(.save(known))
      let sending = try await inbox.perform(.send(known))
      let events = try inbox.store.core.log.read { snapshot in
        try [saving, sending].map { try snapshot.record($0.number) }.compactMap { $0 }
          .map { try EventCatalog.event(of: $0) }
      }
      #expect((events.first as? SaveDraft)?.baseVersion == 3)
      #expect((events.last as? SendDraft)?.version == 3)
    }
  }

  @Test(.feature(24)) func whatTheServerDoesntKnow_isNotPruned() async throws {
    try await TestDesk.withInbox { inbox, _ in
      var draft = Draft(id: inbox.newID(), account: inbox.account)
      draft.subject = "Lunch?"
      try await inbox.perform(.save(draft))
      var tag = InboxTag(id: inbox.newID(), account: inbox.account)
      tag.providedName = "Travel"
      try await inbox.perform(.save(tag))
      var file = Tideline.Attachment(id: inbox.newID(), account: inbox.account)
      file.filename = "a.pdf"
      try await inbox.perform(.add(file))
      try await inbox.apply(Delivery { $0.add(InboxTag(id: "old", account: inbox.account)) })
      var nothing = Delivery {
        $0.covers(Draft.self)
        $0.covers(Message.self)
        $0.covers(InboxTag.self)
        $0.covers(Tideline.Attachment.self)
      }
      nothing.extent = .whole
      for _ in 0..<2 { try await inbox.apply(nothing) }
      #expect(try inbox.object(InboxTag.self, "old") == nil)
      #expect(try inbox.object(Draft.self, draft.id)?.subject == "Lunch?")
      #expect(try inbox.object(InboxTag.self, tag.id)?.providedName == "Travel")
      #expect(try inbox.object(Tideline.Attachment.self, file.id)?.filename == "a.pdf")
    }
  }

  @Test(.feature(23)) func allMessages_areNoDrafts() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.apply(
        Delivery { delivery in
          delivery.add(Draft(id: "d1", account: inbox.account))
          delivery.add(Message(id: "m1", account: inbox.account))
        })
      var messages = Delivery { $0.add(Message(id: "m2", account: inbox.account)) }
      messages.extent = .whole
      try await inbox.apply(messages)
      #expect(try inbox.object(Message.self, "m1") == nil)
      #expect(try inbox.object(Draft.self, "d1") != nil)
      var drafts = Delivery { $0.covers(Draft.self) }
      drafts.extent = .whole
      try await inbox.apply(drafts)
      #expect(try inbox.object(Message.self, "m2") != nil)
      #expect(try inbox.object(Draft.self, "d1") == nil)
    }
  }
}
