/// A set of the fields of a collection, by their numbers from 1 to 64.
public struct FieldSet: OptionSet, Hashable, Sendable, Codable {
  /// A bit for each field: the lowest for the field numbered 1.
  public let rawValue: UInt64

  /// The set of the fields whose bits are given.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The set of one field.
  public init(field number: Int) {
    precondition(1...64 ~= number, "a field has a number from 1 to 64")
    rawValue = 1 << UInt64(number - 1)
  }

  /// Whether the field of that number belongs to it.
  public func contains(field number: Int) -> Bool { contains(FieldSet(field: number)) }

  /// How many fields belong to it.
  public var count: Int { rawValue.nonzeroBitCount }

  /// The numbers of its fields, ascending.
  public var numbers: [Int] {
    var numbers: [Int] = []
    numbers.reserveCapacity(count)
    forEach { numbers.append($0) }
    return numbers
  }

  /// Calls with the number of each field, ascending.
  @inline(__always)
  package func forEach(_ body: (Int) -> Void) {
    var rest = rawValue
    while rest != 0 {
      body(rest.trailingZeroBitCount + 1)
      rest &= rest - 1
    }
  }
}
