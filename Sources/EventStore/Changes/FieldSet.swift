/// A set of the fields of a collection, by their numbers from 1 to 64.
public struct FieldSet: OptionSet, Hashable, Sendable, Codable {
  /// A bit for each field: the lowest for the field numbered 1.
  public let rawValue: UInt64

  /// Creates a set from the bits of its fields.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Creates a set of one field.
  public init(field number: Int) {
    precondition(1...64 ~= number, "a field has a number from 1 to 64")
    rawValue = 1 << UInt64(number - 1)
  }

  /// Returns whether the set contains the field with a number.
  public func contains(field number: Int) -> Bool { contains(FieldSet(field: number)) }

  /// The number of fields in the set.
  public var count: Int { rawValue.nonzeroBitCount }

  /// The numbers of the fields, ascending.
  public var numbers: [Int] {
    var numbers: [Int] = []
    numbers.reserveCapacity(count)
    forEach { numbers.append($0) }
    return numbers
  }

  /// Calls `body` with the number of each field, ascending.
  @inline(__always)
  package func forEach(_ body: (Int) -> Void) {
    for field in FieldNumbers(rawValue) { body(field + 1) }
  }
}
