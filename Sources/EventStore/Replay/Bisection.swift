/// The search for the first record behind which something is so: a state that can be kept, and gone
/// on with later.
///
///     var bisection = Bisection(after: 0, through: 1_000_000)
///     while let number = bisection.next { bisection.note(number, isSo: ask(number)) }
///     show(bisection.found)
///
/// What is asked should once be so and stay so: then the answer is exact. Otherwise it is a record
/// behind which it is so while it wasn't behind the one probed before.
public struct Bisection: Sendable, Hashable, Codable {
  /// A record that was probed, and whether it was so behind it.
  public struct Probe: Sendable, Hashable, Codable {
    /// The record.
    public let number: RecordNumber
    /// Whether it was so.
    public let isSo: Bool
  }

  /// The last record behind which it is known, or said, not to be so.
  public private(set) var low: RecordNumber
  /// The first record behind which it is known to be so; behind the last of all where none is yet.
  public private(set) var high: RecordNumber
  /// What was probed, in order.
  public private(set) var probes: [Probe] = []

  /// A search between two records: it is not so behind the first, and perhaps so behind the last.
  public init(after first: RecordNumber, through last: RecordNumber) {
    precondition(first <= last, "from \(first) to \(last) is backwards")
    (low, high) = (first, last.advanced(by: 1))
    end = high
  }

  private let end: RecordNumber
  /// The part of what is left that is gone on by between two places.
  private static let part = 8

  /// The record to be probed next: the last at first, then one in the middle; `nil` where the
  /// answer is known.
  public var next: RecordNumber? { next(near: nil) }

  /// The first record behind which it is so; `nil` where it is nowhere, or not known yet.
  public var found: RecordNumber? {
    isOver && high < end ? high : nil
  }

  /// Whether the answer is known.
  public var isOver: Bool { low.distance(to: high) <= 1 }

  /// As ``next``, but one of some places, those that are cheap to go to; and between two of them a
  /// little behind the first, as going on costs less than going back and on again.
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

  /// Notes whether it is so behind a record.
  public mutating func note(_ number: RecordNumber, isSo: Bool) {
    probes.append(Probe(number: number, isSo: isSo))
    if isSo { high = min(high, number) } else { low = max(low, number) }
  }
}

extension Replay {
  /// Searches for the first record behind which something is so, going on with a search.
  ///
  /// Snapshots are probed first, until the answer lies between two of them; from there on the
  /// replay goes on from the first of the two.
  ///
  /// - Parameters:
  ///   - bisection: What is known; it is kept up to date, so that the search can be gone on with
  ///     where it ends before the answer is there.
  ///   - scanMax: Between how few records each is asked in turn instead.
  ///   - isSo: Is asked with rows and lists behind a record, which it must not move.
  /// - Returns: The record; `nil` where it is nowhere so.
  /// - Complexity: O(log *n*) probes, and the ways between them.
  /// - Throws: ``StoreError``; what `isSo` throws, which ends the search.
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

  /// Asks behind each record in turn.
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
  /// Whether it is known to be so somewhere.
  fileprivate var hasEnd: Bool { high < end }
}
