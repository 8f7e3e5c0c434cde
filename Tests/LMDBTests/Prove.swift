import Foundation

/// How thorough the tests are: quick by default, slow and sure where `TIDELINE_PROVE` is 1.
enum Prove {
  static let isAsked = ProcessInfo.processInfo.environment["TIDELINE_PROVE"] == "1"
  static let seeds: ClosedRange<UInt64> = isAsked ? 1...100 : 1...3
}
