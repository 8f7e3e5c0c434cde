/// A search for the first record after which a condition holds; its state can be saved and resumed
/// later.
///
///     var bisection = Bisection(after: 0, through: 1_000_000)
///     while let number = bisection.next { bisection.note(number, isSo: ask(number)) }
///     show(bisection.found)
///
/// The answer is exact if the condition, once it holds, keeps holding. Otherwise it is some record
/// after which the condition holds, but not after the record before it.
public struct Bisection: Sendable, Hashable, Codable {
  /// A probed record and whether the condition held after it.
  public struct Probe: Sendable, Hashable, Codable {
    /// The record.
    public let number: RecordNumber
    /// Whether the condition held.
    public let isSo: Bool
  }

  /// The last record after which the condition is known, or assumed, not to hold.
  public private(set) var low: RecordNumber
  /// The first record after which the condition is known to hold; one past the last if none is
  /// known.
  public private(set) var high: RecordNumber
  /// The probes made, in order.
  public private(set) var probes: [Probe] = []

  /// Creates a search between two records: the condition doesn't hold after the first, and may hold
  /// after the last.
  public init(after first: RecordNumber, through last: RecordNumber) {
    precondition(first <= last, "from \(first) to \(last) is backwards")
    (low, high) = (first, last.advanced(by: 1))
    end = high
  }

  private let end: RecordNumber
  /// The divisor of the remaining range that gives the step between two places.
  private static let part = 8

  /// The next record to probe, first the last, then one in the middle; `nil` if the answer is
  /// known.
  public var next: RecordNumber? { next(near: nil) }

  /// The first record after which the condition holds; `nil` if there is none or it is not known
  /// yet.
  public var found: RecordNumber? {
    isOver && high < end ? high : nil
  }

  /// Whether the answer is known.
  public var isOver: Bool { low.distance(to: high) <= 1 }

  /// Like ``next``, but prefers the given places, which are cheap to reach.
  ///
  /// Between two of them it picks a record a little after the first, as going forward costs less
  /// than going back and forward again.
  func next(near places: [RecordNumber]?) -> RecordNumber? {
    guard !isOver else { return nil }
    guard high < end else { return end.advanced(by: -1) }
    let distance = low.distance(to: high)
    let middle = low.advanced(by: distance / 2)
    guard let places else { return middle }
    let inside = places.filter { low < $0 && $0 < high }
    return inside.min { abs($0.distance(to: middle)) < abs($1.distance(to: middle)) }
      ?? low.advanced(by: max(distance / Self.part, 1))
  }

  /// Notes whether the condition holds after a record.
  public mutating func note(_ number: RecordNumber, isSo: Bool) {
    probes.append(Probe(number: number, isSo: isSo))
    if isSo { high = min(high, number) } else { low = max(low, number) }
  }
}

extension Replay {
  /// Searches for the first record after which a condition holds, continuing an earlier search.
  ///
  /// Snapshots are probed first, until the answer lies between two of them; the replay then
  /// advances from the first of the two.
  ///
  /// - Parameters:
  ///   - bisection: The search so far. It is updated along the way so that the search can continue
  ///     if it ends early.
  ///   - scanMax: The largest range within which each record is tested in turn instead.
  ///   - isSo: Tests the rows and lists after a record; it must not move the replay.
  /// - Returns: The record, or `nil` if the condition never holds.
  /// - Complexity: O(log *n*) probes, plus the moves between them.
  /// - Throws: ``StoreError``; any error from `isSo`, which ends the search.
  public func bisect(
    _ bisection: inout Bisection, scanMax: Int = 0, _ isSo: (Replay) throws -> Bool
  ) throws -> RecordNumber? {
    let places = snapshots?.numbers ?? []
    while let number = bisection.next(near: places) {
      if bisection.hasEnd, bisection.low.distance(to: bisection.high) <= scanMax {
        try scan(&bisection, isSo)
      } else {
        try advance(to: number)
        bisection.note(number, isSo: try isSo(self))
      }
    }
    return bisection.found
  }

  /// Tests each record in turn.
  private func scan(_ bisection: inout Bisection, _ isSo: (Replay) throws -> Bool) throws {
    try advance(to: bisection.low)
    while !bisection.isOver {
      let number = bisection.low.advanced(by: 1)
      try goOn(to: number)
      bisection.note(number, isSo: try isSo(self))
    }
  }
}

extension Bisection {
  /// Whether the condition is known to hold somewhere.
  fileprivate var hasEnd: Bool { high < end }
}
