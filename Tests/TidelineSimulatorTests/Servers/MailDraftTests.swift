import Testing
import Tideline
import TidelineSimulator
import TidelineSync

@Suite struct MailDraftTests {
  @Test func draft_isSavedByItsVersion() throws {
    let desk = Desk()
    let id = try desk.draft("one")
    let second = ServerRequest.Wanted.draft(desk.content("two"), isNew: false)
    #expect(failure { try desk.perform(.draft, id, second, text: "two") } == .invalid)
    #expect(try desk.perform(.draft, id, second, version: 0, text: "two") == .done(version: 1))
    #expect(failure { try desk.perform(.draft, id, second, version: 0) } == .conflict)
    #expect(desk.server.message(id)?.text == "two")
  }

  @Test func draft_madeTwiceWithAKey_isOne() throws {
    let desk = Desk()
    let first = try desk.draft("one", key: 3)
    #expect(try desk.draft("one", key: 3) == first)
    #expect(try desk.draft("one", key: 4) != first)
  }

  @Test func sentDraft_isAMessageOfTheSameID() throws {
    let desk = Desk()
    let id = try desk.draft("one")
    let cursor = try desk.cursor()
    _ = try desk.perform(.draft, id, .sending(messageID: "<1@x>"), version: 0)
    let facts = try desk.changes(since: cursor).facts
    #expect(facts.first?.short == "changed message \(id)")
    #expect(!facts.contains { $0.fields.change == .deleted })
    #expect(try desk.ask(.sent(messageID: "<1@x>", id: id)).facts.first?.fields.id == id)
    #expect(try desk.ask(.sent(messageID: "<2@x>", id: id)).facts.isEmpty)
    #expect(
      failure { try desk.perform(.draft, id, .sending(messageID: "<1@x>"), version: 0) }
        == .notFound, "it is no draft any more")
  }

  @Test func draftWithoutRecipients_isNotSent() throws {
    let desk = Desk()
    let id = try desk.draft("one", to: [])
    #expect(
      failure { try desk.perform(.draft, id, .sending(messageID: nil), version: 0) } == .invalid)
  }

  @Test func deletedDraft_takesItsThread() throws {
    let desk = Desk()
    let id = try desk.draft("one")
    let thread = desk.server.message(id)?.thread ?? ""
    #expect(failure { try desk.perform(.draft, id, .deletion, version: 5) } == .conflict)
    _ = try desk.perform(.draft, id, .deletion, version: 0)
    #expect(desk.server.message(id) == nil && desk.server.thread(thread) == nil)
  }
}
