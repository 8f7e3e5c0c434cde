import TestSupport

/// How many histories the tests go through: a few by default, many in the long run.
enum Prove {
  static let isAsked = Campaign.isLong
  static let seeds: ClosedRange<UInt64> = isAsked ? 1...100 : 1...3
}
