import EventStore
import Foundation
import TestSupport
import Testing

@Suite struct TimestampTests {
  /// Foundation's calendar is not Gregorian before October 1582, so dates start there.
  @Test func description_isFoundations() throws {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    for seed in 0..<3000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let range: ClosedRange<Int64> =
        seed % 2 == 0 ? -12_219_292_800_000...253_402_300_799_999 : 0...2_000_000_000_000
      let milliseconds = Int64.random(in: range, using: &generator)
      let rest = milliseconds.modulo(1000)
      let whole = Date(timeIntervalSince1970: Double((milliseconds - rest) / 1000))
      let seconds = style.format(whole).prefix(19)
      let fraction = String(1000 + rest).dropFirst()
      let description = Timestamp(rawValue: milliseconds).description
      #expect(description == "\(seconds).\(fraction)Z", "\(milliseconds)")
    }
  }

  @Test func description_atTheEdges() {
    #expect(Timestamp(rawValue: 0).description == "1970-01-01T00:00:00.000Z")
    #expect(Timestamp(rawValue: -1).description == "1969-12-31T23:59:59.999Z")
    #expect(Timestamp(rawValue: 951_782_400_000).description == "2000-02-29T00:00:00.000Z")
    #expect(Timestamp(rawValue: -62_167_219_200_001).description == "-0001-12-31T23:59:59.999Z")
    #expect(Timestamp(rawValue: .max).description == "292278994-08-17T07:12:55.807Z")
    #expect(Timestamp(rawValue: .min).description == "-292275055-05-16T16:47:04.192Z")
  }
}

extension Int64 {
  fileprivate func modulo(_ divisor: Int64) -> Int64 { (self % divisor + divisor) % divisor }
}
