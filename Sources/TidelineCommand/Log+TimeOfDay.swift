import EventStore
import Tideline

extension LogPlace {
  /// Whether a text is only a time of day, as `10:15` or `10:15+01:00`.
  static func isTimeOfDay(_ text: String) -> Bool {
    text.contains(":") && Timestamp(text: "2000-01-01 \(text)") != nil
  }
}

extension Log {
  /// Returns the last moment in the log with a time of day, and reports it; `nil` if the text is no
  /// time of day, or the log is empty.
  func moment(ofTheDay text: String) throws -> Timestamp? {
    guard LogPlace.isTimeOfDay(text), let end = try lastMoment else { return nil }
    for days in 0...2 as ClosedRange<Int64> {
      let distance = (1 - days) * Self.millisecondsPerDay
      let (day, isBeyond) = end.rawValue.addingReportingOverflow(distance)
      guard !isBeyond else { continue }
      let date = Timestamp(rawValue: day).description.prefix { $0 != "T" }
      guard let moment = Timestamp(text: "\(date) \(text)") else { return nil }
      guard moment <= end else { continue }
      Output.complain("tideline: \(text) is \(moment)")
      return moment
    }
    return nil
  }

  private static let millisecondsPerDay: Int64 = 86_400_000

  /// The time of the last record.
  private var lastMoment: Timestamp? {
    get throws {
      let number = try last
      return try read { try $0.record(number) }?.header.recordedAt
    }
  }
}
