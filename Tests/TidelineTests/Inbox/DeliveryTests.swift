import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// What a server tells by objects is taken in just as they say it.
@Suite(.timeLimit(.minutes(5))) struct DeliveryTests {
  @Test func account_isTold_wholeAndInPart() async throws {
    try await TestDesk.withInbox { inbox, _ in
      var account = Account(id: "1", account: 1)
      account.serverID = "n1"
      account.emailAddress = "Alice@example.com"
      account.provider = "gmail"
      account.lastSync = Date(timeIntervalSince1970: 1_700_000_000)
      try await inbox.apply(Delivery { $0.add(account) })
      var known = try #require(try inbox.profile())
      #expect(known.serverID == "n1" && known.emailAddress == "Alice@example.com")
      #expect(known.lastSync == account.lastSync && known.foldedEmailAddress.text.first == "a")
      var part = Account(id: "1", account: 1)
      part.known = 0
      part.name = "Alice"
      try await inbox.apply(Delivery { $0.add(part) })
      known = try #require(try inbox.profile())
      #expect(known.name == "Alice" && known.provider == "gmail" && known.serverID == "n1")
      let accounts = try inbox.store.accounts()
      #expect(accounts.map(\.foldedName) == [FoldedText("Alice")])
    }
  }

  /// A draft of the device's own is told of by nobody, so nothing of it is known by that.
  @Test func draft_thatWasRead_isSavedWithWhatItHas() async throws {
    try await TestDesk.withInbox { inbox, _ in
      var draft = Draft(id: inbox.newID(), account: inbox.account)
      draft.subject = "One"
      draft.to = [Participant(email: "bob@example.com")]
      try await inbox.perform(.save(draft, body: "<p>Hello</p>"))
      var read = try #require(try inbox.object(Draft.self, draft.id))
      read.subject = "Two"
      try await inbox.perform(.save(read))
      let saved = try #require(try inbox.object(Draft.self, draft.id))
      #expect(saved.subject == "Two" && saved.to == draft.to && saved.body == read.body)
    }
  }
}
