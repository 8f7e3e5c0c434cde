/// A measure of a sample, in a unit.
package enum Metric: Sendable, Hashable {
  /// Events per second of timed work.
  case rate
  /// The median time of one operation, in microseconds, along with its p99.
  case latency
  /// The mean time per event, in nanoseconds: for work too short to time individually.
  case cost
  /// The p99 of one operation divided by its median.
  case unevenness
  /// The time of the last tenth of the operations divided by that of the first tenth.
  case slowdown
  /// Bytes written per event.
  case bytesWritten
  /// Heap allocations per event.
  case allocations
  /// A quantity specific to the case.
  case amount(unit: String)

  package var unit: String {
    switch self {
    case .rate: "events/s"
    case .latency: "µs"
    case .cost: "ns/event"
    case .unevenness: "p99/p50"
    case .slowdown: "last/first tenth"
    case .bytesWritten: "B/event"
    case .allocations: "allocations/event"
    case .amount(let unit): unit
    }
  }

  /// Returns the value for one round; `nil` if this platform does not measure it.
  package func value(of sample: Sample) -> Double? {
    switch self {
    case .rate: perEvent(sample.seconds, sample).map { 1 / $0 }
    case .latency: sample.microseconds?.median
    case .cost: perEvent(sample.seconds * 1e9, sample)
    case .unevenness: sample.microseconds.map { $0.percentile(0.99) / $0.median }
    case .slowdown: sample.slowdown
    case .bytesWritten: perEvent(sample.bytesWritten.map(Double.init), sample)
    case .allocations: perEvent(sample.allocations.map(Double.init), sample)
    case .amount: sample.amount
    }
  }

  /// Returns the p99 of the operations; only latencies have one.
  package func tail(of sample: Sample) -> Double? {
    self == .latency ? sample.microseconds?.percentile(0.99) : nil
  }

  private func perEvent(_ total: Double?, _ sample: Sample) -> Double? {
    guard let total, sample.events > 0 else { return nil }
    return total / Double(sample.events)
  }
}

extension Sample {
  fileprivate var seconds: Double { durations.reduce(.zero, +) / .seconds(1) }

  /// The slowdown; `nil` if there are too few operations for tenths.
  fileprivate var slowdown: Double? {
    let tenth = durations.count / 10
    guard tenth > 0 else { return nil }
    return durations.suffix(tenth).reduce(.zero, +) / durations.prefix(tenth).reduce(.zero, +)
  }

  fileprivate var microseconds: Distribution? {
    Distribution(durations.map { $0 / .microseconds(1) })
  }
}
