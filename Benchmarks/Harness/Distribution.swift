/// The distribution of one or more measured values.
package struct Distribution: Sendable, Hashable {
  private let sorted: [Double]

  /// Creates a distribution; `nil` if there are no values.
  /// - Complexity: O(n log n)
  package init?(_ values: some Sequence<Double>) {
    sorted = values.sorted()
    if sorted.isEmpty { return nil }
  }

  package var minimum: Double { sorted[0] }
  package var maximum: Double { sorted[sorted.count - 1] }

  /// The middle value, or the mean of the two middle values.
  package var median: Double {
    let upper = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[upper - 1] + sorted[upper]) / 2 : sorted[upper]
  }

  /// Returns the smallest value that at least `share` (of 1) of all values do not exceed: the
  /// nearest rank.
  package func percentile(_ share: Double) -> Double {
    precondition((0...1).contains(share), "a share lies between 0 and 1")
    let rank = Int((share * Double(sorted.count)).rounded(.up))
    return sorted[max(rank, 1) - 1]
  }
}
