import EventStore
import Foundation
import TestSupport
import Testing
import Tideline
import TidelineHTTP
import TidelineSync

/// Requests to an Inbox API, byte by byte.
@Suite struct InboxAPITests {
  private let api = InboxAPI(namespace: "n 1")
  private let key = OperationKey(low: 1, high: 0xABCD)

  private func check(_ request: HTTPRequest?, _ expected: String) {
    #expect(line(request) == expected)
  }

  private func line(_ request: HTTPRequest?) -> String {
    let body = request?.body.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""
    return "\(request?.method ?? "") \(request?.path ?? "")\(body)"
  }

  @Test func questions_areTheServers() {
    check(api.deltas(since: "a/1&"), "GET /n/n%201/delta?cursor=a%2F1%26")
    check(api.deltas(since: "0", limit: 5), "GET /n/n%201/delta?cursor=0&limit=5")
    let bare = InboxAPI()
    check(bare.longDeltas(since: "0", seconds: 9), "GET /delta/longpoll?cursor=0&timeout=9")
    check(bare.stream(since: "é"), "GET /delta/streaming?cursor=%C3%A9")
    check(bare.cursor(before: 1_400_000_000), #"POST /delta/generate_cursor {"start":1400000000}"#)
    check(bare.latestCursor(), "POST /delta/latest_cursor")
    check(bare.list(.thread, offset: 50, limit: 9999), "GET /threads?offset=50&limit=1000")
    check(bare.object(.draft, "a/../b"), "GET /drafts/a%2F..%2Fb")
    #expect(bare.list(.rich, limit: 1) == nil && bare.object(.other, "1") == nil)
  }

  /// The API's times are whole seconds, rounded so that nothing meant is left out.
  @Test(.feature(14)) func filters_areParameters() {
    let bare = InboxAPI()
    let (since, until) = (
      Date(timeIntervalSince1970: 1.4e9 + 0.5), Date(timeIntervalSince1970: 2e9)
    )
    check(
      bare.list(
        .thread,
        by: [
          .tag("a&b"), .unread(true), .starred(false), .address(["a@x.com", "b@x.com"]),
          .since(since), .until(until),
        ], limit: 50),
      "GET /threads?tag=a%26b&unread=true&starred=false&any_email=a%40x.com%2Cb%40x.com"
        + "&last_message_after=1400000000&last_message_before=2000000001&offset=0&limit=50")
    check(
      bare.list(
        .message, by: [.thread("t"), .unread(false), .since(until), .until(since)], offset: 5,
        limit: 9),
      "GET /messages?thread_id=t&unread=false&received_after=1999999999"
        + "&received_before=1400000000&offset=5&limit=9")
    check(bare.list(.thread, by: [.since(.distantPast)], limit: 1), "GET /threads?offset=0&limit=1")
    check(
      bare.list(.message, by: [.until(.distantFuture)], limit: 1),
      "GET /messages?received_before=64092211200&offset=0&limit=1")
  }

  @Test func changes_areTheServers() throws {
    let tags = api.changeTags(ofThread: "t1", adding: ["archive"], removing: ["inbox", "unread"])
    #expect(
      line(tags)
        == #"PUT /n/n%201/threads/t1 {"remove_tags":["inbox","unread"],"add_tags":["archive"]}"#)
    #expect(tags.headers == [.init("Content-Type", "application/json")])
    check(api.mark(message: "m", isUnread: false), #"PUT /n/n%201/messages/m {"unread":false}"#)
    check(
      api.change(message: "m", adding: ["starred"], removing: ["unread"]),
      #"PUT /n/n%201/messages/m {"unread":false,"starred":true}"#)
    #expect(api.change(message: "m", adding: ["starred"], removing: ["inbox"]) == nil)
    check(api.send(draft: "d1", version: 2), #"POST /n/n%201/send {"draft_id":"d1","version":2}"#)
    check(api.delete(.draft, "d1", version: 0), #"DELETE /n/n%201/drafts/d1 {"version":0}"#)
    check(api.delete(.message, "m", version: 1), "DELETE /n/n%201/messages/m")
    #expect(api.delete(.rich, "r") == nil)
    check(api.save(tag: nil, name: "a\"b"), #"POST /n/n%201/tags {"name":"a\"b"}"#)
    check(api.save(tag: "t", name: "x"), #"PUT /n/n%201/tags/t {"name":"x"}"#)
  }

  @Test func drafts_areSavedAsTheySay() {
    var draft = Draft(id: "local-00", account: 1)
    draft.subject = "Hi"
    draft.to = [Participant(name: "A", email: "a@x"), Participant(email: "b@x")]
    draft.fileIDs = ["f2", "f1"]
    let ends = #""to":[{"name":"A","email":"a@x"},{"email":"b@x"}],"cc":[],"bcc":[],"#
    let body =
      #""subject":"Hi","body":"<p>","from":[],"reply_to":[],\#(ends)"file_ids":["f1","f2"]"#
    check(api.save(draft, text: "<p>"), "POST /n/n%201/drafts {\(body)}")
    check(
      api.save(draft, text: "<p>", "d1", version: 7),
      "PUT /n/n%201/drafts/d1 {\(body),\"version\":7}")
  }

  /// Saving leaves fields unknown to the device unchanged, and empties those emptied on the device.
  @Test func drafts_areSavedAsFarAsTheyAreKnown() throws {
    var draft = Draft(id: "d", account: 1)
    check(
      api.save(draft, text: nil, "d", version: 1),
      #"PUT /n/n%201/drafts/d {"subject":null,"body":null,"from":[],"reply_to":[],"to":[],"#
        + #""cc":[],"bcc":[],"file_ids":[],"version":1}"#)
    draft.known = 0
    draft.threadID = "t"
    draft.replyToMessageID = "m"
    check(
      api.save(draft, text: nil, "d"),
      #"PUT /n/n%201/drafts/d {"thread_id":"t","reply_to_message_id":"m"}"#)
    // Fields with a value were written here, whatever the server has sent.
    (draft.subject, draft.cc, draft.fileIDs) = ("S", [Participant(email: "c@x")], ["f"])
    (draft.threadID, draft.replyToMessageID) = (nil, nil)
    check(
      api.save(draft, text: "T"),
      #"POST /n/n%201/drafts {"subject":"S","body":"T","cc":[{"email":"c@x"}],"#
        + #""file_ids":["f"]}"#)
  }

  /// A saved draft is read back unchanged.
  @Test func draft_saved_isReadAsTheSame() throws {
    var draft = Draft(id: "d1", account: 1)
    draft.subject = "“Hi”\n\u{1}\\"
    draft.from = [Participant(name: "A", email: "a@x")]
    draft.bcc = [Participant(email: "b@x")]
    draft.fileIDs = ["f1", "f2"]
    let text = "<p class=\"a\">日本😀</p>"
    let body = try #require(api.save(draft, text: text, "d1", version: 3).body)
    let answered = #"{"id":"d1","# + String(decoding: body, as: UTF8.self).dropFirst()
    let expected = ObjectFields {
      $0.put(.id, "d1")
      $0.put(.version, 3)
      $0.put(.subject, "“Hi”\n\u{1}\\")
      $0.put(.body, text)
      $0.put(.from, [ObjectPerson(name: "A", email: "a@x")])
      for field in [ObjectField.replyTo, .to, .cc] { $0.put(field, [ObjectPerson]()) }
      $0.put(.bcc, [ObjectPerson(email: "b@x")])
      $0.put(.fileIDs, ["f1", "f2"])
    }
    #expect(try Reading.fact(answered, .draft) == ObjectFact(.draft, expected))
  }

  @Test func file_isAForm() throws {
    let request = api.upload(
      Array("a\r\n--b".utf8), named: "a\"\r\nb.txt", type: "text/plain", key: key)
    let boundary = "tideline-0100000000000000cdab000000000000"
    #expect(
      request.headers == [.init("Content-Type", "multipart/form-data; boundary=\(boundary)")])
    let expected = [
      "--\(boundary)", "Content-Disposition: form-data; name=\"file\"; filename=\"a%22 b.txt\"",
      "Content-Type: text/plain", "", "a", "--b", "--\(boundary)--", "",
    ].joined(separator: "\r\n")
    check(request, "POST /n/n%201/files \(expected)")
    // A mark is one character with the quote before it.
    let marked = api.upload([1], named: "a\"\u{301}b", type: nil, key: key)
    #expect(
      String(decoding: marked.body ?? [], as: UTF8.self).unicodeScalars
        .contains("filename=\"a%22\u{301}b\"\r\n".unicodeScalars))
    // A retry sends the same bytes.
    #expect(
      api.upload([1], named: "a", type: nil, key: key)
        == api.upload([1], named: "a", type: nil, key: key))
  }
}
