import EventStore
import Tideline

/// Places, as people name them.
extension Past {
  /// Returns the record after which a place is, and reports any ambiguity.
  ///
  /// Throws ``Mistake`` for a text that names no place.
  func number(_ text: String) throws -> RecordNumber {
    guard let place = try place(text) else {
      throw Mistake(
        "tideline \(name): '\(text)' is neither a record's number nor a time. Name a place, such "
          + "as 1200, -5, 2026-11-20T09:30:00Z, 10:15+01:00, -1h, start or end."
      )
    }
    let found = try log.find(place, now: .now)
    if let remark = found.remark { Output.complain("tideline: \(remark)") }
    return found.number
  }

  /// Returns the place that a text names; a time of day alone means its last occurrence in the log.
  private func place(_ text: String) throws -> LogPlace? {
    if let place = LogPlace(text, moment: { Timestamp(text: $0) }) { return place }
    return try log.moment(ofTheDay: text).map { .moment($0) }
  }
}
