/// The search for as few records as possible that show a fault, by leaving out ever smaller parts.
///
/// Records keep their numbers, so that what they say of each other stays true.
public struct Minimization: Sendable {
  /// What is left, in ascending order.
  public private(set) var numbers: [RecordNumber]
  /// How often it was asked whether the fault shows.
  public private(set) var trials = 0
  /// How many parts are left out in turn.
  private var granularity = 2

  /// A search among records that show the fault together.
  public init(_ numbers: [RecordNumber]) { self.numbers = numbers }

  /// Leaves out whatever the fault doesn't need, until no single record can be left out.
  ///
  /// - Parameter shows: Whether some records show the fault.
  /// - Complexity: O(*k* log *n*) questions for a fault that needs *k* of *n* records, O(*n*²) for
  ///   one that depends on them in the worst way.
  /// - Throws: What `shows` throws, which ends the search; what is left then shows the fault.
  public mutating func run(_ shows: ([RecordNumber]) throws -> Bool) throws {
    if try ask([], shows) { numbers = [] }
    while numbers.count > 1 {
      granularity = min(granularity, numbers.count)
      if try reduce(shows) { continue }
      guard granularity < numbers.count else { return }
      granularity *= 2
    }
  }

  /// Goes over to a part that shows the fault alone, or leaves out each part that isn't needed.
  private mutating func reduce(_ shows: ([RecordNumber]) throws -> Bool) throws -> Bool {
    let parts = Self.parts(numbers, granularity)
    for part in parts where try ask(Array(part), shows) {
      (numbers, granularity) = (Array(part), 2)
      return true
    }
    guard granularity > 2 else { return false }
    var isLess = false
    // From the end: what comes later needs what came before, and seldom the other way round.
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
