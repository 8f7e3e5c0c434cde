package import EventStore

/// A type of model property, with its representation in rows.
package protocol PropertyValue: Hashable, Sendable {
  /// The type that rows store.
  associatedtype Stored: FieldValue
  /// Creates the value from its stored form; `nil` if that is invalid.
  init?(kept: Stored)
  /// The stored form of the value.
  var kept: Stored { get }
  /// Returns bounds for rows whose present value has the relation; `nil` if no condition can tell.
  static func bounds(_ field: Field<Stored>, _ relation: Relation, _ value: Self) -> Bounds?
  /// Returns bounds for rows with one of these values; `nil` if no condition can tell.
  static func bounds(_ field: Field<Stored>, isOneOf values: [Self]) -> Bounds?
}

extension PropertyValue {
  /// `nil`: no condition can tell.
  package static func bounds(
    _ field: Field<Stored>, _ relation: Relation, _ value: Self
  ) -> Bounds? { nil }

  /// Combines the bounds for equality with each value.
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
  /// Returns the condition that a field's value has this relation to another.
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
  /// Matches rows with this value.
  package static func bounds(
    _ field: Field<Bool>, _ relation: Relation, _ value: Bool
  ) -> Bounds? { equals(field, relation, value) }
}

extension Int: PropertyValue {
  /// Matches rows whose number has the relation to `value`.
  package static func bounds(
    _ field: Field<Int>, _ relation: Relation, _ value: Int
  ) -> Bounds? { Bounds(relation.condition(field, value)) }

  /// Matches rows with one of these numbers.
  package static func bounds(_ field: Field<Int>, isOneOf values: [Int]) -> Bounds? {
    Bounds(field.isOne(of: values))
  }
}

extension UInt32: PropertyValue {
  /// The number, or `nil` if it is out of range.
  package init?(kept: Int64) { self.init(exactly: kept) }
  /// The number.
  package var kept: Int64 { Int64(self) }

  /// Matches rows whose number has the relation to `value`.
  package static func bounds(
    _ field: Field<Int64>, _ relation: Relation, _ value: UInt32
  ) -> Bounds? { Bounds(relation.condition(field, Int64(value))) }
}

extension Set<String>: PropertyValue {}

extension TextReference: PropertyValue {}

extension [Participant]: PropertyValue {}
