import EventStore
import TestSupport
import Testing
import Tideline
import TidelineSync

/// Unusable parts of a server's answer are refused with a reason; nothing else is lost.
@Suite(.timeLimit(.minutes(5))) struct OddAnswerTests {
  private static let tooLong = String(repeating: "x", count: 5_000_000)

  /// Returns a server of tags whose changes lead to a cursor.
  private func server(leadingTo cursor: String) -> PlayedServer {
    var abilities = ServerAbilities()
    abilities.streams = [ServerStream("tags", [.tag], by: .changes)]
    return PlayedServer(abilities) { question in
      Answer { answer in
        switch question {
        case .cursor: answer.cursor = "first"
        case .page: answer.tell(Delivery { $0.add(Tag(id: "a", account: 0)) })
        default:
          answer.tell(Delivery { $0.add(Tag(id: "b", account: 0)) })
          answer.cursor = cursor
        }
      }
    }
  }

  private func cursor(_ inbox: Inbox) throws -> String? {
    try inbox.store.core.read { $0.cursor(of: "tags", in: inbox.account) }
  }

  @Test func cursorThatIsTooLong_isNotTaken_norWhatCameWithIt() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let sync = Sync(inbox, with: server(leadingTo: Self.tooLong))
      sync.start()
      let failure = ServerFailure(
        .invalid, message: "The cursor has 5000000 bytes; the limit is 16384.")
      await #expect(throws: failure) { try await sync.refreshed() }
      let known = try cursor(inbox)
      #expect(known == "first")
      #expect(try inbox.provider(Tag.self).start.list.map(\.id) == ["a"])
      #expect(try inbox.store.refused().isEmpty)
      sync.stop()
    }
  }

  @Test func cursorAtTheLimit_isTaken() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let longest = String(repeating: "x", count: Delivery.cursorBytesMax)
      let sync = Sync(inbox, with: server(leadingTo: longest))
      sync.start()
      try await sync.refreshed()
      #expect(try cursor(inbox) == longest)
      #expect(try inbox.object(Tag.self, "b") != nil)
      #expect(try inbox.store.refused().isEmpty)
      sync.stop()
    }
  }

  /// Items that an app delivers itself are refused one by one.
  @Test func deliveryThatIsTooLong_isRefused_andTheRestIsTaken() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.apply(
        Delivery { delivery in
          delivery.add(Tag(id: "a", account: 0))
          delivery.add(Tag(id: String(Self.tooLong.prefix(1001)), account: 0))
          delivery.add(Tag(id: String(Self.tooLong.prefix(1000)), account: 0))
          delivery.delete(Tag.self, Self.tooLong)
          delivery.setCursor(Self.tooLong, of: "tags")
        })
      #expect(try inbox.provider(Tag.self).start.count == 2)
      #expect(try cursor(inbox) == nil)
      #expect(try inbox.store.refused().isEmpty)
      let log = try inbox.store.core.log
      let reasons = try (1...log.last.rawValue).compactMap { number -> String? in
        guard let record = try log.record(RecordNumber(rawValue: number)),
          record.header.kind == ItemRefused.kind
        else { return nil }
        return (try EventCatalog.event(of: record) as? ItemRefused)?.reason
      }
      #expect(
        reasons == [
          "Its id has 1001 bytes; the limit is 1000.",
          "Its id has 5000000 bytes; the limit is 1000.",
          "The cursor has 5000000 bytes; the limit is 16384.",
        ])
    }
  }

  @Test func newIDThatIsTooLong_rejectsWhatWasWanted_andKeepsTheText() async throws {
    try await Bench.with { bench in
      var draft = Draft(id: bench.inbox.newID(), account: bench.inbox.account)
      draft.subject = "Hello"
      try await bench.inbox.perform(.save(draft, body: "the text"))
      let (id, request) = try #require(try await bench.sent().first)
      let done = request.parts.map { _ in PartOutcome.done(version: 1, newID: Self.tooLong) }
      try await bench.take(.performed(id, .success(Settlement(done))))
      let kept = try #require(try bench.inbox.object(Draft.self, draft.id))
      #expect(kept.subject == "Hello" && kept.state == .failed)
      #expect(try kept.body.flatMap(bench.inbox.text) == "the text")
      let operation = try #require(try bench.inbox.openOperations().first)
      #expect(operation.state == .rejected && operation.reason == .invalid)
      #expect(try bench.inbox.store.refused().isEmpty)
    }
  }

  /// A server that ignores keys has to know what it may have done already.
  @Test func request_saysWhetherItWasTriedBefore() async throws {
    try await Bench.with { bench in
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      let (id, request) = try #require(try await bench.sent().first)
      #expect(request.parts.map(\.wasTriedBefore) == [false])
      try await bench.take(.performed(id, .failure(ServerFailure(.lostAnswer))))
      try await bench.take(.online(false))
      let again = try await bench.sent(.online(true))
      #expect(again.flatMap(\.request.parts).map(\.wasTriedBefore) == [true])
    }
  }

  /// A mailbox that replaces a letter with each saving may report that before it answers.
  @Test(arguments: [false, true])
  func draftThatIsGoneBeforeTheAnswer_staysOne(_ isNewToldFirst: Bool) async throws {
    try await Bench.with { bench in
      let inbox = bench.inbox
      try await inbox.apply(Delivery { $0.add(Draft(id: "d1", account: 0), body: "old") })
      let draft = try #require(try inbox.object(Draft.self, "d1"))
      try await inbox.perform(.save(draft, body: "new"))
      let (id, request) = try #require(try await bench.sent().first)
      try await inbox.apply(
        Delivery { delivery in
          if isNewToldFirst { delivery.add(Draft(id: "d2", account: 0), body: "new") }
          delivery.delete(Draft.self, "d1")
        })
      let done = request.parts.map { _ in PartOutcome.done(newID: "d2") }
      try await bench.take(.performed(id, .success(Settlement(done))))
      try await inbox.apply(Delivery { $0.add(Draft(id: "d2", account: 0), body: "new") })
      let drafts = Array(try inbox.provider(Draft.self).start.list)
      #expect(drafts.count == 1 && drafts.first?.state == .unsent)
      #expect(try drafts.first?.body.flatMap(inbox.text) == "new")
      let found = try ["d1", "d2"].map { try inbox.object(Draft.self, $0)?.id }
      #expect(found == ["d1", "d1"])
      #expect(try inbox.openOperations().isEmpty)
      #expect(try inbox.store.refused().isEmpty)
    }
  }

  /// A message's own id is one that other programs accept.
  @Test(arguments: [
    ("bob@example.com", "example.com"), ("bob@münchen.de", "tideline.invalid"),
    (nil, "tideline.invalid"), ("@", "tideline.invalid"),
  ])
  func message_isSentUnderAnIDWithADomain(_ sender: String?, _ domain: String) async throws {
    try await TestDesk.withInbox { inbox, _ in
      var draft = Draft(id: inbox.newID(), account: inbox.account)
      draft.from = sender.map { [Participant(email: $0)] } ?? []
      try await inbox.perform(.save(draft))
      let number = try await inbox.perform(.send(draft)).number
      let record = try #require(try inbox.store.core.log.record(number))
      let id = try #require((try EventCatalog.event(of: record) as? SendDraft)?.messageID)
      #expect(id.wholeMatch(of: /<[0-9a-z]+\.[0-9a-z]+@([a-z.]+)>/)?.1 == domain[...])
    }
  }
}
