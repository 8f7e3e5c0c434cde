/// The part of a list that somebody looks at: its rows from one index up to another.
package struct ListWindow: Sendable, Hashable {
  /// The index of the first row.
  package let lowerBound: Int
  /// The index behind the last; `Int.max` where the window has no end.
  package let upperBound: Int
  /// Whether it also shows how many rows the whole list has.
  package let hasTotal: Bool

  /// The rows from `lowerBound` up to, and without, `upperBound`.
  package init(lowerBound: Int = 0, upperBound: Int = .max, hasTotal: Bool = false) {
    precondition(0 <= lowerBound && lowerBound <= upperBound, "a window is a range of indices")
    self.lowerBound = lowerBound
    self.upperBound = upperBound
    self.hasTotal = hasTotal
  }

  /// The whole list.
  package static let all = ListWindow()

  /// How many rows of a list with so many are in it.
  package func count(of total: Int) -> Int {
    max(min(total, upperBound) - lowerBound, 0)
  }

  @inline(__always)
  func contains(_ index: Int) -> Bool { index >= lowerBound && index < upperBound }
}
