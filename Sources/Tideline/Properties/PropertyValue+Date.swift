package import EventStore
package import Foundation

/// Rows store times in whole milliseconds; dates are rounded to the nearest one.
extension Date: PropertyValue {
  /// The date of a stored time.
  package init(kept: Timestamp) {
    self.init(timeIntervalSince1970: Double(kept.rawValue) / 1000)
  }

  /// The nearest millisecond, clamped to the representable range.
  package var kept: Timestamp {
    let milliseconds = (timeIntervalSince1970 * 1000).rounded()
    if let exact = Int64(exactly: milliseconds) { return Timestamp(rawValue: exact) }
    return Timestamp(rawValue: milliseconds > 0 ? .max : .min)
  }

  /// Matches rows whose time, as a date, has the relation to `value`.
  ///
  /// The value may lie between two milliseconds.
  package static func bounds(
    _ field: Field<Timestamp>, _ relation: Relation, _ value: Date
  ) -> Bounds? {
    if value.timeIntervalSinceReferenceDate.isNaN {
      // NaN compares the same way with every date.
      return relation.holds(Date(timeIntervalSince1970: 0), value) == true
        ? Bounds(field != nil) : .never
    }
    let first = firstMoment { $0 >= value }
    let behind = firstMoment { $0 > value }
    return switch relation {
    case .equal: Bounds(from(first, field) && !from(behind, field) && field != nil)
    case .less: Bounds(!from(first, field) && field != nil)
    case .lessOrEqual: Bounds(!from(behind, field) && field != nil)
    case .greater: Bounds(from(behind, field))
    case .greaterOrEqual: Bounds(from(first, field))
    }
  }

  /// Matches rows whose time is one of these dates.
  package static func bounds(_ field: Field<Timestamp>, isOneOf values: [Date]) -> Bounds? {
    let near = values.filter(\.isNear)
    let moments = near.filter { Date(kept: $0.kept) == $0 }.map(\.kept)
    return values.filter { !$0.isNear }.reduce(Bounds(field.isOne(of: moments))) { bounds, value in
      bounds.flatMap { others in Self.bounds(field, .equal, value).map { others || $0 } }
    }
  }

  /// Whether adjacent milliseconds are distinct dates here, as they are until the year 5138.
  private var isNear: Bool { abs(timeIntervalSince1970) < 1e11 }

  private static func from(_ moment: Timestamp?, _ field: Field<Timestamp>) -> Condition {
    moment.map { field >= $0 } ?? .never
  }

  /// Returns the first time that meets a condition which all later times also meet.
  private static func firstMoment(where isMet: (Date) -> Bool) -> Timestamp? {
    func isMetAt(_ moment: Int64) -> Bool {
      isMet(Date(kept: Timestamp(rawValue: moment)))
    }
    guard isMetAt(.max) else { return nil }
    var (low, high) = (Int64.min, Int64.max)
    while low < high {
      // The mean, computed without overflow.
      let middle = (low & high) + (low ^ high) >> 1
      if isMetAt(middle) { high = middle } else { low = middle + 1 }
    }
    return Timestamp(rawValue: low)
  }
}
