/// The part of a list that a subscriber sees: its rows from one index up to another.
package struct ListWindow: Sendable, Hashable {
  /// The index of the first row.
  package let lowerBound: Int
  /// The index after the last row; `Int.max` if the window is unbounded.
  package let upperBound: Int
  /// Whether the window also includes the number of rows in the whole list.
  package let hasTotal: Bool

  /// Creates a window of the rows from `lowerBound` up to, but not including, `upperBound`; indices
  /// below 0 don't count, as around the first rows.
  package init(lowerBound: Int = 0, upperBound: Int = .max, hasTotal: Bool = false) {
    self.lowerBound = max(lowerBound, 0)
    self.upperBound = max(upperBound, self.lowerBound)
    self.hasTotal = hasTotal
  }

  /// Creates the window that a range of any kind names, which is empty if it ends before the first
  /// row.
  package init(_ range: some RangeExpression<Int>, hasTotal: Bool = false) {
    let range = range.relative(to: AllIndices())
    self.init(lowerBound: range.lowerBound, upperBound: range.upperBound, hasTotal: hasTotal)
  }

  /// The whole list.
  package static let all = ListWindow()

  /// Returns the number of rows in the window of a list with `total` rows.
  package func count(of total: Int) -> Int {
    max(min(total, upperBound) - lowerBound, 0)
  }

  @inline(__always)
  func contains(_ index: Int) -> Bool { index >= lowerBound && index < upperBound }
}

/// All indices that a range can name, so that none is too small or too large for it.
private struct AllIndices: Collection {
  let startIndex = Int.min
  let endIndex = Int.max

  func index(after index: Int) -> Int { index == .max ? .max : index + 1 }

  subscript(index: Int) -> Int { index }
}
