import EventStore
import TestSupport
import Testing
import Tideline
import TidelineHTTP
import TidelineSync

/// The meaning of every status, and of failures without an answer.
@Suite struct ServerFailureTests {
  private static let now = Timestamp(rawValue: 1_700_000_000_000)

  /// The meaning of each status for questions, for changes since a cursor, for requests that may be
  /// repeated and for requests that may not; `nil` means an answer.
  private static let table: [(ClosedRange<Int>, [ServerFailure.Reason?])] = {
    func all(_ reason: ServerFailure.Reason?) -> [ServerFailure.Reason?] {
      Array(repeating: reason, count: 4)
    }
    let failed: [ServerFailure.Reason?] = [.server, .server, .server, .lostAnswer]
    return [
      (-1...99, failed), (100...199, all(.notSent)), (200...299, all(nil)),
      (300...302, all(.notSent)), (303...303, [.notSent, .notSent, .notSent, .lostAnswer]),
      (304...399, all(.notSent)), (400...400, all(.invalid)), (401...401, all(.unauthorized)),
      (402...402, all(.refused)), (403...403, all(.forbidden)), (404...404, all(.notFound)),
      (405...405, all(.unsupported)), (406...406, all(.invalid)), (407...407, all(.notSent)),
      (408...408, all(.server)), (409...409, all(.conflict)),
      (410...410, [.notFound, .cursorUnknown, .notFound, .notFound]), (411...411, all(.invalid)),
      (412...412, all(.conflict)), (413...414, all(.tooLarge)), (415...424, all(.invalid)),
      (425...425, all(.throttled)), (426...428, all(.invalid)), (429...429, all(.throttled)),
      (430...430, all(.invalid)), (431...431, all(.tooLarge)), (432...450, all(.invalid)),
      (451...451, all(.refused)), (452...499, all(.invalid)), (500...500, failed),
      (501...501, all(.unsupported)), (502...502, failed), (503...503, all(.server)),
      (504...504, failed), (505...505, all(.unsupported)), (506...510, failed),
      (511...511, all(.notSent)), (512...700, failed),
    ]
  }()

  /// Other servers over HTTP share this table.
  @Test func otherServer_readsStatusesByTheSameTable() {
    for status in Array(-1...700) {
      for (mayRepeat, safety) in [(true, RequestSafety.repeatable), (false, .once)] {
        let failure = ServerFailure(status: status, mayRepeat: mayRepeat, message: "no")
        let same = ServerFailure(HTTPAnswer(status), to: safety, at: Self.now)
        #expect(failure?.reason == same?.reason && failure?.status == same?.status)
        #expect(failure.map { $0.message == "no" } ?? (same == nil))
      }
    }
    let waits = ServerFailure(status: 429, headers: ["Retry-After": "30"], mayRepeat: true)
    #expect(waits?.retryAfter == .seconds(30))
  }

  @Test(.feature(51)) func everyStatus_meansWhatTheTableSays() {
    var statuses = Set<Int>()
    for (range, reasons) in Self.table {
      for status in range {
        statuses.insert(status)
        for (safety, expected) in zip(RequestSafety.allCases, reasons) {
          let failure = ServerFailure(HTTPAnswer(status), to: safety, at: Self.now)
          #expect(failure?.reason == expected, "\(status) for \(safety)")
          #expect(failure == nil || failure?.status == Int64(status))
        }
      }
    }
    #expect(statuses == Set(-1...700))
  }

  @Test(
    .feature(51),
    arguments: [
      (HTTPFailure.notSent, ServerFailure.Reason.notSent, ServerFailure.Reason.notSent),
      (.lost, .lostAnswer, .lostAnswer), (.timeout, .lostAnswer, .lostAnswer),
      (.tooLong(limit: 1), .tooLarge, .lostAnswer), (.cancelled, .lostAnswer, .lostAnswer),
    ])
  func noAnswer_leavesOpenWhatWasDone(
    failure: HTTPFailure, question: ServerFailure.Reason, operation: ServerFailure.Reason
  ) {
    for safety in [RequestSafety.question, .changes] {
      #expect(ServerFailure(failure, to: safety).reason == question)
    }
    for safety in [RequestSafety.repeatable, .once] {
      #expect(ServerFailure(failure, to: safety).reason == operation)
    }
  }

  @Test(.feature(75), arguments: [408, 425, 429, 503])
  func wait_isTheServers(status: Int) {
    let answer = HTTPAnswer(
      status, headers: ["RETRY-after": " 30 "], body: Array(#"{"message":"No."}"#.utf8))
    for safety in RequestSafety.allCases {
      let failure = ServerFailure(answer, to: safety, at: Self.now)
      #expect(failure?.retryAfter == .seconds(30) && failure?.message == "No.")
    }
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

  @Test(
    .feature(27), .rule(13),
    arguments: [
      (#"{"type":"invalid_request_error","message":"Invalid cursor parameter"}"#, true),
      (#"{"message":"Invalid id","type":"invalid_request_error","x":[]}"#, true),
      (#"{"type":"invalid_request_error","message":"limit must be a number"}"#, false),
      (#"{"type":"api_error","message":"Invalid cursor parameter"}"#, false),
      ("<html>cursor", false), (#"{"type":"invalid_request_error""#, false), ("", false),
    ])
  func cursor_isRefused_onlyWhereTheServerSaysSo(body: String, isRefused: Bool) {
    let answer = HTTPAnswer(400, body: Array(body.utf8))
    for safety in RequestSafety.allCases {
      let expected: ServerFailure.Reason =
        isRefused && safety == .changes ? .cursorUnknown : .invalid
      #expect(ServerFailure(answer, to: safety, at: Self.now)?.reason == expected)
    }
  }
}
