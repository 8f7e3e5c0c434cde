import EventStore
import Testing
import Tideline
import TidelineHTTP

/// The protocol of rich inboxes, as its document has it.
@Suite struct RichInboxTests {
  private static let now = Timestamp(rawValue: 1_700_000_000_000)

  private func page(_ text: String) throws(JSONFault) -> RichPage {
    try RichPage(Array(text.utf8).payloadBytes)
  }

  @Test func message_hasAllItsFields() throws {
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

  @Test func answer_isComplete_onlyWhereItSaysSo_andAllOfItWasRead() throws {
    #expect(try page(#"{"messages":[],"complete":true}"#).isComplete)
    #expect(try !page(#"{"messages":[]}"#).isComplete)
    #expect(try !page(#"{"messages":[],"complete":"true"}"#).isComplete)
    let damaged = try page(#"{"messages":[{"id":"1"},{"id":[]}],"complete":true}"#)
    #expect(!damaged.isComplete && damaged.items.facts.count == 1)
    #expect(damaged.items.refused.map(\.reason) == ["id is not a text"])
    #expect(throws: JSONFault(.missing("messages"), at: 0)) { try page(#"{"complete":true}"#) }
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
      .init("é\"", .opened, at: now), .init("3", .received, at: now), .init("4", .unread, at: now),
    ], key: OperationKey(low: 1, high: 2))

  @Test func upload_isARequest() {
    let request = upload.request()
    #expect(request.method == "POST" && request.path == "/inbox/status")
    #expect(
      request.headers == [
        .init("Content-Type", "application/json"),
        .init("Idempotency-Key", "00000000000000010000000000000002"),
      ])
    let at = #""at":"2023-11-14T22:13:20.000Z""#
    #expect(
      String(decoding: request.body ?? [], as: UTF8.self)
        == #"{"items":[{"id":"1","state":"read","requestId":"r",\#(at)},"#
        + #"{"id":"1","state":"deleted",\#(at)},{"id":"é\"","state":"opened",\#(at)},"#
        + #"{"id":"3","state":"received",\#(at)},{"id":"4","state":"unread",\#(at)}]}"#)
  }

  private func outcomes(_ body: String, _ status: Int = 200) -> [OperationOutcome] {
    StatusAnswer(HTTPAnswer(status, body: Array(body.utf8)), to: upload, at: Self.now).outcomes
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
        .acknowledged(isGone: false), .acknowledged(isGone: true),
        .deferred(.throttled, retryAfter: 30_000), .rejected(.invalid),
        .uncertain(.notInAnswer),
      ])
  }

  @Test(arguments: [
    "", "{}", "<html>", #"{"items":[]}"#, #"{"items":{}}"#,
    #"{"items":[{"id":"1","state":"read","outcome":"done"}"#,
    #"{"items":[{"id":"1","state":"read","outcome":"perhaps"}]}"#,
  ])
  func answer_thatSaysNothing_leavesAllUncertain(body: String) {
    #expect(outcomes(body) == Array(repeating: .uncertain(.notInAnswer), count: 5))
  }

  @Test func status_thatIsNoSuccess_isThatOfAll() {
    let body = #"{"items":[{"id":"1","state":"read","outcome":"done"}]}"#
    #expect(outcomes(body, 429) == Array(repeating: .deferred(.throttled), count: 5))
    #expect(outcomes(body, 500) == Array(repeating: .deferred(.server), count: 5))
    #expect(
      StatusAnswer(.lost, to: upload).outcomes
        == Array(repeating: .deferred(.unreachable), count: 5))
  }

  @Test(arguments: [
    (#""refused""#, OperationOutcome.rejected(.refused)),
    (#""refused","reason":"tooLate""#, .rejected(.tooLate)),
    (#""refused","reason":"because""#, .rejected(.refused)),
    (#""later""#, .deferred(.throttled)),
    (#""later","retryAfter":999999999999999999"#, .deferred(.throttled, retryAfter: 86_400_000)),
    (#""later","retryAfter":-1"#, .deferred(.throttled, retryAfter: 0)),
  ])
  func outcome_isReadFromItsWord(words: String, expected: OperationOutcome) {
    let body = #"{"items":[{"id":"1","state":"read","outcome":\#(words)}]}"#
    #expect(outcomes(body).first == expected)
  }
}
