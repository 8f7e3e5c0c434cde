import EventStore
import TestSupport
import Testing
import Tideline

/// A reply goes to the right people, to each once.
@Suite(.timeLimit(.minutes(5))) struct ReplyTests {
  private static func people(_ emails: String...) -> [Participant] {
    emails.map { Participant(email: $0) }
  }

  private static func message(
    from: [Participant], to: [Participant], cc: [Participant] = [], replyTo: [Participant] = []
  ) -> Message {
    var message = Message(id: "m", account: 1)
    (message.threadID, message.subject) = ("t", "Lunch")
    (message.from, message.to, message.cc, message.replyTo) = (from, to, cc, replyTo)
    return message
  }

  /// A message, whether the reply goes to all, and the people that the reply names.
  private static let cases: [(Message, Bool, to: [String], cc: [String])] = [
    (message(from: people("b@x"), to: people("alice@example.com", "c@x")), false, ["b@x"], []),
    (
      message(
        from: people("b@x"), to: people("Alice@Example.com", "C@x", "c@X"),
        cc: people("B@x", "d@x", "D@X")), true, ["b@x", "C@x"], ["d@x"]
    ),
    (message(from: people("b@x"), to: [], replyTo: people("list@x")), false, ["list@x"], []),
    (
      message(from: people("ALICE@example.com"), to: people("b@x"), cc: people("c@x")), false,
      ["b@x"], []
    ),
    (
      message(from: people("alice@example.com"), to: people("b@x"), cc: people("c@x")), true,
      ["b@x"], ["c@x"]
    ),
    (
      message(from: people("alice@example.com"), to: people("alice@example.com")), true,
      ["alice@example.com"], []
    ),
  ]

  @Test(.feature(61), arguments: cases.indices)
  func reply_isToOthers_once(index: Int) async throws {
    let (message, isToAll, to, cc) = Self.cases[index]
    try await TestDesk.withInbox { inbox, _ in
      let draft = try inbox.reply(to: message, all: isToAll)
      #expect(draft.to.map(\.email) == to)
      #expect(draft.cc.map(\.email) == cc && draft.bcc.isEmpty)
      #expect(draft.threadID == "t" && draft.replyToMessageID == "m" && draft.isUnsynced)
      try await inbox.perform(.save(draft))
      #expect(try inbox.object(Draft.self, draft.id)?.to == draft.to)
    }
  }

  @Test(.feature(61)) func reply_isToNoAccountOfThePerson_thatIsLoggedIn() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let other = try await inbox.store.logIn("own@x", policy: .inbox)
      let message = Self.message(from: Self.people("b@x"), to: Self.people("Own@x", "c@x"))
      #expect(try inbox.reply(to: message, all: true).to.map(\.email) == ["b@x", "c@x"])
      try await other.logOut(pending: .drop)
      #expect(try inbox.reply(to: message, all: true).to.map(\.email) == ["b@x", "Own@x", "c@x"])
    }
  }

  @Test(arguments: [
    ("Lunch", "Re: Lunch"), ("re: RE:Lunch", "Re: Lunch"), ("Re: ", "Re: "),
    ("Reply", "Re: Reply"), ("", "Re: "),
  ])
  func subject_beginsOnceWithRe(subject: String, expected: String) async throws {
    try await TestDesk.withInbox { inbox, _ in
      var message = Self.message(from: Self.people("b@x"), to: [])
      message.subject = subject
      let draft = try inbox.reply(to: message)
      #expect(draft.subject == expected)
    }
  }
}
