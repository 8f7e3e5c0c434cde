import EventStore
import Tideline

extension LogPlace {
  /// Whether a text is a time of the day alone, as `10:15` or `10:15+01:00`.
  static func isTimeOfDay(_ text: String) -> Bool {
    text.contains(":") && Timestamp(text: "2000-01-01 \(text)") != nil
  }
}

extension Log {
  /// When it was a time of the day last before the log ends, which is said; `nil` where a text is
  /// none, or there are no records.
  func moment(ofTheDay text: String) throws -> Timestamp? {
    guard LogPlace.isTimeOfDay(text), let end = try lastMoment else { return nil }
    for days in 0...2 as ClosedRange<Int64> {
      let day = Timestamp(rawValue: end.rawValue + (1 - days) * Self.millisecondsPerDay)
      let date = day.description.prefix { $0 != "T" }
      guard let moment = Timestamp(text: "\(date) \(text)") else { return nil }
      guard moment <= end else { continue }
      Output.complain("tideline: \(text) is \(moment)")
      return moment
    }
    return nil
  }

  private static let millisecondsPerDay: Int64 = 86_400_000

  /// When the last record was recorded.
  private var lastMoment: Timestamp? {
    get throws {
      let number = try last
      return try read { try $0.record(number) }?.header.recordedAt
    }
  }
}
