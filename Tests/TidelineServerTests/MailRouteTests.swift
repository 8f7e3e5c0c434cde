import EventStore
import Foundation
import TestSupport
import Testing
import Tideline
import TidelineHTTP
import TidelineServer
import TidelineSimulator
import TidelineSync

/// The answers of the Inbox API's routes, without sockets.
@Suite struct MailRouteTests {
  private let counter = Counter()

  @Test func lists_haveTheNewestFirst_andAreCut() throws {
    let ids = counter.receive(150).messages
    #expect(try counter.list(.message).map(\.fields.id) == ids.reversed())
    #expect(try counter.objects(counter.get("/messages"), .message).count == 100)
    let page = try counter.list(.message, offset: 140, limit: 20)
    #expect(page.map(\.fields.id) == ids.prefix(10).reversed())
    #expect(try counter.list(.message, limit: 0).isEmpty)
    #expect(counter.get("/messages?view=count").text == #"{"count":150}"#)
    #expect(counter.get("/messages?view=ids&limit=2").text == "[\"\(ids[149])\",\"\(ids[148])\"]")
    #expect(try counter.list(.thread).count == 1 && counter.list(.tag).count == 9)
  }

  @Test(arguments: [
    ("GET", "/threads?colour=red"), ("GET", "/messages/m1?colour=red"),
    ("GET", "/files/f1/download?colour=red"), ("PUT", "/threads/t1?colour=red"),
    ("POST", "/drafts?view=ids"), ("DELETE", "/drafts/m1?version=1"),
    ("GET", "/inbox/messages?colour=red"), ("POST", "/inbox/status?colour=red"),
  ])
  func parameter_thatIsNotKnown(method: String, path: String) {
    let answer = counter.send(method, path, "{}")
    #expect(answer.status == 400)
    #expect(answer.error?.hasPrefix("Unexpected parameter: ") == true, "\(answer.text)")
  }

  @Test(.feature(14)) func lists_areFiltered() throws {
    let (old, new) = (counter.receive(3), counter.receive(2))
    let date = { [counter] (id: String) in
      Date(kept: counter.mail.message(id)?.date ?? Timestamp(rawValue: 0))
    }
    func ids(_ objectClass: ObjectClass, _ filters: ServerFilter...) throws -> Set<String> {
      let request = try #require(counter.api.list(objectClass, by: filters, limit: 99))
      let facts = try counter.objects(counter.ask(request), objectClass)
      // The played server answers the same question as the one over HTTP.
      let question = Question.list(objectClass, by: filters, offset: 0, limit: 99)
      let played = try counter.mail.answer(question, token: counter.mail.token).facts
      #expect(Set(played.map(\.fields.id)) == Set(facts.map(\.fields.id)))
      return Set(facts.compactMap(\.fields.id))
    }
    #expect(try ids(.thread, .unread(true)) == [old.thread, new.thread])
    #expect(
      counter.send("PUT", "/threads/\(old.thread)", #"{"remove_tags":["unread"]}"#).status == 200)
    #expect(try ids(.thread, .unread(true)) == [new.thread])
    #expect(try ids(.thread, .unread(false), .tag("inbox")) == [old.thread])
    #expect(try ids(.thread, .tag("none")).isEmpty)
    #expect(try ids(.thread, .address(["c@x.com", "A@x.com"])) == [old.thread, new.thread])
    #expect(try ids(.thread, .address(["c@x.com"])).isEmpty)
    #expect(try ids(.thread, .since(date(new.messages[0]))) == [new.thread])
    #expect(try ids(.thread, .until(date(old.messages[2]))) == [old.thread])
    #expect(try ids(.message, .thread(new.thread)) == Set(new.messages))
    let (first, last) = (date(old.messages[1]), date(new.messages[0]))
    #expect(
      try ids(.message, .since(first), .until(last))
        == [old.messages[1], old.messages[2], new.messages[0]])
    #expect(try ids(.message, .starred(true)).isEmpty)
  }

  @Test(arguments: ["contacts", "files", "drafts", "threads", "messages"])
  func lists_mayBeEmpty(word: String) {
    #expect(counter.get("/\(word)").text == "[]")
    #expect(counter.get("/n/any/\(word)?limit=5&offset=0").text == "[]")
  }

