#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An instant of the machine's monotonic clock.
package struct Instant: Sendable, Comparable, Hashable {
  package let nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The current instant.
  package static var now: Instant {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  package static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }

  package static func + (instant: Instant, duration: Duration) -> Instant {
    let (sum, isTooLate) = instant.nanoseconds.addingReportingOverflow(duration.nanoseconds)
    return Instant(nanoseconds: isTooLate ? .max : sum)
  }

  package static func - (later: Instant, earlier: Instant) -> Duration {
    .nanoseconds(later.nanoseconds - earlier.nanoseconds)
  }
}

extension Duration {
  /// The duration in nanoseconds, rounded towards zero, and clamped to the range of centuries.
  package var nanoseconds: Int64 {
    let (whole, isTooLong) = components.seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !isTooLong else { return components.seconds < 0 ? .min : .max }
    let (sum, overflows) = whole.addingReportingOverflow(components.attoseconds / 1_000_000_000)
    guard !overflows else { return components.seconds < 0 ? .min : .max }
    return sum
  }
}

extension timespec {
  init(nanoseconds: Int64) {
    self.init(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}
