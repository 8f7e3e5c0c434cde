import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// The actions on threads, messages, tags and drafts.
@Suite(.timeLimit(.minutes(5))) struct ActionFeatures {
  private func tags(_ id: String, in inbox: Inbox) throws -> Set<String>? {
    try inbox.object(MailThread.self, id)?.tagIDs
  }

  @Test(.feature(33)) func thread_isArchived_andBack_andThrownAway() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["inbox", "unread"]])
      let thread = try #require(try inbox.object(MailThread.self, "a"))
      try await inbox.perform(.archive(thread))
      #expect(try tags("a", in: inbox) == ["archive", "unread"])
      try await inbox.perform(.moveToInbox([thread.id]))
      #expect(try tags("a", in: inbox) == ["inbox", "unread"])
      try await inbox.perform(.trash(thread))
      #expect(try tags("a", in: inbox) == ["trash", "unread"])
      try await inbox.perform(.moveToInbox([thread.id]))
      #expect(try tags("a", in: inbox) == ["inbox", "unread"])
    }
  }

  /// Ids are those of an account: an action on an object is none on another account's.
  @Test(.feature(33)) func objectOfAnotherAccount_isNotChanged() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let other = try await inbox.store.logIn("bob@example.com", policy: .inbox)
      for inbox in [inbox, other] { try await inbox.tell(threads: ["a": ["inbox", "unread"]]) }
      let thread = try #require(try inbox.object(MailThread.self, "a"))
      let draft = Draft(id: inbox.newID(), account: inbox.account)
      let last = try inbox.store.core.log.last
      let actions: [Action] = [
        .markRead(thread), .archive(thread), .trash(thread), .star(thread), .delete(thread),
        .save(draft), .send(draft), .save(Tideline.Tag(id: "x", account: inbox.account)),
      ]
      for action in actions {
        await #expect(throws: IntentError.self) { try await other.perform(action) }
      }
      #expect(try inbox.store.core.log.last == last)
      try await inbox.perform(.archive(thread))
      #expect(try tags("a", in: other) == ["inbox", "unread"])
    }
  }

  @Test(.feature(33, 47)) func whatCantBe_isRefused_andLeavesNoTrace() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["inbox"]])
      let last = try inbox.store.core.log.last
      await #expect(throws: IntentError.contradictory(tag: "x")) {
        try await inbox.perform(
          .changeTags(MailThread.self, ["a"], adding: ["x", "y"], removing: ["x"]))
      }
      await #expect(throws: IntentError.unknown(id: "z")) {
        try await inbox.perform(.markRead(MailThread.self, ["z", "y"]))
      }
      #expect(try inbox.store.core.log.last == last && inbox.openOperations().isEmpty)
    }
  }

  /// The drafts of an empty selection can be deleted like anything else.
  @Test func selection_thatIsEmpty_changesNothing() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["inbox", "unread"]])
      let none: Set<String> = []
      let actions: [Action] = [
        .markRead(MailThread.self, none), .markUnread(Message.self, none), .markSeen(none),
        .archive(none), .moveToInbox(none), .trash(none), .delete(Draft.self, none),
        .star(MailThread.self, none), .unstar(Message.self, none),
        .delete(Contact.self, none), .changeTags(MailThread.self, none, adding: ["starred"]),
      ]
      for action in actions { #expect(try await inbox.perform(action).isSettled) }
      #expect(try inbox.openOperations().isEmpty && tags("a", in: inbox) == ["inbox", "unread"])
    }
  }

  @Test func selection_ofWhichSomeAreGone_isMarkedWithoutThem() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["inbox", "unread"], "b": ["inbox", "unread"]])
      try await inbox.apply(Delivery { $0.delete(MailThread.self, "a") })
      try await inbox.perform(.markRead(MailThread.self, ["z", "a", "b"]))
      #expect(try inbox.openOperations().map(\.id) == ["b"])
      #expect(try tags("b", in: inbox) == ["inbox"])
      #expect(try inbox.object(MailThread.self, "a") == nil)
    }
  }

  @Test(.feature(34)) func stars_areForThreadsAndMessages() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["inbox"]])
      try await inbox.apply(Delivery { $0.add(Message(id: "m", account: inbox.account)) })
      let thread = try #require(try inbox.object(MailThread.self, "a"))
      let message = try #require(try inbox.object(Message.self, "m"))
      try await inbox.perform(.star(thread))
      try await inbox.perform(.star(message))
      let starred = try #require(try inbox.object(Message.self, "m"))
      #expect(try tags("a", in: inbox) == ["inbox", "starred"])
      #expect(starred.isStarred && starred.tagIDs == ["starred"])
      try await inbox.perform(.unstar(thread))
      try await inbox.perform(.unstar(message))
      #expect(try tags("a", in: inbox) == ["inbox"])
      #expect(try inbox.object(Message.self, "m")?.isStarred == false)
    }
  }

  /// Several are one intent, as with any action on a selection.
  @Test func stars_areForSeveral() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["inbox"], "b": ["inbox", "starred"], "c": ["inbox"]])
      let starring = try await inbox.perform(.star(MailThread.self, ["a", "b"]))
      #expect(try inbox.openOperations().map(\.intent) == [starring.number])
      #expect(try inbox.openOperations().map(\.id) == ["a"])
      try await inbox.perform(.unstar(MailThread.self, ["b", "c"]))
      #expect(try tags("a", in: inbox) == ["inbox", "starred"])
      #expect(try tags("b", in: inbox) == ["inbox"] && tags("c", in: inbox) == ["inbox"])
      await #expect(throws: IntentError.self) {
        try await inbox.perform(.star(Contact.self, ["a"]))
      }
    }
  }

  @Test(.feature(36)) func message_thatIsRead_isNotMarkedAgain() async throws {
    try await TestDesk.withInbox { inbox, _ in
      var message = Message(id: "m", account: inbox.account)
      message.isUnread = true
      try await inbox.apply(
        Delivery { delivery in
          delivery.add(message)
          delivery.add(Message(id: "n", account: inbox.account))
        })
      try await inbox.perform(.markRead(Message.self, ["m", "n"]))
      #expect(try inbox.object(Message.self, "m")?.isUnread == false)
      #expect(try inbox.openOperations().map(\.id) == ["m"])
    }
  }

  /// This holds whether the server or the device reported that the message was read.
  @Test(.feature(36)) func richMessage_thatIsRead_isNotMarkedAgain() async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, _ in
      var read = RichMessage(id: "s", account: inbox.account)
      read.isRead = true
      let told = read
      try await inbox.apply(Delivery { $0.add(told) })
      try await inbox.tell(rich: "r")
      let first = try await inbox.perform(.markRead(RichMessage.self, ["r", "s"]))
      #expect(try inbox.openOperations().map(\.id) == ["r"])
      try await inbox.record(OperationAcknowledged { $0.intent = first.number })
      #expect(try inbox.openOperations().isEmpty)
      let again = try await inbox.perform(.markRead(RichMessage.self, ["r", "s"]))
      #expect(try inbox.openOperations().isEmpty && again.isSettled)
      #expect(try inbox.object(RichMessage.self, "r")?.isRead == true)
    }
  }

  @Test(.feature(37), .rule(7)) func seen_isLessThanRead() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["unread", "unseen"], "b": ["unread", "unseen"]])
      let thread = try #require(try inbox.object(MailThread.self, "a"))
      try await inbox.perform(.markSeen([thread.id]))
      #expect(try tags("a", in: inbox) == ["unread"])
      try await inbox.perform(.markRead(MailThread.self, ["b"]))
      #expect(try tags("b", in: inbox) == [])
      await #expect(throws: IntentError.self) {
        try await inbox.perform(.changeTags(MailThread.self, ["a"], adding: ["unseen"]))
      }
      #expect(try tags("a", in: inbox) == ["unread"])
    }
  }

  @Test(.feature(38)) func unread_isMarked_whereTheServerCan() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": []])
      try await inbox.perform(.markUnread(MailThread.self, ["a"]))
      #expect(try tags("a", in: inbox) == ["unread"])
    }
    try await TestDesk.withInbox(.engage) { inbox, _ in
      try await inbox.tell(rich: "r")
      await #expect(throws: IntentError.unsupported("mark as unread")) {
        try await inbox.perform(.markUnread(RichMessage.self, ["r"]))
      }
    }
  }

  @Test(.feature(62)) func tag_isMade_renamed_andDeleted() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let list = try inbox.provider(InboxTag.self, sort: [SortDescriptor(\.foldedName)])
      var changes = list.changes.makeAsyncIterator()
      var tag = InboxTag(id: inbox.newID(), account: inbox.account)
      tag.providedName = "Work"
      let making = try await inbox.perform(.save(tag))
      #expect(await changes.next()?.list.map(\.providedName) == ["Work"])
      try await inbox.record(OperationAcknowledged { $0.intent = making.number })
      tag.providedName = "Play"
      let renaming = try await inbox.perform(.save(tag))
      #expect(await changes.next()?.list.map(\.providedName) == ["Play"])
      // The name is taken.
      try await inbox.record(OperationRejected { $0.intent = renaming.number })
      #expect(await changes.next()?.list.map(\.providedName) == ["Work"])
      try await inbox.perform(.delete(tag))
      #expect(await changes.next()?.list.isEmpty == true)
    }
  }
}
