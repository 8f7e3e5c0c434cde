import Foundation

/// Moments of the machine's clock, as bytes that another process can compare with its own.
enum Clock {
  /// The current moment.
  static var bytes: [UInt8] {
    let now = DispatchTime.now().uptimeNanoseconds
    return (0..<8).map { UInt8(truncatingIfNeeded: now >> ($0 * 8)) }
  }

  /// Returns the time since a moment.
  static func since(_ bytes: [UInt8]) -> Duration {
    let then = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return .nanoseconds(Int64(DispatchTime.now().uptimeNanoseconds) - Int64(then))
  }
}
