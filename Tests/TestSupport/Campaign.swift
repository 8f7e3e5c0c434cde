import Foundation

/// How much work the tests put in: a taste by default, all of it when `Scripts/prove` runs them.
package enum Campaign {
  /// Whether this is the long run.
  package static let isLong = ProcessInfo.processInfo.environment["TIDELINE_PROVE"] == "1"

  /// The one number by default, the other in the long run.
  package static func size(_ short: Int, long: Int) -> Int { isLong ? long : short }
}
