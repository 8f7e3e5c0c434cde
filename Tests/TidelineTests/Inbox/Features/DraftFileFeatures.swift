import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// The files of drafts whose values an app keeps for a long time.
@Suite(.timeLimit(.minutes(5))) struct DraftFileFeatures {
  /// Returns a draft of the device's own, or one of the server's.
  private func draft(_ inbox: Inbox, isOwn: Bool) async throws -> Draft {
    guard !isOwn else {
      let draft = Draft(id: inbox.newID(), account: inbox.account)
      try await inbox.perform(.save(draft))
      return draft
    }
    var draft = Draft(id: "d1", account: inbox.account)
    draft.fileIDs = ["f0"]
    let told = draft
    try await inbox.apply(
      Delivery { delivery in
        delivery.add(Attachment(id: "f0", account: inbox.account))
        delivery.add(told)
      })
    return try #require(try inbox.object(Draft.self, "d1"))
  }

  private func add(_ inbox: Inbox, to draft: Draft) async throws -> String {
    let file = Attachment(id: inbox.newID(), account: inbox.account)
    try await inbox.perform(.add(file, to: draft))
    return file.id
  }

  private func kept(_ draft: Draft) throws -> Draft {
    try JSONDecoder().decode(Draft.self, from: JSONEncoder().encode(draft))
  }

  @Test(.feature(53, 60), arguments: [true, false])
  func fileThatWasAdded_stays_whenAnOlderValueIsSaved(isOwn: Bool) async throws {
    try await TestDesk.withInbox { inbox, _ in
      var draft = try await draft(inbox, isOwn: isOwn)
      let files = draft.fileIDs.union([try await add(inbox, to: draft)])
      for subject in ["Lunch?", "Dinner?"] {
        draft.subject = subject
        try await inbox.perform(.save(draft, body: "At one."))
        let shown = try #require(try inbox.object(Draft.self, draft.id))
        #expect(shown.fileIDs == files && shown.subject == subject)
        draft = try kept(draft)
      }
    }
  }

  /// An app that attaches a file to a new reply, or sends it, first saves it, however empty.
  @Test func draftThatWasNeverSaved_isUnknown() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let draft = Draft(id: inbox.newID(), account: inbox.account)
      let file = Attachment(id: inbox.newID(), account: inbox.account)
      let last = try inbox.store.core.log.last
      for action in [Action.add(file, to: draft), .send(draft)] {
        await #expect(throws: IntentError.unknown(id: draft.id)) {
          try await inbox.perform(action)
        }
      }
      #expect(try inbox.store.core.log.last == last)
      try await inbox.perform(.save(draft))
      try await inbox.perform(.add(file, to: draft))
      #expect(try inbox.object(Draft.self, draft.id)?.fileIDs == [file.id])
    }
  }

  /// Saving states the files that the person removed or added, even from a value kept meanwhile.
  @Test(.feature(60), arguments: [true, false]) func filesThatWereChanged_areTheDrafts(
    isOwn: Bool
  ) async throws {
    try await TestDesk.withInbox { inbox, _ in
      var draft = try await draft(inbox, isOwn: isOwn)
      let file = try await add(inbox, to: draft)
      draft = try #require(try inbox.object(Draft.self, draft.id))
      draft.fileIDs.remove(file)
      let other = try await add(inbox, to: draft)
      draft = try kept(draft)
      try await inbox.perform(.save(draft))
      #expect(try inbox.object(Draft.self, draft.id)?.fileIDs == draft.fileIDs)
      draft.fileIDs = [other]
      try await inbox.perform(.save(draft))
      #expect(try inbox.object(Draft.self, draft.id)?.fileIDs == [other])
    }
  }

  /// Saving a whole server draft, or a part that has no files, sets the draft's files.
  @Test func filesOfAValueThatWasMade_areTheDrafts() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let draft = try await draft(inbox, isOwn: false)
      let part = Draft(partOf: draft.id, account: inbox.account, knowing: [\.fileIDs])
      try await inbox.perform(.save(part))
      #expect(try inbox.object(Draft.self, draft.id)?.fileIDs == [])
      try await inbox.perform(.save(Draft(partOf: draft.id, account: inbox.account)))
      #expect(try inbox.object(Draft.self, draft.id)?.fileIDs == [])
    }
  }

  @Test(.feature(53)) func draftThatIsGone_isMadeAgain_withItsFiles() async throws {
    try await TestDesk.withInbox { inbox, _ in
      var draft = try await draft(inbox, isOwn: false)
      try await inbox.apply(Delivery { $0.delete(Draft.self, "d1") })
      #expect(try inbox.object(Draft.self, draft.id) == nil)
      draft.subject = "Lunch?"
      try await inbox.perform(.save(draft))
      let shown = try inbox.object(Draft.self, draft.id)
      #expect(shown?.fileIDs == ["f0"] && shown?.subject == "Lunch?")
    }
  }

  /// What the draft was for can't be done any more, and is not said to be.
  @Test func draftThatBecameAMessage_isUnknown_andSoIsADraftAsAMessage() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let draft = try await draft(inbox, isOwn: false)
      let kept = try await self.draft(inbox, isOwn: true)
      try await inbox.apply(Delivery { $0.add(Message(id: draft.id, account: inbox.account)) })
      let file = Attachment(id: inbox.newID(), account: inbox.account)
      let last = try inbox.store.core.log.last
      for action in [Action.add(file, to: draft), .send(draft), .delete(draft)] {
        await #expect(throws: IntentError.unknown(id: draft.id)) {
          try await inbox.perform(action)
        }
      }
      await #expect(throws: IntentError.unknown(id: kept.id)) {
        try await inbox.perform(.delete(Message.self, [kept.id]))
      }
      #expect(try inbox.store.core.log.last == last)
      try await inbox.perform(.delete(Message.self, [draft.id]))
      #expect(try inbox.object(Message.self, draft.id) == nil)
    }
  }

  /// Written text is never lost silently.
  @Test(.feature(53)) func draftThatIsBeingDeletedOrSent_isNotSaved() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let draft = try await draft(inbox, isOwn: true)
      try await inbox.perform(.delete(draft))
      await #expect(throws: IntentError.unknown(id: draft.id)) {
        try await inbox.perform(.save(draft, body: "At one."))
      }
      var told = Message(id: "d1", account: inbox.account)
      told.subject = "Lunch?"
      let sent = told
      try await inbox.apply(Delivery { $0.add(sent) })
      await #expect(throws: IntentError.unknown(id: "d1")) {
        try await inbox.perform(.save(Draft(id: "d1", account: inbox.account)))
      }
    }
  }

  /// Bookkeeping that travels with a value is no part of its equality.
  @Test func values_areEqual_whetherTheirFilesWereChanged() throws {
    var changed = Draft(id: "local-1", account: 1)
    changed.fileIDs = ["f1"]
    changed.fileIDs = []
    let new = Draft(id: "local-1", account: 1)
    #expect(changed == new && changed.hashValue == new.hashValue)
    #expect(Set([changed, new]).count == 1)
    let text = String(decoding: try JSONEncoder().encode(new), as: UTF8.self)
    #expect(!text.contains("filesAreSaid"))
  }
}
