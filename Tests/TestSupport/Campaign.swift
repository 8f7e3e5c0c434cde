import Foundation

/// The amount of work the tests do: a sample by default, everything when `Scripts/prove` runs them.
package enum Campaign {
  /// Whether this is the long run.
  package static let isLong = ProcessInfo.processInfo.environment["TIDELINE_PROVE"] == "1"

  /// Returns `short` by default, and `long` in the long run.
  package static func size(_ short: Int, long: Int) -> Int { isLong ? long : short }

  /// The seeds of random histories: `0..<count` by default, or those that `TIDELINE_SEED` in the
  /// environment names, either one, as in `7`, or a range, as in `50..<200`.
  package static func seeds(_ short: Int, long: Int) -> Range<UInt64> {
    chosenSeeds ?? 0..<UInt64(size(short, long: long))
  }

  /// The seeds that the environment names, if any.
  package static let chosenSeeds: Range<UInt64>? = {
    let bounds = ProcessInfo.processInfo.environment["TIDELINE_SEED"]?.split(separator: "..<")
    guard let bounds, let first = bounds.first.flatMap({ UInt64($0) }) else { return nil }
    return first..<(bounds.dropFirst().first.flatMap { UInt64($0) } ?? first + 1)
  }()
}
