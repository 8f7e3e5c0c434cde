/// The position of a record in its log: 1 for the first, and one more for each that follows.
public struct RecordNumber: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  /// The number itself.
  public let rawValue: UInt64

  /// Creates a record number; 0 precedes the first record.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The number before the first record.
  public static let zero = RecordNumber(rawValue: 0)

  /// Whether one number precedes the other.
  public static func < (a: RecordNumber, b: RecordNumber) -> Bool { a.rawValue < b.rawValue }
}

extension RecordNumber: Strideable {
  /// Returns the distance to another number, in records.
  public func distance(to other: RecordNumber) -> Int {
    Int(truncatingIfNeeded: other.rawValue &- rawValue)
  }

  /// Returns the number that many records later.
  public func advanced(by count: Int) -> RecordNumber {
    RecordNumber(rawValue: rawValue &+ UInt64(truncatingIfNeeded: count))
  }
}

extension [ClosedRange<RecordNumber>] {
  /// Extends the last range by a number that directly follows it; returns whether it does.
  mutating func lengthen(by number: RecordNumber) -> Bool {
    guard let last, last.upperBound.advanced(by: 1) == number else { return false }
    self[endIndex - 1] = last.lowerBound...number
    return true
  }

  /// Adds a number that exceeds all others.
  package mutating func add(_ number: RecordNumber) {
    if !lengthen(by: number) { append(number...number) }
  }
}

extension RecordNumber: ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// Creates a record number from a literal.
  public init(integerLiteral value: UInt64) { self.init(rawValue: value) }

  /// The number in decimal.
  public var description: String { String(rawValue) }
}
