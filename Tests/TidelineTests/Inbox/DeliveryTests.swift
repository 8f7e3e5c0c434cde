import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// The objects of a delivery are applied exactly as the server states them.
@Suite(.timeLimit(.minutes(5))) struct DeliveryTests {
  @Test func account_isTold_wholeAndInPart() async throws {
    try await TestDesk.withInbox { inbox, _ in
      var account = Account(id: "1", account: 1)
      account.serverID = "n1"
      account.emailAddress = "Alice@example.com"
      account.provider = "gmail"
      account.lastSync = Date(timeIntervalSince1970: 1_700_000_000)
      try await inbox.apply(Delivery { $0.add(account) })
      var known = try #require(try inbox.profile)
      #expect(known.serverID == "n1" && known.emailAddress == "Alice@example.com")
      #expect(known.lastSync == account.lastSync && known.foldedEmailAddress.text.first == "a")
      var part = Account(partOf: "1", account: 1)
      part.name = "Alice"
      try await inbox.apply(Delivery { $0.add(part) })
      known = try #require(try inbox.profile)
      #expect(known.name == "Alice" && known.provider == "gmail" && known.serverID == "n1")
      let accounts = try inbox.store.accounts
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
        \.keys: #"[{"key": "color",  "value": "red"}]"#,
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

  /// A whole message clears the properties that it has no value for.
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

  /// No server reports the device's own draft, so no fact says which of its fields are known.
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

  /// In the server's order, the object is there in the end.
  @Test(.rule(13)) func objectThatIsDeletedAndToldAgain_isThere() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let message = Message(id: "m", account: 1)
      try await inbox.apply(Delivery { $0.add(message) })
      try await inbox.apply(
        Delivery { delivery in
          delivery.delete(Message.self, "m")
          delivery.add(message)
        })
      #expect(try inbox.object(Message.self, "m") != nil)
      try await inbox.apply(Delivery { $0.delete(Message.self, "m") })
      #expect(try inbox.object(Message.self, "m") == nil)
    }
  }

  /// An object may be reported by the id that it has here.
  @Test func objectThatIsDeletedByItsOwnID_isGone() async throws {
    try await TestDesk.withInbox { inbox, desk in
      let draft = Draft(id: inbox.newID(), account: 1)
      try await inbox.perform(.save(draft))
      try await inbox.record(
        IDReplaced { ($0.objectClass, $0.old, $0.new) = (.draft, draft.id, "d1") }, epoch: 1,
        at: desk.now)
      let saving = try #require(try inbox.openOperations().first)
      try await inbox.record(
        OperationAcknowledged { ($0.intent, $0.item) = (saving.intent, saving.id) },
        epoch: 1, at: desk.now)
      #expect(try inbox.object(Draft.self, draft.id) != nil)
      try await inbox.apply(Delivery { $0.delete(Draft.self, draft.id) })
      #expect(try inbox.object(Draft.self, draft.id) == nil)
    }
  }

  /// Nobody knows which object a refused one without an id is.
  @Test func wholeDelivery_withAnObjectWithoutAnID_removesNothing() async throws {
    var policy = PolicySwitches.inbox
    policy.absenceDeletes = true
    try await TestDesk.withInbox(policy) { inbox, _ in
      try await inbox.apply(
        Delivery { delivery in
          for id in ["a", "b"] { delivery.add(Message(id: id, account: 1)) }
        })
      for _ in 0..<2 {
        try await inbox.apply(
          Delivery { delivery in
            delivery.extent = .whole
            delivery.add(Message(id: "a", account: 1))
            delivery.add(Message(id: "", account: 1))
          })
      }
      #expect(try inbox.object(Message.self, "b") != nil)
    }
  }

  /// An erasure finds a refused object by its id.
  @Test func idOfWhatIsRefused_isKeptWhole() {
    let id = String(repeating: "i", count: 300)
    var message = Message(id: id, account: 1)
    message.subject = String(repeating: "x", count: 1 << 20)
    let refused = message
    #expect(Delivery { $0.add(refused) }.refused.map(\.id) == [id])
    let long = String(repeating: "i", count: Delivery.idBytesMax + 1)
    #expect(Delivery { $0.delete(Message.self, long) }.refused.first?.id?.count == 200)
  }
}

