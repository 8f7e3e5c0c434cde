/// One thing to say of a sample, in a unit.
package enum Metric: Sendable, Hashable {
  /// Events per second of timed work.
  case rate
  /// The median time of one operation, in microseconds; its p99 stands beside it.
  case latency
  /// The mean time per event, in nanoseconds: for work too short to be timed one by one.
  case cost
  /// How many times its median the p99 of one operation takes.
  case unevenness
  /// How many times as long as the first tenth of the operations the last tenth takes.
  case slowdown
  /// Bytes written per event.
  case bytesWritten
  /// Heap blocks asked for per event.
  case allocations
  /// The case's own quantity.
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

  /// The value for one round; `nil` where this platform does not count it.
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

  /// The time that 99 of 100 operations did not exceed; only latencies have one.
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

  /// `nil` where there are too few operations for tenths.
  fileprivate var slowdown: Double? {
    let tenth = durations.count / 10
    guard tenth > 0 else { return nil }
    return durations.suffix(tenth).reduce(.zero, +) / durations.prefix(tenth).reduce(.zero, +)
  }

  fileprivate var microseconds: Distribution? {
    Distribution(durations.map { $0 / .microseconds(1) })
  }
}
