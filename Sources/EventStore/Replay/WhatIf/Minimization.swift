/// A search for as few records as possible that show a fault, by omitting ever smaller parts.
///
/// Records keep their numbers, so that references between them stay valid.
public struct Minimization: Sendable {
  /// The remaining records, in ascending order.
  public private(set) var numbers: [RecordNumber]
  /// The number of trials so far.
  public private(set) var trials = 0
  /// The number of parts omitted in turn.
  private var granularity = 2

  /// Creates a search among records that together show the fault.
  public init(_ numbers: [RecordNumber]) { self.numbers = numbers }

  /// Omits whatever the fault doesn't need, until no single record can be omitted.
  ///
  /// - Parameter shows: Returns whether some records show the fault.
  /// - Complexity: O(*k* log *n*) trials for a fault that needs *k* of *n* records, O(*n*²) in the
  ///   worst case.
  /// - Throws: Any error from `shows`, which ends the search; the remaining records then show the
  ///   fault.
  public mutating func run(_ shows: ([RecordNumber]) throws -> Bool) throws {
    if try ask([], shows) { numbers = [] }
    while numbers.count > 1 {
      granularity = min(granularity, numbers.count)
      if try reduce(shows) { continue }
      guard granularity < numbers.count else { return }
      granularity *= 2
    }
  }

  /// Switches to a part that shows the fault alone, or omits each unneeded part.
  private mutating func reduce(_ shows: ([RecordNumber]) throws -> Bool) throws -> Bool {
    let parts = Self.parts(numbers, granularity)
    for part in parts where try ask(Array(part), shows) {
      (numbers, granularity) = (Array(part), 2)
      return true
    }
    guard granularity > 2 else { return false }
    var isLess = false
    // Go backward: later records need earlier ones, and seldom the other way round.
    for part in parts.reversed() {
      let rest = numbers.filter { !(part[part.startIndex]...part[part.endIndex - 1] ~= $0) }
      guard rest.count < numbers.count, !rest.isEmpty, try ask(rest, shows) else { continue }
      (numbers, isLess) = (rest, true)
      granularity = max(granularity - 1, 2)
    }
    return isLess
  }

  private mutating func ask(
    _ numbers: [RecordNumber], _ shows: ([RecordNumber]) throws -> Bool
  ) rethrows -> Bool {
    trials += 1
    return try shows(numbers)
  }

  private static func parts(
    _ numbers: [RecordNumber], _ count: Int
  ) -> [ArraySlice<RecordNumber>] {
    (0..<count).map { part in
      numbers[(numbers.count * part / count)..<(numbers.count * (part + 1) / count)]
    }
  }
}
