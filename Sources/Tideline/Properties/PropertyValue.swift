package import EventStore

/// A type that a model's properties can have, and how a row holds its values.
package protocol PropertyValue: Hashable, Sendable {
  /// What a row holds.
  associatedtype Stored: FieldValue
  /// The value that a row holds, or `nil` where it is none.
  init?(kept: Stored)
  /// What a row holds for the value.
  var kept: Stored { get }
  /// Which rows with a value have one that stands so to this; `nil` where no condition can tell.
  static func bounds(_ field: Field<Stored>, _ relation: Relation, _ value: Self) -> Bounds?
  /// Which rows have one of these values; `nil` where no condition can tell.
  static func bounds(_ field: Field<Stored>, isOneOf values: [Self]) -> Bounds?
}

extension PropertyValue {
  /// No condition tells.
  package static func bounds(
    _ field: Field<Stored>, _ relation: Relation, _ value: Self
  ) -> Bounds? { nil }

  /// Those that are equal to one of them.
  package static func bounds(_ field: Field<Stored>, isOneOf values: [Self]) -> Bounds? {
    values.reduce(.never) { bounds, value in
      bounds.flatMap { others in Self.bounds(field, .equal, value).map { others || $0 } }
    }
  }
}

extension PropertyValue where Stored == Self {
  /// The value itself.
  package init?(kept: Stored) { self = kept }
  /// The value itself.
  package var kept: Stored { self }

  static func equals(_ field: Field<Self>, _ relation: Relation, _ value: Self) -> Bounds? {
    relation == .equal ? Bounds(field == value) : nil
  }
}

extension Relation {
  /// The condition that a field's value stands so to another.
  func condition<Value: FieldValue & Comparable>(
    _ field: Field<Value>, _ value: Value
  ) -> Condition {
    switch self {
    case .equal: field == value
    case .less: field < value
    case .lessOrEqual: field <= value
    case .greater: field > value
    case .greaterOrEqual: field >= value
    }
  }
}

extension Bool: PropertyValue {
  /// Rows with this value.
  package static func bounds(
    _ field: Field<Bool>, _ relation: Relation, _ value: Bool
  ) -> Bounds? { equals(field, relation, value) }
}

extension Int: PropertyValue {
  /// Rows whose number stands so to this.
  package static func bounds(
    _ field: Field<Int>, _ relation: Relation, _ value: Int
  ) -> Bounds? { Bounds(relation.condition(field, value)) }

  /// Rows with one of these numbers.
  package static func bounds(_ field: Field<Int>, isOneOf values: [Int]) -> Bounds? {
    Bounds(field.isOne(of: values))
  }
}

extension UInt32: PropertyValue {
  /// The number, where it is in range.
  package init?(kept: Int64) { self.init(exactly: kept) }
  /// The number.
  package var kept: Int64 { Int64(self) }

  /// Rows whose number stands so to this.
  package static func bounds(
    _ field: Field<Int64>, _ relation: Relation, _ value: UInt32
  ) -> Bounds? { Bounds(relation.condition(field, Int64(value))) }
}

extension Set<String>: PropertyValue {}

extension TextReference: PropertyValue {}

extension [Participant]: PropertyValue {}
