import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing
import Tideline
import TidelineHTTP
import TidelineSync

/// Operations on an Inbox API, as the bytes sent, and their outcomes by the bytes received.
@Suite struct InboxServerPartsTests {
  /// An operation on an object, its request, the answer, and the outcome that follows from it.
  struct Case: Sendable, CustomTestStringConvertible {
    let wanted: ServerRequest.Wanted
    let objectClass: ObjectClass
    let id: String
    var version: Int64?
    let request: String
    let answer: String
    let outcome: PartOutcome
    var told: [ObjectClass] = []

    var testDescription: String { request }
  }

  private static let draft: Draft = {
    var draft = Draft(id: "local-1", account: 1)
    draft.known = 0
    draft.threadID = "t1"
    return draft
  }()

  private static let file: Tideline.Attachment = {
    var file = Tideline.Attachment(id: "local-2", account: 1)
    file.filename = "a.txt"
    return file
  }()

  private static let cases: [Case] = [
    Case(
      wanted: .read(true), objectClass: .message, id: "m1",
      request: #"PUT /messages/m1 {"unread":false}"#,
      answer: #"{"id":"m1","object":"message","unread":false}"#, outcome: .done(),
      told: [.message]),
    Case(
      wanted: .read(false), objectClass: .message, id: "m1",
      request: #"PUT /messages/m1 {"unread":true}"#, answer: "", outcome: .done()),
    Case(
      wanted: .read(true), objectClass: .thread, id: "t1",
      request: #"PUT /threads/t1 {"remove_tags":["unread","unseen"],"add_tags":[]}"#,
      answer: #"{"id":"t1","object":"thread","version":4}"#, outcome: .done(version: 4),
      told: [.thread]),
    Case(
      wanted: .read(false), objectClass: .thread, id: "t1",
      request: #"PUT /threads/t1 {"remove_tags":[],"add_tags":["unread"]}"#, answer: "null",
      outcome: .done()),
    Case(
      wanted: .tags(added: ["b", "a"], removed: ["inbox"]), objectClass: .thread, id: "t1",
      version: 3, request: #"PUT /threads/t1 {"remove_tags":["inbox"],"add_tags":["a","b"]}"#,
      answer: "{}", outcome: .done()),
    Case(
      wanted: .tags(added: ["starred"], removed: []), objectClass: .message, id: "m1",
      request: #"PUT /messages/m1 {"starred":true}"#, answer: #"{"id":"m2"}"#, outcome: .done(),
      told: [.message]),
    Case(
      wanted: .deletion, objectClass: .message, id: "m1", request: "DELETE /messages/m1",
      answer: "null\n", outcome: .done()),
    Case(
      wanted: .deletion, objectClass: .tag, id: "g1", request: "DELETE /tags/g1",
      answer: "null", outcome: .done()),
    Case(
      wanted: .deletion, objectClass: .draft, id: "d1", version: 2,
      request: #"DELETE /drafts/d1 {"version":2}"#, answer: #"{"id":"d1"}"#, outcome: .done()),
    Case(
      wanted: .deletion, objectClass: .draft, id: "d1", request: "DELETE /drafts/d1 {}",
      answer: "", outcome: .done()),
    Case(
      wanted: .draft(draft, isNew: true), objectClass: .draft, id: "local-1",
      request: #"POST /drafts {"body":"<p>","thread_id":"t1"}"#,
      answer: #"{"id":"d1","object":"draft","version":0}"#,
      outcome: .done(version: 0, newID: "d1"), told: [.draft]),
    Case(
      wanted: .draft(draft, isNew: false), objectClass: .draft, id: "d1", version: 0,
      request: #"PUT /drafts/d1 {"body":"<p>","thread_id":"t1","version":0}"#,
      answer: #"{"id":"d1","object":"draft","version":1}"#, outcome: .done(version: 1),
      told: [.draft]),
    // Older servers gave a draft another id each time it was saved.
    Case(
      wanted: .draft(draft, isNew: false), objectClass: .draft, id: "d1", version: 0,
      request: #"PUT /drafts/d1 {"body":"<p>","thread_id":"t1","version":0}"#,
      answer: #"{"id":"d2","object":"draft","version":0}"#,
      outcome: .done(version: 0, newID: "d2"), told: [.draft]),
    Case(
      wanted: .sending(messageID: "x"), objectClass: .draft, id: "d1", version: 1,
      request: #"POST /send {"draft_id":"d1","version":1}"#,
      answer: #"{"id":"d1","object":"message","subject":"Hi"}"#, outcome: .done(),
      told: [.message]),
    Case(
      wanted: .tag(name: "Work", isNew: true), objectClass: .tag, id: "local-3",
      request: #"POST /tags {"name":"Work"}"#, answer: #"{"id":"g1","name":"work"}"#,
      outcome: .done(newID: "g1"), told: [.tag]),
    Case(
      wanted: .tag(name: "work", isNew: false), objectClass: .tag, id: "g1",
      request: #"PUT /tags/g1 {"name":"work"}"#, answer: #"{"id":"g1","name":"work"}"#,
      outcome: .done(), told: [.tag]),
    Case(
      wanted: .file(file, path: "/tmp/a"), objectClass: .file, id: "local-2",
      request: "POST /files", answer: #"[{"id":"f1","object":"file","size":2}]"#,
      outcome: .done(newID: "f1"), told: [.file]),
  ]

  private func server(_ client: PlayedClient) -> InboxServer {
    var options = InboxServer.Options()
    options.content = { path in Array("in \(path)".utf8) }
    return InboxServer(Courier(client, .bearer), options)
  }

  @Test(.defect(.inboxKit, 3, 10), arguments: cases) func part_isARequest_andItsAnswerAnOutcome(
    _ given: Case
  ) async throws {
    let line = given.request.split(separator: " ").prefix(2).joined(separator: " ")
    let client = PlayedClient([line: [.json(given.answer)]])
    let settlement = try await server(client).outcome(
      of: given.wanted, given.objectClass, given.id, version: given.version, text: "<p>"
    ).get()
    #expect(settlement.outcomes == [given.outcome] && settlement.status == 200)
    #expect(settlement.facts.map(\.objectClass) == given.told)
    let request = try #require(client.requests.first)
    #expect(client.requests.count == 1)
    if given.objectClass != .file { #expect(request.line == given.request) }
    #expect(
      request.headers.suffix(2) == [
        .init("Idempotency-Key", "01000000000000000200000000000000"),
        .init("Authorization", "Bearer t"),
      ])
  }

  @Test(.feature(60)) func upload_hasTheContentOfTheFile() async throws {
    let client = PlayedClient(["POST /files": [.json(#"[{"id":"f1"}]"#)]])
    _ = try await server(client).outcome(of: .file(Self.file, path: "/a"), .file, "local-2").get()
    let body = String(decoding: try #require(client.requests.first?.body), as: UTF8.self)
    #expect(body.contains("filename=\"a.txt\"\r\n") && body.contains("\r\n\r\nin /a\r\n--"))
  }

  @Test(.feature(60)) func upload_tellsHowMuchOfTheFileWasSent() async throws {
    let client = PlayedClient(["POST /files": [.json(#"[{"id":"f1"}]"#)]])
    let file = ServerRequest.Wanted.file(Self.file, path: "/a")
    var request = ServerRequest([ServerRequest.Part(.file, "local-2", file, version: nil)])
    let told = Mutex<[[Int64]]>([])
    request.onProgress = { sent, total in told.withLock { $0.append([sent, total]) } }
    _ = try await server(client).perform(request, token: nil)
    #expect(told.withLock(\.self) == [[0, 5], [0, 5], [5, 5]])
  }

  @Test func file_withoutContent_isNotSent() async {
    let client = PlayedClient([:])
    #expect(
      await server(client).outcome(of: .file(Self.file, path: nil), .file, "f").reason == .invalid)
    var options = InboxServer.Options()
    options.content = { _ in throw HTTPFailure.notSent }
    let locked = InboxServer(Courier(client, .bearer), options)
    #expect(
      await locked.outcome(of: .file(Self.file, path: "/a"), .file, "f").reason == .unreadable)
    #expect(client.requests.isEmpty)
  }

  /// Sending a file takes several times its size in memory.
  @Test(.feature(60)) func file_thatIsTooLarge_isNotSent() async throws {
    let client = PlayedClient([:])
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/large"
    try #require(FileManager.default.createFile(atPath: path, contents: nil))
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.truncate(atOffset: UInt64(WireLimits.fileBytes) + 1)
    let server = InboxServer(Courier(client, .bearer))
    let wanted = ServerRequest.Wanted.file(Self.file, path: path)
    #expect(await server.outcome(of: wanted, .file, "f").reason == .tooLarge)
    #expect(client.requests.isEmpty)
  }

  /// A missing file isn't looked for again and again.
  @Test func file_thatIsGone_isGivenUp() async {
    let client = PlayedClient([:])
    let server = InboxServer(Courier(client, .bearer))
    let missing = ServerRequest.Wanted.file(Self.file, path: "/no folder/no file")
    #expect(await server.outcome(of: missing, .file, "f").reason == .invalid)
    for error: any Error in [CocoaError(.fileNoSuchFile), POSIXError(.ENOENT)] {
      var options = InboxServer.Options()
      options.content = { _ in throw error }
      let server = InboxServer(Courier(client, .bearer), options)
      #expect(await server.outcome(of: missing, .file, "f").reason == .invalid)
    }
    #expect(client.requests.isEmpty)
  }

  @Test(
    arguments: [
      (.opening, .message), (.receipt, .message), (.read(true), .contact),
      (.tags(added: ["a"], removed: []), .message), (.tags(added: ["a"], removed: []), .contact),
      (.deletion, .other), (.sending(messageID: nil), .message),
      (.tag(name: "a", isNew: false), .thread),
    ] as [(ServerRequest.Wanted, ObjectClass)])
  func part_thatTheApiHasNot_isUnsupported(
    wanted: ServerRequest.Wanted, objectClass: ObjectClass
  ) async {
    let client = PlayedClient([:])
    #expect(await server(client).outcome(of: wanted, objectClass, "1").reason == .unsupported)
    #expect(client.requests.isEmpty)
  }

  /// An answer to a creation names the new id; without it, the outcome is unknown.
  @Test(arguments: ["", "null", "{}", "[]", "<html>", #"{"id":"local-1"}"#])
  func answer_withoutTheNewID_leavesOpenWhatWasDone(body: String) async {
    for (wanted, objectClass, line) in [
      (ServerRequest.Wanted.draft(Self.draft, isNew: true), ObjectClass.draft, "POST /drafts"),
      (.tag(name: "a", isNew: true), .tag, "POST /tags"),
      (.file(Self.file, path: "/a"), .file, "POST /files"),
    ] {
      let client = PlayedClient([line: [.json(body)]])
      let outcome = await server(client).outcome(of: wanted, objectClass, "local-1")
      #expect(outcome.reason == .lostAnswer)
    }
  }

  /// The object was created, even if the rest of its answer can't be read.
  @Test func answer_thatIsRefused_namesTheNewID_andIsToldOf() async throws {
    let body = #"{"id":"d9","object":"draft","version":0,"date":1e30}"#
    let client = PlayedClient(["POST /drafts": [.json(body)]])
    let settlement = try await server(client).outcome(
      of: .draft(Self.draft, isNew: true), .draft, "local-1"
    ).get()
    #expect(settlement.outcomes == [.done(newID: "d9")] && settlement.facts.isEmpty)
    #expect(settlement.refused.map(\.id) == ["d9"])
  }

  /// An empty success may come from an intermediary; what a person wrote must not end with it.
  @Test(
    .rule(19),
    arguments: ["", "null", "{}", "[]", #"{"type":"api_error"}"#, #"{"id":""}"#])
  func answer_withoutTheObject_doesNotShowThatItWasSent(body: String) async {
    let client = PlayedClient([
      "POST /send": [.json(body)], "PUT /drafts/d1": [.json(body)],
    ])
    let sending = ServerRequest.Wanted.sending(messageID: nil)
    #expect(await server(client).outcome(of: sending, .draft, "d1").reason == .lostAnswer)
    let saving = ServerRequest.Wanted.draft(Self.draft, isNew: false)
    #expect(await server(client).outcome(of: saving, .draft, "d1").reason == .lostAnswer)
  }

  @Test(.rule(19)) func draftInAnswer_isNotSent() async {
    let client = PlayedClient(["POST /send": [.json(#"{"id":"d1","object":"draft"}"#)]])
    let outcome = await server(client).outcome(of: .sending(messageID: nil), .draft, "d1")
    #expect(outcome.reason == .lostAnswer)
  }

  /// Only the server itself knows what it has.
  @Test(arguments: [404, 410]) func missing_isWhatTheServerSays_notAProxy(status: Int) async {
    for body in ["<html>Not here", "default backend - 404", "404 page not found\n"] {
      let answer = HTTPAnswer(status, body: Array(body.utf8))
      for safety in RequestSafety.allCases {
        #expect(ServerFailure(answer, to: safety, at: Timestamp(rawValue: 0))?.reason == .server)
      }
    }
    for body in ["", " \n", #" {"type":"invalid_request_error"}"#] {
      let answer = HTTPAnswer(status, body: Array(body.utf8))
      let failure = ServerFailure(answer, to: .repeatable, at: Timestamp(rawValue: 0))
      #expect(failure?.reason == .notFound)
    }
  }

  /// A web page in place of the server's answer doesn't show that anything was done.
  @Test func answer_ofSomethingElse_settlesNothing() async {
    let client = PlayedClient([
      "PUT /messages/m": [.json("<html>Log in")], "DELETE /messages/m": [.json("<html>Log in")],
      "POST /send": [.json("<html>Log in")],
    ])
    #expect(await server(client).outcome(of: .read(true), .message, "m").reason == .lostAnswer)
    #expect(await server(client).outcome(of: .deletion, .message, "m").reason == .lostAnswer)
    #expect(
      await server(client).outcome(of: .sending(messageID: nil), .draft, "m", version: 1).reason
        == .lostAnswer)
  }

  @Test(
    .rule(19),
    arguments: [
      (400, .invalid), (402, .refused), (403, .forbidden), (404, .notFound), (409, .conflict),
      (429, .throttled), (500, .lostAnswer), (503, .server), (504, .lostAnswer),
    ] as [(Int, ServerFailure.Reason)])
  func refusal_toSend_isNeverTakenForNothing(status: Int, reason: ServerFailure.Reason) async {
    let client = PlayedClient(["POST /send": [.status(status)]])
    let outcome = await server(client).outcome(of: .sending(messageID: nil), .draft, "d")
    #expect(outcome.reason == reason)
  }

  @Test(
    .feature(55),
    arguments: [(500, .server), (504, .server), (501, .unsupported), (409, .conflict)]
      as [(Int, ServerFailure.Reason)])
  func refusal_toDelete_isTriedAgain_orIsForGood(
    status: Int, reason: ServerFailure.Reason
  ) async {
    let client = PlayedClient(["DELETE /threads/t": [.status(status)]])
    #expect(await server(client).outcome(of: .deletion, .thread, "t").reason == reason)
  }

  /// Each of several parts has an outcome of its own.
  @Test func parts_areDoneOneByOne() async throws {
    let client = PlayedClient(["PUT /messages/a": [.json("{}")], "PUT /messages/c": [.json("{}")]])
    let parts = ["a", "b", "c"].map {
      ServerRequest.Part(.message, $0, .read(true), version: nil)
    }
    let settlement = try await server(client).perform(ServerRequest(parts), token: nil)
    #expect(
      settlement.outcomes == [.done(), .failed(ServerFailure(.notFound, status: 404)), .done()])
  }
}
