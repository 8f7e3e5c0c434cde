import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// An action that can have no effect is refused, and the error says what to do instead.
@Suite(.timeLimit(.minutes(5))) struct UnfitTests {
  private static let drafts = ["local-1", "local-2"]

  private static let refused: [(Action, String)] = {
    let (draft, rich) = (Draft(id: "local-1", account: 1), RichMessage(id: "r", account: 1))
    let (contact, tag) = (Contact(id: "c", account: 1), InboxTag(id: "t", account: 1))
    let readers = "Name threads, messages or rich messages."
    let tagged = "Name threads or messages."
    return [
      (.markRead(draft), "Drafts can't be marked as read. \(readers)"),
      (.markRead(Draft.self, drafts), "Drafts can't be marked as read. \(readers)"),
      (.markUnread(contact), "Contacts can't be marked as unread. \(readers)"),
      (.star(draft), "Drafts can't be put under tags. \(tagged)"),
      (.unstar(rich), "Rich messages can't be put under tags. \(tagged)"),
      (
        .changeTags(InboxTag.self, [tag.id], adding: ["a"]),
        "Tags can't be put under tags. \(tagged)"
      ),
      (.markAllRead(Contact.self), "Contacts can't be marked as read. \(readers)"),
      (
        .markAllRead(RichMessage.self, tag: "a"),
        "Rich messages can't be found by a tag. Leave out the tag."
      ),
      (.deleteAll(Contact.self, tag: "a"), "Contacts can't be found by a tag. Leave out the tag."),
      (.deleteAll(Draft.self), "Drafts can't be deleted together. Delete them one by one."),
      (.delete(Draft.self, drafts), "Drafts can't be deleted together. Delete them one by one."),
      (
        .deleteAll(InboxFile.self),
        "Files can't be deleted all at once. "
          + "Name threads, messages, rich messages or contacts."
      ),
      (
        .delete(Account(id: "1", account: 1)),
        "Accounts can't be deleted. Call erase() of the inbox."
      ),
    ]
  }()

  /// No refused action is recorded.
  @Test func whatNothingComesOf_isRefused_andLeavesNoTrace() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.apply(
        Delivery { delivery in
          for id in Self.drafts { delivery.add(Draft(id: id, account: 1)) }
          delivery.add(RichMessage(id: "r", account: 1))
          delivery.add(Contact(id: "c", account: 1))
          delivery.add(InboxTag(id: "t", account: 1))
        })
      let last = try inbox.store.core.log.last
      for (action, text) in Self.refused {
        let error = await #expect(throws: IntentError.self, "\(text)") {
          try await inbox.perform(action)
        }
        #expect(error?.description == text)
      }
      #expect(try inbox.store.core.log.last == last && inbox.openOperations().isEmpty)
    }
  }

  /// The ids of a selection can be passed as they are.
  @Test func ids_areOfAnySequence() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["inbox", "unread"], "b": ["inbox"], "c": ["inbox"]])
      let chosen: Set = ["a", "b"]
      try await inbox.perform(.archive(chosen))
      try await inbox.perform(.markRead(MailThread.self, chosen))
      try await inbox.perform(.changeTags(MailThread.self, ["a", "c"].lazy, adding: ["x"]))
      let tags = try ["a", "b", "c"].map { try inbox.object(MailThread.self, $0)?.tagIDs }
      #expect(tags == [["archive", "x"], ["archive"], ["inbox", "x"]])
    }
  }

  @Test func textOfTooLate_isTrueOfDraftsAsWell() {
    #expect(!IntentError.tooLate.description.contains("opposite"))
  }
}
