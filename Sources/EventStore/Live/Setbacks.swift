/// How often records that were shown were taken back, because they did not reach the log or took
/// another place in it.
///
/// Their numbers go to other records. A number that was noted before may thus mean a record that
/// came later.
package struct Setbacks: Sendable {
  /// The number of setbacks.
  package private(set) var count = 0
  /// The last records that certainly stayed, each in one of the latest setbacks.
  private var floors: [RecordNumber] = []

  /// The most setbacks of which the floor is known.
  private static let floorsMax = 16

  /// Creates a value without setbacks.
  package init() {}

  /// Notes a setback in which everything stayed up to a record.
  package mutating func add(downTo floor: RecordNumber) {
    count += 1
    floors.append(floor)
    if floors.count > Self.floorsMax { floors.removeFirst() }
  }

  /// Returns a record up to which everything stayed since there were `count` setbacks; `nil` if
  /// there was no other.
  package func floor(since count: Int) -> RecordNumber? {
    let setbacks = self.count - count
    guard setbacks > 0 else { return nil }
    guard setbacks <= floors.count else { return .zero }
    return floors.suffix(setbacks).min()
  }

  /// Returns a record, or the last one that stayed since there were `count` setbacks, if that is
  /// earlier.
  package func kept(_ number: RecordNumber, since count: Int) -> RecordNumber {
    floor(since: count).map { min($0, number) } ?? number
  }
}