/// The location of file contents, as stated by the app that has loaded them.
@Suite(.timeLimit(.minutes(5))) struct LoadedFileTests {
  private func file(_ path: String?, _ inbox: Inbox) -> Tideline.Attachment {
    var file = Attachment(partOf: "f", account: inbox.account, knowing: [\.localPath])
    file.localPath = path
    return file
  }

  private func known(_ inbox: Inbox) throws -> Tideline.Attachment? {
    try inbox.object(Attachment.self, "f")
  }

  @Test(.feature(60)) func content_isWhereItIsSaidToBe() async throws {
    try await TestDesk.withInbox { inbox, _ in
      var told = Attachment(id: "f", account: 1)
      told.filename = "a.jpg"
      let server = told
      try await inbox.apply(Delivery { $0.add(server) })
      #expect(try known(inbox)?.localPath == nil)
      let loaded = file("files/a.jpg", inbox)
      #expect(try await inbox.apply(Delivery { $0.add(loaded) }) == 2)
      #expect(try known(inbox)?.localPath == "files/a.jpg")
      // Stating the location again is no news, and the server's facts don't affect it.
      #expect(try await inbox.apply(Delivery { $0.add(loaded) }) == 0)
      try await inbox.apply(Delivery { $0.add(server) })
      #expect(try known(inbox)?.localPath == "files/a.jpg")
      #expect(try known(inbox)?.filename == "a.jpg")
      for path in [nil, ""] as [String?] {
        try await inbox.apply(Delivery { $0.add(loaded) })
        let removed = file(path, inbox)
        try await inbox.apply(Delivery { $0.add(removed) })
        #expect(try known(inbox)?.localPath == nil)
      }
    }
  }

  @Test func content_isErasedWithItsFile() async throws {
    try await TestDesk.withInbox { inbox, desk in
      let loaded = file("files/secret.jpg", inbox)
      try await inbox.apply(Delivery { $0.add(loaded) })
      try await inbox.erase(Attachment.self, "f")
      #expect(try known(inbox) == nil)
      #expect(try PlantedInbox.marks("secret", in: desk.folder.path) == [])
    }
  }
}

/// Objects that don't fit into a row, and facts about ids that have been replaced.
@Suite(.timeLimit(.minutes(5))) struct OddDeliveryTests {
  private func large(_ id: String) -> Message {
    var message = Message(id: id, account: 1)
    message.subject = "Large"
    message.to = (0..<3000).map { Participant(email: "somebody\($0)@example.com") }
    return message
  }

  /// The known object stays and doesn't count as gone; the other objects are applied.
  @Test func objectThatIsTooLarge_isRefused() async throws {
    try await TestDesk.withInbox { inbox, _ in
      var message = Message(id: "m", account: 1)
      message.subject = "Small"
      let small = message
      try await inbox.apply(Delivery { $0.add(small) })
      var delivery = Delivery { delivery in
        delivery.add(large("m"))
        delivery.add(Message(id: "", account: 1))
        delivery.add(Message(id: String(repeating: "x", count: 2000), account: 1))
        delivery.add(Message(id: "n", account: 1))
      }
      delivery.extent = .whole
      try await inbox.apply(delivery)
      #expect(try inbox.object(Message.self, "m")?.subject == "Small")
      #expect(try inbox.provider(Message.self).start.list.map(\.id) == ["m", "n"])
    }
  }

  @Test func draftThatIsTooLarge_isNotSaved() async throws {
    try await TestDesk.withInbox { inbox, _ in
      var draft = Draft(id: inbox.newID(), account: inbox.account)
      draft.to = large("m").to
      await #expect(throws: RowError.self) { try await inbox.perform(.save(draft)) }
      let drafts = try inbox.provider(Draft.self).start.list
      #expect(drafts.isEmpty)
    }
  }

  /// A server that recreates a draft on each save reports the old one as gone: the draft under the
  /// new id stays until that id is gone.
  @Test(arguments: [false, true]) func oldID_takesNothingAway(isToldWhole: Bool) async throws {
    try await TestDesk.withInbox { inbox, _ in
      func tell(_ fill: (inout Delivery) -> Void) async throws {
        try await inbox.apply(Delivery(fill))
      }
      var draft = Draft(id: inbox.newID(), account: inbox.account)
      for (number, id) in ["d1", "d2"].enumerated() {
        draft.subject = "Draft \(id)"
        let receipt = try await inbox.perform(.save(draft))
        try await inbox.record(
          IDReplaced {
            ($0.objectClass, $0.old, $0.new) = (.draft, number == 0 ? draft.id : "d1", id)
            $0.intent = receipt.number
          })
        try await inbox.record(
          OperationAcknowledged { ($0.intent, $0.item) = (receipt.number, draft.id) })
      }
      try await tell { delivery in
        if isToldWhole { delivery.add(Draft(id: "d2", account: 1)) }
        delivery.delete(Draft.self, "d1")
        delivery.delete(Message.self, "d1")
      }
      #expect(try inbox.object(Draft.self, draft.id) != nil)
      try await tell { $0.add(Message(id: "d2", account: 1)) }
      try await tell { $0.delete(Draft.self, "d1") }
      #expect(try inbox.provider(Message.self).start.count == 1)
      try await tell { $0.delete(Message.self, "d2") }
      #expect(try inbox.provider(Message.self).start.count == 0)
    }
  }
}
