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
      var part = Account(partOf: "1", account: 1)
      part.name = "Alice"
      try await inbox.apply(Delivery { $0.add(part) })
      known = try #require(try inbox.profile())
      #expect(known.name == "Alice" && known.provider == "gmail" && known.serverID == "n1")
      let accounts = try inbox.store.accounts()
      #expect(accounts.map(\.foldedName) == [FoldedText("Alice")])
    }
  }

  @Test(.feature(21)) func body_thatIsNotNamed_stays_andNoneClears() async throws {
    try await TestDesk.withInbox { inbox, _ in
      var message = Message(id: "m", account: 1)
      message.subject = "One"
      func body() throws -> String? {
        try inbox.object(Message.self, "m")?.body.flatMap { try inbox.text($0) }
      }
      try await inbox.apply(Delivery { $0.add(message, body: "<p>Hello</p>") })
      #expect(try body() == "<p>Hello</p>")
      message.subject = nil
      message.isUnread = true
      try await inbox.apply(Delivery { $0.add(message) })
      #expect(try body() == "<p>Hello</p>")
      #expect(try inbox.object(Message.self, "m")?.subject == nil)
      try await inbox.apply(Delivery { $0.add(message, texts: [\.body: nil]) })
      #expect(try inbox.object(Message.self, "m")?.body == nil)
    }
  }

  @Test(.feature(84)) func rich_texts_areKeptByteByByte() async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, _ in
      let texts: [KeyPath<RichMessage, TextReference?>: String] = [
        \.content: "<p>Grüße</p>", \.custom: #""one text""#, \.unknownFields: #"{"z":null}"#,
        \.customKeys: #"{ "b": 1.50, "a": {"ö":[1e400]} }"#,
      ]
      let message = RichMessage(id: "r", account: 1)
      try await inbox.apply(
        Delivery { $0.add(message, texts: texts.mapValues(Optional.some)) })
      try await inbox.apply(Delivery { $0.add(message) })
      let known = try #require(try inbox.object(RichMessage.self, "r"))
      for (keyPath, text) in texts {
        let reference = try #require(known[keyPath: keyPath])
        #expect(try inbox.text(reference) == text)
      }
    }
  }

  /// A draft of the device's own is told of by nobody, so nothing of it is known by that.
  @Test func rich_thatIsWhole_clearsWhatItHasNoValueOf() async throws {
    try await TestDesk.withInbox { inbox, desk in
      try await inbox.store.logIn("alice@example.com", policy: .engage)
      var message = RichMessage(id: "r1", account: inbox.account)
      (message.title, message.endDateUtc) = ("Sale", desk.now.addingTimeInterval(60))
      try await inbox.apply(Delivery { $0.add(message) })
      #expect(try inbox.object(RichMessage.self, "r1")?.endDateUtc != nil)
      message.endDateUtc = nil
      try await inbox.apply(Delivery { $0.add(message) })
      let now = try #require(try inbox.object(RichMessage.self, "r1"))
      #expect(now.endDateUtc == nil && now.title == "Sale")
    }
  }

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

  @Test func part_tellsWhatItHas_andWhatItIsSaidToKnow() async throws {
    try await TestDesk.withInbox { inbox, _ in
      var message = Message(id: "m", account: 1)
      (message.subject, message.snippet, message.isUnread) = ("One", "Hello", true)
      try await inbox.apply(Delivery { $0.add(message) })
      var part = Message(partOf: "m", account: 1, knowing: [\.isUnread, \.snippet])
      part.subject = "Two"
      #expect(part.isPartial && part.knows(\.isUnread) && !part.knows(\.subject))
      let told = part
      try await inbox.apply(Delivery { $0.add(told) })
      var known = try #require(try inbox.object(Message.self, "m"))
      #expect(known.subject == "Two" && known.snippet == nil && !known.isUnread)
      try await inbox.apply(Delivery { $0.add(Message(partOf: "m", account: 1)) })
      known = try #require(try inbox.object(Message.self, "m"))
      #expect(known.subject == "Two")
    }
  }
}
