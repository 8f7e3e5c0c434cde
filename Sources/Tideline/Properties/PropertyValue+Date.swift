package import EventStore
package import Foundation

/// Rows keep moments in whole milliseconds; a date between two goes to the nearer one.
extension Date: PropertyValue {
  /// The moment as a date.
  package init(kept: Timestamp) {
    self.init(timeIntervalSince1970: Double(kept.rawValue) / 1000)
  }

  /// The nearest millisecond, or the last that there is.
  package var kept: Timestamp {
    let milliseconds = (timeIntervalSince1970 * 1000).rounded()
    if let exact = Int64(exactly: milliseconds) { return Timestamp(rawValue: exact) }
    return Timestamp(rawValue: milliseconds > 0 ? .max : .min)
  }

  /// Rows whose moment, as a date, stands so to this, which may lie between two milliseconds.
  package static func bounds(
    _ field: Field<Timestamp>, _ relation: Relation, _ value: Date
  ) -> Bounds? {
    if value.timeIntervalSinceReferenceDate.isNaN {
      // No date, so all dates stand to it alike.
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

  /// Rows whose moment is one of these dates.
  package static func bounds(_ field: Field<Timestamp>, isOneOf values: [Date]) -> Bounds? {
    let near = values.filter(\.isNear)
    let moments = near.filter { Date(kept: $0.kept) == $0 }.map(\.kept)
    return values.filter { !$0.isNear }.reduce(Bounds(field.isOne(of: moments))) { bounds, value in
      bounds.flatMap { others in Self.bounds(field, .equal, value).map { others || $0 } }
    }
  }

  /// Whether no two milliseconds around it are the same date; so it is until the year 5138.
  private var isNear: Bool { abs(timeIntervalSince1970) < 1e11 }

  private static func from(_ moment: Timestamp?, _ field: Field<Timestamp>) -> Condition {
    moment.map { field >= $0 } ?? .never
  }

  /// The first moment whose date meets what all later ones do as well.
  private static func firstMoment(where isMet: (Date) -> Bool) -> Timestamp? {
    func isMetAt(_ moment: Int64) -> Bool {
      isMet(Date(kept: Timestamp(rawValue: moment)))
    }
    guard isMetAt(.max) else { return nil }
    var (low, high) = (Int64.min, Int64.max)
    while low < high {
      // Half of the sum, which may be beyond what the type reaches.
      let middle = (low & high) + (low ^ high) >> 1
      if isMetAt(middle) { high = middle } else { low = middle + 1 }
    }
    return Timestamp(rawValue: low)
  }
}
