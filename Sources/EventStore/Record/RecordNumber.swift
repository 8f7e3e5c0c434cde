/// The place of a record in its log: 1 for the first, and one more for each that follows.
public struct RecordNumber: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  /// The number itself.
  public let rawValue: UInt64

  /// A record number; 0 stands before the first record.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The place before the first record.
  public static let zero = RecordNumber(rawValue: 0)

  /// Whether one stands before the other.
  public static func < (a: RecordNumber, b: RecordNumber) -> Bool { a.rawValue < b.rawValue }
}

extension RecordNumber: Strideable {
  /// How many records on the other is.
  public func distance(to other: RecordNumber) -> Int {
    Int(truncatingIfNeeded: other.rawValue &- rawValue)
  }

  /// The number so many records on.
  public func advanced(by count: Int) -> RecordNumber {
    RecordNumber(rawValue: rawValue &+ UInt64(truncatingIfNeeded: count))
  }
}

extension [ClosedRange<RecordNumber>] {
  /// Lengthens the last stretch by a number that comes right behind it; says whether it does.
  mutating func lengthen(by number: RecordNumber) -> Bool {
    guard let last, last.upperBound.advanced(by: 1) == number else { return false }
    self[endIndex - 1] = last.lowerBound...number
    return true
  }

  /// Adds a number that is behind all others.
  package mutating func add(_ number: RecordNumber) {
    if !lengthen(by: number) { append(number...number) }
  }
}

extension RecordNumber: ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// A record number as it is written in code.
  public init(integerLiteral value: UInt64) { self.init(rawValue: value) }

  /// The number in decimal.
  public var description: String { String(rawValue) }
}
