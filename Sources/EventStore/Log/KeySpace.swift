/// The division of the table's keys: the log's records are under their numbers, and a baseline's
/// after them, in one of two alternating areas.
enum KeySpace {
  private static let shift: UInt64 = 62

  /// The first key beyond the log's own records.
  static let end: UInt64 = 1 << shift
  /// The area of the log's own records.
  static let log: UInt64 = 0
  /// The areas available to baselines.
  static let baselines: ClosedRange<UInt64> = 1...2

  /// Returns the key of a record in an area.
  @inline(__always)
  static func key(_ number: RecordNumber, in area: UInt64) -> UInt64 {
    area << shift | number.rawValue
  }

  /// Returns the keys of an area.
  static func range(of area: UInt64) -> Range<UInt64> { area << shift..<(area + 1) << shift }

  /// Returns the area of a key.
  @inline(__always)
  static func area(of key: UInt64) -> UInt64 { key >> shift }

  /// Returns the number of the record under a key.
  @inline(__always)
  static func number(of key: UInt64) -> RecordNumber {
    RecordNumber(rawValue: key & (end - 1))
  }
}
