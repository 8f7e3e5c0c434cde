import EventStore
import Tideline

/// Places as a person names them.
extension Past {
  /// The record that a place is behind; what is not plain about it is said.
  ///
  /// Throws ``Mistake`` for a text that names none.
  func number(_ text: String) throws -> RecordNumber {
    guard let place = try place(text) else {
      throw Mistake(
        "tideline \(name): '\(text)' is neither a record's number nor a time. Name a place as "
          + "1200, -5, 2026-11-20T09:30:00Z, 10:15+01:00, -1h, start or end."
      )
    }
    let found = try log.find(place, now: .now)
    if let remark = found.remark { Output.complain("tideline: \(remark)") }
    return found.number
  }

  /// The place that a text names; one that is a time of the day alone is when it was that time last
  /// before the log ends.
  private func place(_ text: String) throws -> LogPlace? {
    if let place = LogPlace(text, moment: { Timestamp(text: $0) }) { return place }
    return try log.moment(ofTheDay: text).map { .moment($0) }
  }
}

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
