import TestSupport

/// The number of histories that tests run: a few by default, many in a long run.
enum Prove {
  static let isAsked = Campaign.isLong
  static let seeds: ClosedRange<UInt64> = isAsked ? 1...100 : 1...3
}