  @Test(arguments: [
    "/messages?limit=1001", "/messages?limit=-1", "/messages?limit=a", "/threads?offset=-1",
    "/threads?colour=red", "/threads?view=some", "/threads/a?limit=1", "/threads?limit=%FF",
    "/threads?unread=maybe", "/messages?tag=inbox", "/tags?unread=true",
    "/threads?last_message_after=x", "/delta?limit=1", "/delta?cursor=c1&colour=red",
    "/delta?cursor=c1&limit=0",
    "/delta?cursor=c1&exclude_folders=no", "/delta?cursor=c1&include_types=star",
    "/delta?cursor=c1&include_types=tag&exclude_types=file",
  ])
  func nonsense_isRefused(path: String) {
    let answer = counter.get(path)
    #expect(answer.status == 400, "\(answer.text)")
    #expect(ServerError(answer.body).type == "invalid_request_error")
    #expect(answer.headers["content-type"] == "application/json")
  }

  @Test(arguments: [
    ("GET", "/", 404), ("GET", "/stars", 404), ("GET", "/threads/none", 404),
    ("GET", "/threads/a/b", 404), ("PUT", "/contacts/a", 405), ("POST", "/messages", 405),
    ("DELETE", "/threads/a", 404), ("DELETE", "/files/a", 405), ("PATCH", "/drafts/a", 405),
    ("POST", "/stars", 404),
    ("POST", "/drafts/a/b", 404), ("GET", "/files/none/download", 404), ("PUT", "/send", 405),
  ])
  func paths_thatLeadNowhere(method: String, path: String, status: Int) {
    #expect(counter.send(method, path, "{}").status == status)
  }

  @Test(arguments: [nil, "other"])
  func stranger_isAskedWhoItIs(token: String?) {
    counter.token = token
    for path in ["/threads", "/n/1/delta?cursor=0", "/inbox/messages"] {
      let answer = counter.get(path)
      #expect(answer.status == 401, "\(path)")
      #expect(answer.headers["www-authenticate"]?.hasPrefix("Basic ") == true)
    }
  }

  @Test func basicName_isTheToken() {
    counter.token = nil
    let request = HTTPRequest(
      "GET", "/threads", headers: [.init("authorization", "basic bWFpbDo=")])
    #expect(counter.ask(request).status == 200)
  }

  @Test func tags_areTakenAwayFirst() throws {
    let (thread, _) = counter.receive(2)
    let request = counter.api.changeTags(
      ofThread: thread, adding: ["archive"], removing: ["inbox", "unread"])
    let fields = try counter.object(counter.ask(request), .thread)
    #expect(fields.labels(.tags)?.map(\.id) == ["archive"])
    #expect(try counter.list(.message).allSatisfy { $0.fields.boolean(.isUnread) == false })
    let both = #"{"add_tags": ["Archive"], "remove_tags": ["archive"]}"#
    let kept = try counter.object(counter.send("PUT", "/threads/\(thread)", both), .thread)
    #expect(kept.labels(.tags)?.map(\.id) == ["archive"])
    #expect(kept.integer(.version) == fields.integer(.version).map { $0 + 1 })
  }

