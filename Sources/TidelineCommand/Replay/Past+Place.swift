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
