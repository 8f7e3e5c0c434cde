/// How the table's keys are shared: a record of the log stands under its number, and one of a
/// baseline behind all of those, in one of two areas, which take turns.
enum KeySpace {
  private static let shift: UInt64 = 62

  /// The first key that no record of the log itself has.
  static let end: UInt64 = 1 << shift
  /// The area of the records that are no baseline's.
  static let log: UInt64 = 0
  /// The areas that a baseline may be in.
  static let baselines: ClosedRange<UInt64> = 1...2

  /// The key of a record in an area.
  @inline(__always)
  static func key(_ number: RecordNumber, in area: UInt64) -> UInt64 {
    area << shift | number.rawValue
  }

  /// The keys of an area.
  static func range(of area: UInt64) -> Range<UInt64> { area << shift..<(area + 1) << shift }

  /// The area of a key.
  @inline(__always)
  static func area(of key: UInt64) -> UInt64 { key >> shift }

  /// The number of the record that stands under a key.
  @inline(__always)
  static func number(of key: UInt64) -> RecordNumber {
    RecordNumber(rawValue: key & (end - 1))
  }
}