  @Test(arguments: [
    (#"{"add_tags": ["none"]}"#, 404), (#"{"add_tags": "inbox"}"#, 400),
    (#"{"add_tags": [1]}"#, 400), (#"{"add": []}"#, 400), ("[]", 400), ("", 400),
    (#"{"add_tags": ["unseen"]}"#, 400), (#"{"remove_tags": [], "version": 77}"#, 409),
  ])
  func tags_thatMakeNoSense(body: String, status: Int) {
    let (thread, _) = counter.receive()
    #expect(counter.send("PUT", "/threads/\(thread)", body).status == status)
    #expect(counter.mail.thread(thread)?.tags == ["inbox", "unread", "unseen"])
  }

  @Test func message_isRead_andSoIsItsThread() throws {
    let (thread, messages) = counter.receive()
    let answer = counter.ask(counter.api.mark(message: messages[0], isUnread: false))
    #expect(try counter.object(answer, .message).boolean(.isUnread) == false)
    #expect(counter.mail.thread(thread)?.tags == ["inbox"])
    for isStarred in [true, false] {
      let request = counter.api.mark(message: messages[0], isStarred: isStarred)
      let fields = try counter.object(counter.ask(request), .message)
      #expect(fields.boolean(.isStarred) == isStarred && fields.boolean(.isUnread) == false)
    }
    for body in ["{}", #"{"unread": 1}"#, #"{"unread": true, "colour": "red"}"#] {
      #expect(counter.send("PUT", "/messages/\(messages[0])", body).status == 400)
    }
  }

  @Test(arguments: [true, false]) func mail_isDeleted_whereTheServerCan(can: Bool) throws {
    let counter = Counter { $0.deletes = can }
    let (thread, messages) = counter.receive(2)
    let cursor = try counter.cursor()
    let request = try #require(counter.api.delete(.message, messages[0]))
    #expect(counter.ask(request).status == (can ? 200 : 501))
    #expect(try counter.list(.message).count == (can ? 1 : 2))
    let whole = try #require(counter.api.delete(.thread, thread))
    #expect(counter.ask(whole).status == (can ? 200 : 501))
    #expect(try counter.list(.thread).count == (can ? 0 : 1))
    #expect(try counter.deltas(since: cursor).items.count == (can ? 3 : 0))
  }

  @Test func tag_isMade_renamed_andUnique() throws {
    let made = try counter.object(counter.ask(counter.api.save(tag: nil, name: "Work")), .tag)
    let id = try #require(made.id)
    #expect(made.text(.name) == "work" && made.boolean(.isReadOnly) == false)
    let (thread, _) = counter.receive()
    _ = counter.ask(counter.api.changeTags(ofThread: thread, adding: ["work"], removing: []))
    #expect(try counter.list(.thread).first?.fields.labels(.tags)?.contains { $0.id == id } == true)
    #expect(try counter.object(counter.ask(counter.api.save(tag: id, name: "Job")), .tag).id == id)
    // The thread shows the tag's new name too, although nothing else in it has changed.
    let names = try counter.list(.thread).first?.fields.labels(.tags)?.map(\.name)
    #expect(names?.contains("job") == true)
    #expect(counter.ask(counter.api.save(tag: nil, name: "JOB")).status == 409)
    #expect(counter.ask(counter.api.save(tag: "inbox", name: "mine")).status == 400)
    #expect(counter.send("POST", "/tags", "{}").status == 400)
    let statuses = [id, id, "inbox"].map { counter.send("DELETE", "/tags/\($0)", "").status }
    #expect(statuses == [200, 404, 400])
    #expect(try counter.list(.tag).allSatisfy { $0.fields.id != id })
    let tags = try counter.list(.thread).first?.fields.labels(.tags)?.map(\.id)
    #expect(tags?.contains(id) == false)
  }

  @Test func file_isKept_andDownloaded() throws {
    let content = Array("a\r\n--b\u{0}".utf8) + [0xFF]
    let key = OperationKey(low: 1, high: 2)
    let answer = counter.ask(
      counter.api.upload(content, named: "a; \"b\".txt", type: "text/plain", key: key))
    let file = try counter.object(answer, .file)
    #expect(answer.text.hasPrefix("["))
    #expect(file.text(.filename) == "a; \"b\".txt" && file.text(.contentType) == "text/plain")
    #expect(file.integer(.size) == Int64(content.count))
    let id = try #require(file.id)
    let download = counter.get("/files/\(id)/download")
    #expect(download.body == content && download.headers["content-type"] == "text/plain")
    #expect(try counter.list(.file).map(\.fields.id) == [id])
    #expect(counter.send("POST", "/files", "{}").status == 400)
    let empty = HTTPRequest(
      "POST", "/files", headers: [.init("Content-Type", "multipart/form-data; boundary=a")],
      body: Array("--a\r\n\r\nx\r\n--a--".utf8))
    #expect(counter.ask(empty).status == 400)
  }

  @Test func request_withTheSameKey_isDoneOnce() throws {
    let key = HTTPRequest.Header("Idempotency-Key", "00000000000000010000000000000002")
    var request = counter.api.save(tag: nil, name: "work")
    request.headers.append(key)
    let first = try counter.object(counter.ask(request), .tag)
    #expect(try counter.object(counter.ask(request), .tag) == first)
  }
}
