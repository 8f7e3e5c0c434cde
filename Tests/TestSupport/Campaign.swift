import Foundation

/// How much work the tests put in: a taste by default, all of it when `Scripts/prove` runs them.
package enum Campaign {
  /// Whether this is the long run.
  package static let isLong = ProcessInfo.processInfo.environment["TIDELINE_PROVE"] == "1"

  /// The one number by default, the other in the long run.
  package static func size(_ short: Int, long: Int) -> Int { isLong ? long : short }

  /// The seeds of random histories: so many from 0 on, or those that `TIDELINE_SEED` in the
  /// environment names, which is one, as in `7`, or several, as in `50..<200`.
  package static func seeds(_ short: Int, long: Int) -> Range<UInt64> {
    chosenSeeds ?? 0..<UInt64(size(short, long: long))
  }

  /// The seeds that the environment names, if it does.
  package static let chosenSeeds: Range<UInt64>? = {
    let bounds = ProcessInfo.processInfo.environment["TIDELINE_SEED"]?.split(separator: "..<")
    guard let bounds, let first = bounds.first.flatMap({ UInt64($0) }) else { return nil }
    return first..<(bounds.dropFirst().first.flatMap { UInt64($0) } ?? first + 1)
  }()
}
