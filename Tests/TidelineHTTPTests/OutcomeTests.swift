import EventStore
import Testing
import Tideline
import TidelineHTTP

/// What answers mean, status by status.
@Suite struct OutcomeTests {
  private static let now = Timestamp(rawValue: 1_700_000_000_000)

  /// For each status what it means for a state, a deletion, a saving, an upload, and a sending.
  private static let table: [(ClosedRange<Int>, [OperationOutcome])] = {
    func all(_ outcome: OperationOutcome) -> [OperationOutcome] {
      Array(repeating: outcome, count: 5)
    }
    let failed: [OperationOutcome] = [
      .deferred(.server), .deferred(.server), .uncertain(.server), .uncertain(.server),
      .uncertain(.server),
    ]
    let gone: [OperationOutcome] = [
      .acknowledged(isGone: true), .acknowledged(isGone: true), .rejected(.conflict),
      .rejected(.refused), .rejected(.conflict),
    ]
    let conflict: [OperationOutcome] = [
      .deferred(.conflict), .deferred(.conflict), .rejected(.conflict), .rejected(.conflict),
      .rejected(.conflict),
    ]
    return [
      (-1...99, failed), (100...199, all(.deferred(.unreachable))),
      (200...299, all(.acknowledged(isGone: false))), (300...399, all(.deferred(.unreachable))),
      (400...400, all(.rejected(.invalid))), (401...401, all(.deferred(.authorization))),
      (402...402, all(.rejected(.refused))), (403...403, all(.deferred(.authorization))),
      (404...404, gone), (405...405, all(.rejected(.unsupported))),
      (406...406, all(.rejected(.invalid))), (407...407, all(.deferred(.unreachable))),
      (408...408, all(.deferred(.timeout))), (409...409, conflict), (410...410, gone),
      (411...411, all(.rejected(.invalid))), (412...412, conflict),
      (413...414, all(.rejected(.tooLarge))), (415...424, all(.rejected(.invalid))),
      (425...425, all(.deferred(.throttled))), (426...428, all(.rejected(.invalid))),
      (429...429, all(.deferred(.throttled))), (430...430, all(.rejected(.invalid))),
      (431...431, all(.rejected(.tooLarge))), (432...450, all(.rejected(.invalid))),
      (451...451, all(.rejected(.forbidden))), (452...499, all(.rejected(.invalid))),
      (500...500, failed), (501...501, all(.rejected(.unsupported))), (502...502, failed),
      (503...503, all(.deferred(.server))), (504...504, failed),
      (505...505, all(.rejected(.unsupported))), (506...510, failed),
      (511...511, all(.deferred(.unreachable))), (512...700, failed),
    ]
  }()

  @Test func everyStatus_meansWhatTheTableSays() {
    var statuses = Set<Int>()
    for (range, outcomes) in Self.table {
      for status in range {
        statuses.insert(status)
        for (nature, expected) in zip(OperationNature.allCases, outcomes) {
          let outcome = OperationOutcome(of: HTTPAnswer(status), to: nature, at: Self.now)
          #expect(outcome == expected, "\(status) for \(nature)")
        }
      }
    }
    #expect(statuses == Set(-1...700))
  }

  @Test(arguments: [
    (HTTPFailure.notSent, OperationOutcome.deferred(.notSent), OperationOutcome.deferred(.notSent)),
    (.lost, .deferred(.unreachable), .uncertain(.lostAnswer)),
    (.timeout, .deferred(.timeout), .uncertain(.lostAnswer)),
    (.tooLong(limit: 1), .deferred(.unreachable), .uncertain(.lostAnswer)),
    (.cancelled, .deferred(.unreachable), .uncertain(.lostAnswer)),
  ])
  func noAnswer_isUncertain_whereRepeatingDoesHarm(
    failure: HTTPFailure, repeatable: OperationOutcome, other: OperationOutcome
  ) {
    for nature in OperationNature.allCases {
      let expected = nature.isRepeatable ? repeatable : other
      #expect(OperationOutcome(of: failure, to: nature) == expected)
    }
  }

