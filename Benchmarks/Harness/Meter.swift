import Foundation

/// Times work, and counts what the process wrote and allocated meanwhile.
package struct Meter: Sendable {
  private let allocations: @Sendable () -> Int?
  private let clock = ContinuousClock()

  /// - Parameter allocations: heap blocks asked for since the process began, `nil` if not known.
  package init(allocations: @escaping @Sendable () -> Int? = { nil }) {
    self.allocations = allocations
  }

  /// Runs `body` once, which handles `events` events and returns a hash of its result.
  package func measure(
    events: Int, _ body: () async throws -> UInt64
  ) async rethrows -> Sample {
    try await measureEach(1, events: events) { _ in try await body() }
  }

  /// Runs `body` `count` times and times each run; it handles one event unless `events`, the
  /// number for all runs together, says otherwise.
  package func measureEach(
    _ count: Int, events: Int? = nil, _ body: (Int) async throws -> UInt64
  ) async rethrows -> Sample {
    try await measureEach(count, events: events, body, after: { _ in })
  }

  /// The same, with more around it.
  /// - Parameters:
  ///   - operations: how many operations `body` does each time, where one alone is too short for
  ///     the clock; a duration is then the mean of so many.
  ///   - after: what is done after each run outside of the time, such as to undo it; what it
  ///     writes and allocates is counted.
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

  /// The same, where somebody else saw when each run had reached what counts: the call itself may
  /// go on beyond that.
  package func measureEach(
    _ count: Int, events: Int? = nil, operations: Int = 1,
    reaching body: (Int) async throws -> (end: ContinuousClock.Instant, digest: UInt64),
    after: (Int) async throws -> Void
  ) async rethrows -> Sample {
    var durations: [Duration] = []
    durations.reserveCapacity(count)
    var digest: UInt64 = 0
    // Reading the bytes allocates, so it stays outside of the allocations' count.
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

  /// Bytes this process has handed to `write` and its kin, where the system says.
  private static func bytesWritten() -> Int? {
    ProcessFile("/proc/self/io").number(after: "wchar:")
  }
}
