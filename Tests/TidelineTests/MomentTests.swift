import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// Moments are parsed in the formats that people and programs write.
@Suite struct MomentTests {
  /// 2023-11-14T22:13:20.000Z.
  private static let moment: Int64 = 1_700_000_000_000

  @Test(arguments: [
    "1700000000", "1700000000000", "1700000000.0", "1.7e9", "2023-11-14T22:13:20Z",
    "2023-11-14 22:13:20", "2023-11-14T22:13:20", "2023-11-14t22:13:20z",
    "2023-11-14T22:13:20.000Z",
    "2023-11-14T22:13:20,000000", "2023-11-14T23:13:20+01:00", "2023-11-15T03:43:20+0530",
    "2023-11-14T14:13:20-08", "2023-11-14 22:13:20 +0000", "2023-11-14 22:13:20 UTC",
    "2023-11-14 10:13:20 PM", "2023-11-14 10:13:20PM", "20231114T221320Z", "2023/11/14 22:13:20",
    "Tue, 14 Nov 2023 22:13:20 GMT", "Tue, 14 Nov 2023 22:13:20 +0000", "Tue Nov 14 22:13:20 2023",
    "Nov 14, 2023 at 10:13:20 PM", "Nov 14, 2023 at 10:13:20\u{202F}PM",
    "14. November 2023 22:13:20",
    "Tuesday, November 14, 2023 at 10:13:20 PM UTC", "11/14/23, 10:13:20 PM",
    "14/11/2023, 22:13:20",
    "11/14/2023 22:13:20", "14.11.2023 22:13:20", "14.11.23, 22:13:20", "14-11-2023 22:13:20",
    "  2023-11-14   22:13:20  ", "22:13:20, 14 Nov 2023", "22:13:20 14.11.2023",
  ])
  func texts_ofOneMoment(text: String) {
    #expect(Timestamp(text: text)?.rawValue == Self.moment)
  }

  @Test(arguments: [
    ("2023-11-14", 1_699_920_000_000), ("Nov 14, 2023", 1_699_920_000_000),
    ("2023-11-14T22:13", 1_699_999_980_000), ("2023-11-14T22:13:20.5", Self.moment + 500),
    ("2023-11-14T22:13:20.123456789Z", Self.moment + 123), ("0", 0), ("-1", -1000),
    ("1700000000.5", Self.moment + 500), ("99999999999", 99_999_999_999_000),
    ("100000000000", 100_000_000_000), ("1/2/24, 12:00 AM", 1_704_153_600_000),
    ("1/2/24, 12:30 PM", 1_704_198_600_000), ("2024-02-29", 1_709_164_800_000),
    ("0001-01-01T00:00:00Z", -62_135_596_800_000),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ("2016-12-31T23:59:60Z", 1_483_228_800_000), ("12/31/69", 3_155_673_600_000),
    ("12/31/70", 31_449_600_000),
  ])
  func texts_ofOtherMoments(text: String, expected: Int64) {
    #expect(Timestamp(text: text)?.rawValue == expected)
  }

  @Test(arguments: [
    "", " ", "soon", "x", "nan", "inf", "1e300", "-1e300", "0x10", "2023", "Nov", "22:13:20",
    "2023-11", "2023-13-01", "2023-02-29", "2023-11-31", "2023-11-14T24:00:00", "2023-11-14T22:60",
    "2023-11-14T22:13:61", "2023-11-14T22:13:20+99:00", "2023-11-14T22:13:20 CET", "2023-11-14 Z",
    "2023-11-14 22:13 +01:00 +02:00", "2023-11-14 13:00 PM", "2023-11-14 0:30 PM", "2023-11-14 PM",
    "0000-01-01", "13/13/2023",
    "2023-11-14 2023-11-14", "14 14 2023", "2023-11-14T22:13:20Z!", "2023-11-14T1:2:3",
    "１４.11.2023", "9999-12-31T23:59:59-01:00", "253402300800000",
    String(repeating: "1", count: 65), "2023-11-14" + String(repeating: " ", count: 60),
    "999999999999999999", "1-1", "1.1.", "1..1", "May", "99999999999999999-1-1",
  ])
  func texts_thatAreNoMoment(text: String) {
    let moment = Timestamp(text: text)
    #expect(text == "2023" ? moment?.rawValue == 2_023_000 : moment == nil, "\(moment as Any)")
  }

  @Test func moments_writtenByUs_areRead() {
    for seed in 0..<2_000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let moment = Int64.random(in: -62_135_596_800_000..<253_402_300_800_000, using: &generator)
      let timestamp = Timestamp(rawValue: moment)
      #expect(Timestamp(text: timestamp.description) == timestamp, "seed \(seed)")
    }
  }

  /// Foundation writes moments as Apple's systems do, and with its own calendar code, not ours.
  @Test(.feature(86)) func moments_writtenByFoundation_areRead() throws {
    let zone = try #require(TimeZone(secondsFromGMT: 0))
    let formats = [
      "yyyy-MM-dd HH:mm:ss Z", "EEE, dd MMM yyyy HH:mm:ss Z", "MMM d, yyyy 'at' h:mm:ss a",
      "EEEE, MMMM d, yyyy 'at' h:mm:ss a", "M/d/yy, h:mm:ss a", "dd.MM.yyyy HH:mm:ss",
      "yyyyMMdd'T'HHmmss'Z'", "yyyy-MM-dd'T'HH:mm:ssXXX",
    ]
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    for seed in 0..<100 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      // Two-digit years stand for 1970 to 2069.
      let seconds = Int64.random(in: 0..<3_155_760_000, using: &generator)
      formatter.timeZone = zone
      for format in formats {
        formatter.dateFormat = format
        let text = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
        #expect(Timestamp(text: text)?.rawValue == seconds * 1000, "\(text), seed \(seed)")
      }
    }
  }

  @Test func randomTexts_areReadOrNot() {
    let parts = [
      "1", "14", "2023", "99999999999", "-", "/", ".", ":", ",", " ", "T", "Z", "PM", "AM", "Nov",
      "+", "0530", "é", "\u{202F}", "123456789012", "000", "Tue", "at", "e", "\u{0}", "١",
    ]
    for seed in 0..<UInt64(Campaign.size(20_000, long: 300_000)) {
      var generator = SeededGenerator(seed: seed)
      let count = Int.random(in: 0..<10, using: &generator)
      let text = (0..<count).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
      guard let moment = Timestamp(text: text) else { continue }
      #expect(Timestamp(text: moment.description) == moment, "\(text), seed \(seed)")
    }
  }
}