  @Test(arguments: [408, 425, 429, 503])
  func wait_isTheServers(status: Int) {
    let answer = HTTPAnswer(status, headers: ["RETRY-after": " 30 "])
    for nature in OperationNature.allCases {
      guard case .deferred(_, 30_000) = OperationOutcome(of: answer, to: nature, at: Self.now)
      else {
        Issue.record("\(status) for \(nature)")
        continue
      }
    }
    #expect(
      PullOutcome(of: HTTPAnswer(429, headers: ["Retry-After": "1"]), hasCursor: true, at: Self.now)
        == .deferred(.throttled, retryAfter: 1000))
  }

  @Test(
    arguments: [
      ("0", 0), ("120", 120_000), ("86400", 86_400_000), ("99999999999", 86_400_000),
      ("99999999999999999999999", 86_400_000), ("-1", nil), ("1.5", nil), ("soon", nil), ("", nil),
      ("Tue, 14 Nov 2023 22:14:20 GMT", 60_000), ("Tuesday, 14-Nov-23 22:14:20 GMT", 60_000),
      ("Tue Nov 14 22:14:20 2023", 60_000), ("Sun Nov  6 08:49:37 1994", 0),
      ("Sunday, 06-Nov-94 08:49:37 GMT", 0), ("Tue, 14 Nov 2024 22:14:20 GMT", 86_400_000),
      ("Tue, 31 Nov 2023 22:14:20 GMT", nil), ("14 Nov 2023", nil),
    ] as [(String, Int64?)])
  func retryAfter_isSecondsOrADate(text: String, expected: Int64?) {
    let answer = HTTPAnswer(429, headers: ["Retry-After": text])
    #expect(RetryAfter.milliseconds(of: answer, at: Self.now) == expected)
  }

  @Test func retryAfter_isSeenFromTheServersOwnClock() {
    let answer = HTTPAnswer(
      503,
      headers: [
        "Retry-After": "Wed, 15 Nov 2023 10:00:30 GMT", "Date": "Wed, 15 Nov 2023 10:00:00 GMT",
      ])
    #expect(RetryAfter.milliseconds(of: answer, at: Self.now) == 30_000)
  }

  @Test(arguments: [
    (200, true, PullOutcome.answered), (204, false, .answered), (304, true, .unchanged),
    (302, true, .deferred(.unreachable)), (404, false, .gone), (404, true, .rejected(.invalid)),
    (410, false, .gone), (410, true, .cursorRefused), (400, true, .rejected(.invalid)),
    (401, true, .deferred(.authorization)), (403, false, .deferred(.authorization)),
    (408, true, .deferred(.timeout)), (405, false, .rejected(.unsupported)),
    (429, true, .deferred(.throttled)), (500, true, .deferred(.server)),
    (503, false, .deferred(.server)), (504, true, .deferred(.server)),
    (0, true, .deferred(.server)),
    (511, true, .deferred(.unreachable)), (501, true, .rejected(.unsupported)),
  ])
  func questions_areAnswered_orNot(status: Int, hasCursor: Bool, expected: PullOutcome) {
    let outcome = PullOutcome(of: HTTPAnswer(status), hasCursor: hasCursor, at: Self.now)
    #expect(outcome == expected)
  }

  @Test(arguments: [
    (#"{"type":"invalid_request_error","message":"Invalid cursor parameter"}"#, true),
    (#"{"message":"Invalid id","type":"invalid_request_error","x":[]}"#, true),
    (#"{"type":"invalid_request_error","message":"limit must be a number"}"#, false),
    (#"{"type":"api_error","message":"Invalid cursor parameter"}"#, false),
    ("<html>cursor", false), (#"{"type":"invalid_request_error""#, false), ("", false),
  ])
  func cursor_isRefused_onlyWhereTheServerSaysSo(body: String, isRefused: Bool) {
    let answer = HTTPAnswer(400, body: Array(body.utf8))
    let outcome = PullOutcome(of: answer, hasCursor: true, at: Self.now)
    #expect(outcome == (isRefused ? .cursorRefused : .rejected(.invalid)))
    #expect(PullOutcome(of: answer, hasCursor: false, at: Self.now) == .rejected(.invalid))
  }

  @Test func failures_ofQuestions_areTriedAgain() {
    #expect(PullOutcome(of: .notSent) == .deferred(.notSent))
    #expect(PullOutcome(of: .lost) == .deferred(.unreachable))
    #expect(PullOutcome(of: .timeout) == .deferred(.timeout))
    #expect(PullOutcome(of: .cancelled) == .deferred(.unreachable))
    #expect(PullOutcome(of: .tooLong(limit: 1)) == .rejected(.tooLarge))
  }
}
