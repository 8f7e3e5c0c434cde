package import EventStore
package import Foundation

/// Rows keep moments in whole milliseconds; a date between two goes to the nearer one.
extension Date: PropertyValue {
  /// The moment as a date.
  package init?(kept: Timestamp) {
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
    if value.timeIntervalSinceReferenceDate.isNaN { return .never }
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

  private static func from(_ moment: Timestamp?, _ field: Field<Timestamp>) -> Condition {
    moment.map { field >= $0 } ?? .never
  }

  /// The first moment whose date meets what all later ones do as well.
  private static func firstMoment(where isMet: (Date) -> Bool) -> Timestamp? {
    func isMetAt(_ moment: Int64) -> Bool {
      Date(kept: Timestamp(rawValue: moment)).map(isMet) ?? false
    }
    guard isMetAt(.max) else { return nil }
    var (low, high) = (Int64.min, Int64.max)
    while low < high {
      let middle = low + Int64(truncatingIfNeeded: low.distance(toMagnitude: high) / 2)
      if isMetAt(middle) { high = middle } else { low = middle + 1 }
    }
    return Timestamp(rawValue: low)
  }
}

extension Int64 {
  /// How far a greater number lies away, which may be further than the type reaches.
  fileprivate func distance(toMagnitude other: Int64) -> UInt64 {
    UInt64(bitPattern: other &- self)
  }
}
