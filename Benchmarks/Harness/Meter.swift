import Foundation

/// Times work, and counts the bytes and allocations of the process meanwhile.
package struct Meter: Sendable {
  private let allocations: @Sendable () -> Int?
  private let clock = ContinuousClock()

  /// - Parameter allocations: The heap allocations since the process began; `nil` if unknown.
  package init(allocations: @escaping @Sendable () -> Int? = { nil }) {
    self.allocations = allocations
  }

  /// Runs `body` once; it handles `events` events and returns a hash of its result.
  package func measure(
    events: Int, _ body: () async throws -> UInt64
  ) async rethrows -> Sample {
    try await measureEach(1, events: events) { _ in try await body() }
  }

  /// Runs `body` `count` times and times each run; `events` is the total number of events, by
  /// default one per run.
  package func measureEach(
    _ count: Int, events: Int? = nil, _ body: (Int) async throws -> UInt64
  ) async rethrows -> Sample {
    try await measureEach(count, events: events, body, after: { _ in })
  }

  /// Measures as the method above, with more options.
  /// - Parameters:
  ///   - operations: The number of operations in each call of `body`, if one alone is too short for
  ///     the clock; durations are then means.
  ///   - after: Untimed work after each run, such as undoing it; its writes and allocations are
  ///     counted.
  package func measureEach(
    _ count: Int, events: Int? = nil, operations: Int = 1,
    _ body: (Int) async throws -> UInt64, after: (Int) async throws -> Void
  ) async rethrows -> Sample {
    try await measureEach(
      count, events: events, operations: operations,
      reaching: { index in
        let digest = try await body(index)
        return (ContinuousClock.now, digest)
      }, after: after)
  }

  /// Measures runs whose end is observed elsewhere; the call itself may take longer.
  package func measureEach(
    _ count: Int, events: Int? = nil, operations: Int = 1,
    reaching body: (Int) async throws -> (end: ContinuousClock.Instant, digest: UInt64),
    after: (Int) async throws -> Void
  ) async rethrows -> Sample {
    var durations: [Duration] = []
    durations.reserveCapacity(count)
    var digest: UInt64 = 0
    // Reading the bytes allocates, so it stays outside of the allocation count.
    let bytesBefore = Self.bytesWritten()
    let allocationsBefore = allocations()
    for index in 0..<count {
      let start = clock.now
      let (end, part) = try await body(index)
      durations.append((end - start) / operations)
      digest = digest &* 0x9E37_79B9_7F4A_7C15 &+ part
      try await after(index)
    }
    let allocationsAfter = allocations()
    let bytesAfter = Self.bytesWritten()

    var sample = Sample(digest: digest)
    sample.durations = durations
    sample.events = events ?? count * operations
    sample.allocations = difference(allocationsAfter, allocationsBefore)
    sample.bytesWritten = difference(bytesAfter, bytesBefore)
    return sample
  }

  private func difference(_ after: Int?, _ before: Int?) -> Int? {
    guard let after, let before else { return nil }
    return after - before
  }

  /// Returns the bytes this process has passed to `write` and its kin, if the system tells.
  private static func bytesWritten() -> Int? {
    ProcessFile("/proc/self/io").number(after: "wchar:")
  }
}
