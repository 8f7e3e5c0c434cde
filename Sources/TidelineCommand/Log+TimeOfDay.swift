import EventStore
import Tideline

extension LogPlace {
  /// Whether a text is only a time of day, as `10:15` or `10:15+01:00`.
  static func isTimeOfDay(_ text: String) -> Bool {
    text.contains(":") && Timestamp(text: "2000-01-01 \(text)") != nil
  }
}

extension Log {
  /// Returns the last moment with a time of day that is in the log, or before now if the log is
  /// empty, and reports it; `nil` if the text is no time of day.
  func moment(ofTheDay text: String) throws -> Timestamp? {
    guard LogPlace.isTimeOfDay(text) else { return nil }
    let end = try lastMoment ?? .now
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

  /// The time of the last record that can be read.
  private var lastMoment: Timestamp? {
    get throws {
      let (floor, last) = (floor.rawValue, try last.rawValue)
      return try read { snapshot in
        for number in stride(from: last, through: max(floor, 1), by: -1) {
          do {
            let record = try snapshot.record(RecordNumber(rawValue: number))
            if let record { return record.header.recordedAt }
          } catch LogError.damagedRecord {
            continue
          } catch LogError.compacted {
            return nil
          }
        }
        return nil
      }
    }
  }
}
