import EventStore
import TestSupport
import Testing
import Tideline
import TidelineHTTP
import TidelineSync

/// The protocol of rich inboxes, as documented.
@Suite struct RichInboxTests {
  private static let now = Timestamp(rawValue: 1_700_000_000_000)

  private func page(_ text: String) throws(JSONFault) -> RichPage {
    try RichPage(Array(text.utf8).payloadBytes)
  }

  @Test(.feature(83, 84)) func message_hasAllItsFields() throws {
    let page = try page(
      """
      {"messages":[{"id":422,"subject":"Sale","title":"T","subtitle":"S","alert":"A","name":"N",
        "content":"<p>","url":"https://x","sound":"ding","sendDateUtc":"2023-11-14T22:13:20.000Z",
        "startDateUtc":1700000000,"endDateUtc":null,"postDate":"2023-11-14 23:13:20","read":"1",
        "deleted":false,"statusDirty":0,"messageType":8,"inboxMessageType":"2",
        "inboxMessage":"I","inboxSubtitle":"J","notificationMessage":"K","custom":{"a":[1, 2]},
        "customKeys":{"color":"red"},"keys":[],"media":{"url":"https://p","altText":"P"},
        "summary":"U","iconUrl":"https://i","messageHash":"h","requestId":"r","eventId":9,
        "messageLink":"https://l","deepLink":"app://d","contentType":"html","status":"READ",
        "odd":true}],
       "complete":true,"refreshAfter":60,"more":[]}
      """)
    #expect(page.isComplete && page.refreshInterval == 60_000 && page.items.refused.isEmpty)
    #expect(
      page.items.facts == [
        .expected(.rich) {
          $0.put(.id, "422")
          $0.put(.change, ObjectChange.whole)
          $0.put(
            .unknown,
            json: Array(#"{"media":{"url":"https://p","altText":"P"},"odd":true}"#.utf8))
          $0.put(.subject, "Sale")
          $0.put(.body, "<p>")
          $0.put(.name, "N")
          $0.put(.status, "READ")
          $0.put(.contentType, "html")
          $0.put(.date, Self.now, text: "2023-11-14T22:13:20.000Z")
          $0.put(.startDate, Self.now)
          $0.putNull(.endDate)
          $0.put(.localDate, Timestamp(rawValue: 1_700_003_600_000), text: "2023-11-14 23:13:20")
          $0.put(.isRead, true)
          $0.put(.isDeleted, false)
          $0.put(.isStatusDirty, false)
          $0.put(.messageType, 8)
          $0.put(.inboxMessageType, 2)
          $0.put(.alert, "A")
          $0.put(.title, "T")
          $0.put(.subtitle, "S")
          $0.put(.url, "https://x")
          $0.put(.sound, "ding")
          $0.put(.custom, json: Array(#"{"a":[1, 2]}"#.utf8))
          $0.put(.customKeys, json: Array(#"{"color":"red"}"#.utf8))
          $0.put(.mediaURL, "https://p")
          $0.put(.mediaText, "P")
          $0.put(.inboxMessage, "I")
          $0.put(.inboxSubtitle, "J")
          $0.put(.notificationMessage, "K")
          $0.put(.summary, "U")
          $0.put(.iconURL, "https://i")
          $0.put(.messageHash, "h")
          $0.put(.requestID, "r")
          $0.put(.eventID, "9")
          $0.put(.keys, json: Array("[]".utf8))
          $0.put(.messageLink, "https://l")
          $0.put(.deepLink, "app://d")
        }
      ])
  }

  /// A message isn't refused because its picture lacks a text or its text lacks a picture.
  @Test func media_withNulls_isWhatItHas() throws {
    let page = try page(
      #"""
      {"messages":[{"id":"a","media":{"url":"https://p","altText":null}},
        {"id":"b","media":{"url":null,"altText":"P"}}],"complete":true}
      """#)
    #expect(page.isComplete && page.items.refused.isEmpty)
    let fields = page.items.facts.map(\.fields)
    #expect(fields.map { $0.text(.mediaURL) } == ["https://p", nil])
    #expect(fields.map { $0.text(.mediaText) } == [nil, "P"])
  }

  /// A value that a later one overrides isn't kept.
  @Test func twoMembersOfOneField_theLastCounts() throws {
    let page = try page(
      #"{"messages":[{"id":"a","media":[{"url":"u"}],"media":"v","title":"T","title":"U"}]}"#)
    let fact = try #require(page.items.facts.first)
    #expect(fact.fields.json(.unknown) == nil && fact.fields.text(.title) == "U")
  }

  @Test(.feature(82)) func answer_isComplete_onlyWhereItSaysSo_andAllOfItWasRead() throws {
    #expect(try page(#"{"messages":[],"complete":true}"#).isComplete)
    #expect(try !page(#"{"messages":[]}"#).isComplete)
    #expect(try !page(#"{"messages":[],"complete":"true"}"#).isComplete)
    let damaged = try page(#"{"messages":[{"id":"1"},{"id":[]}],"complete":true}"#)
    #expect(!damaged.isComplete && damaged.items.facts.count == 1)
    #expect(damaged.items.refused.map(\.reason) == ["id is not a text"])
    #expect(throws: JSONFault(.missing("messages"), at: 0)) { try page(#"{"complete":true}"#) }
    #expect(throws: JSONFault(.contradiction("messages"), at: 15)) {
      try page(#"{"messages":[],"messages":[]}"#)
    }
  }

  @Test(
    arguments: [
      ("60", 60_000), ("0", 0), ("-5", 0), ("999999999999999999", 86_400_000), ("1.5", nil),
      ("\"60\"", nil), ("null", nil),
    ] as [(String, Int64?)])
  func refreshInterval_isWithinADay(text: String, expected: Int64?) throws {
    #expect(try page(#"{"messages":[],"refreshAfter":\#(text)}"#).refreshInterval == expected)
  }

  @Test func question_namesWhatIsKnown() {
    #expect(RichPage.request() == HTTPRequest("GET", "/inbox/messages"))
    #expect(RichPage.request(unlessIs: "\"a\"").headers == [.init("If-None-Match", "\"a\"")])
  }

  private let upload = StatusUpload(
    [
      .init("1", .read, requestID: "r", at: now), .init("1", .deleted, at: now),
      .init("é\"", .opened, at: now), .init("3", .received, at: now), .init("4", .unread),
    ], key: OperationKey(low: 1, high: 2))

  @Test func upload_isARequest() {
    let request = upload.request()
    #expect(request.method == "POST" && request.path == "/inbox/status")
    #expect(
      request.headers == [
        .init("Content-Type", "application/json"),
        .init("Idempotency-Key", "01000000000000000200000000000000"),
      ])
    let at = #""at":"2023-11-14T22:13:20.000Z""#
    #expect(
      String(decoding: request.body ?? [], as: UTF8.self)
        == #"{"items":[{"id":"1","state":"read","requestId":"r",\#(at)},"#
        + #"{"id":"1","state":"deleted",\#(at)},{"id":"é\"","state":"opened",\#(at)},"#
        + #"{"id":"3","state":"received",\#(at)},{"id":"4","state":"unread"}]}"#)
  }

  private func outcomes(_ body: String) -> [PartOutcome] {
    StatusAnswer(Array(body.utf8).payloadBytes, to: upload).outcomes
  }

  @Test func items_haveOutcomesOfTheirOwn() {
    let found = outcomes(
      """
      {"items":[
        {"state":"deleted","id":1,"outcome":"gone"},{"id":"1","state":"read","outcome":"done"},
        {"id":"\\u00e9\\"","state":"opened","outcome":"later","retryAfter":30},
        {"id":"3","state":"received","outcome":"refused","reason":"invalid"},
        {"id":"unasked","state":"read","outcome":"done"}, 7, {"id":"4"}]}
      """)
    #expect(
      found == [
        .done(), .gone, .failed(ServerFailure(.throttled, retryAfter: .seconds(30))),
        .failed(ServerFailure(.invalid, message: "invalid")), .unmentioned,
      ])
  }

  @Test(arguments: [
    "", "{}", "<html>", #"{"items":[]}"#, #"{"items":{}}"#,
    #"{"items":[{"id":"1","state":"read","outcome":"done"}"#,
    #"{"items":[{"id":"1","state":"read","outcome":"perhaps"}]}"#,
  ])
  func answer_thatSaysNothing_mentionsNone(body: String) {
    #expect(outcomes(body) == Array(repeating: .unmentioned, count: 5))
  }

  @Test(arguments: [
    (#""refused""#, ServerFailure(.refused)),
    (#""refused","reason":"unsupported""#, ServerFailure(.unsupported, message: "unsupported")),
    (#""refused","reason":"tooLate""#, ServerFailure(.refused, message: "tooLate")),
    (#""refused","reason":"conflict""#, ServerFailure(.refused, message: "conflict")),
    (#""later""#, ServerFailure(.throttled)),
    (
      #""later","retryAfter":999999999999999999"#,
      ServerFailure(.throttled, retryAfter: .seconds(86_400))
    ),
    (#""later","retryAfter":-1"#, ServerFailure(.throttled, retryAfter: .zero)),
  ])
  func outcome_isReadFromItsWord(words: String, expected: ServerFailure) {
    let body = #"{"items":[{"id":"1","state":"read","outcome":\#(words)}]}"#
    #expect(outcomes(body).first == .failed(expected))
  }
}
