import EventStore
import Testing
import Tideline
import TidelineHTTP
import TidelineSimulator

/// Drafts, and what happens to them.
@Suite struct DraftRouteTests {
  private let counter = Counter()

  private var lunch: Draft {
    var draft = Draft(id: "local-1", account: 0)
    draft.subject = "Lunch"
    draft.to = [Participant(name: "Ann", email: "ann@x.com")]
    draft.cc = [Participant(email: "bob@x.com")]
    return draft
  }

  private func made() throws -> ObjectFields {
    try counter.object(counter.ask(counter.api.save(lunch, text: "Shall we?")), .draft)
  }

  @Test func draft_isMade_andSaved() throws {
    let draft = try made()
    let id = try #require(draft.id)
    #expect(draft.integer(.version) == 0 && draft.text(.subject) == "Lunch")
    #expect(draft.people(.to) == [ObjectPerson(name: "Ann", email: "ann@x.com")])
    #expect(draft.people(.cc) == [ObjectPerson(email: "bob@x.com")])
    let saved = try counter.object(
      counter.send("PUT", "/drafts/\(id)", #"{"version": 0, "body": "Dinner?", "cc": []}"#), .draft)
    #expect(saved.id == id && saved.integer(.version) == 1 && saved.text(.subject) == "Lunch")
    #expect(saved.text(.body) == "Dinner?" && saved.people(.cc)?.isEmpty != false)
    #expect(saved.people(.to) == draft.people(.to) && saved.text(.thread) == draft.text(.thread))
    #expect(try counter.list(.draft).map(\.fields.id) == [id])
    #expect(try counter.list(.message).isEmpty)
  }

  @Test func draft_ofAnotherVersion_isNotTouched() throws {
    let id = try #require(try made().id)
    for (body, status) in [("{}", 400), (#"{"version": 5}"#, 409), (#"{"version": "0"}"#, 400)] {
      #expect(counter.send("PUT", "/drafts/\(id)", body).status == status)
      #expect(counter.send("DELETE", "/drafts/\(id)", body).status == status)
    }
    #expect(counter.send("POST", "/send", #"{"draft_id": "\#(id)", "version": 5}"#).status == 409)
    #expect(counter.mail.message(id)?.isDraft == true && counter.mail.message(id)?.version == 0)
    #expect(counter.send("PUT", "/drafts/none", #"{"version": 0}"#).status == 404)
  }

  @Test func draft_isDeleted_withItsThread() throws {
    let draft = try made()
    let id = try #require(draft.id)
    let cursor = try counter.cursor()
    let request = try #require(counter.api.delete(.draft, id, version: 0))
    #expect(counter.ask(request).status == 200)
    #expect(try counter.list(.draft).isEmpty && counter.list(.thread).isEmpty)
    #expect(
      try counter.deltas(since: cursor).items.facts.map(\.short)
        == ["deleted draft \(id)", "deleted thread \(draft.text(.thread) ?? "")"])
  }

  @Test func draft_thatIsSent_isAMessageOfTheSameID() throws {
    let id = try #require(try made().id)
    let (cursor, answer) = (
      try counter.cursor(), counter.ask(counter.api.send(draft: id, version: 0))
    )
    #expect(try counter.object(answer, .message).id == id)
    #expect(try counter.list(.draft).isEmpty)
    #expect(try counter.list(.message).map(\.fields.id) == [id])
    #expect(counter.get("/drafts/\(id)").status == 404)
    let told = try counter.deltas(since: cursor).items.facts.map(\.short)
    #expect(told.first == "changed message \(id)" && !told.contains { $0.hasPrefix("deleted") })
    #expect(counter.ask(counter.api.send(draft: id, version: 0)).status == 404)
  }

  @Test func message_isSentWhole() throws {
    let body = #"{"subject": "Hi", "body": "Ho", "to": [{"email": "a@x.com"}]}"#
    let sent = try counter.object(counter.send("POST", "/send", body), .message)
    #expect(sent.text(.body) == "Ho" && sent.people(.to)?.map(\.email) == ["a@x.com"])
    #expect(counter.send("POST", "/send", #"{"subject": "to nobody"}"#).status == 400)
    for people in [#"[{}]"#, #""a@x.com""#, #"["a@x.com"]"#] {
      #expect(counter.send("POST", "/drafts", #"{"to": \#(people)}"#).status == 400)
    }
    let two = #"{"from": [{"email": "a@x.com"}, {"email": "b@x.com"}]}"#
    #expect(counter.send("POST", "/drafts", two).status == 400)
  }
}
