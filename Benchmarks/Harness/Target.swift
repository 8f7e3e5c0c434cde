/// A target for a figure at the real size.
package enum Target: Sendable, Hashable {
  /// At least a multiple of the peer's figure.
  case ratioAtLeast(Double)
  /// At most a multiple of the peer's figure.
  case ratioAtMost(Double)
  /// At most an amount, in the figure's unit.
  case atMost(Double)
  /// At least an amount, in the figure's unit.
  case atLeast(Double)
  /// At most an amount above the peer's figure, in its unit.
  case atMostAbove(Double)

  /// Whether a figure and its ratio to the peer's meet the target; `nil` if that was not measured.
  package func isMet(by value: Double?, ratio: Double?) -> Bool? {
    switch self {
    case .ratioAtLeast(let bound): ratio.map { $0 >= bound }
    case .ratioAtMost(let bound): ratio.map { $0 <= bound }
    case .atMost(let bound): value.map { $0 <= bound }
    case .atLeast(let bound): value.map { $0 >= bound }
    case .atMostAbove(let bound): difference(value, ratio).map { $0 <= bound }
    }
  }

  /// Returns the figure that just meets the target, given the peer's.
  package func bound(peer: Double?) -> Double? {
    switch self {
    case .ratioAtLeast(let bound), .ratioAtMost(let bound): peer.map { $0 * bound }
    case .atMost(let bound), .atLeast(let bound): bound
    case .atMostAbove(let bound): peer.map { $0 + bound }
    }
  }

  /// Returns the difference between a figure and the peer's.
  private func difference(_ value: Double?, _ ratio: Double?) -> Double? {
    guard let value, let ratio, ratio > 0 else { return nil }
    return value - value / ratio
  }
}

extension Target: CustomStringConvertible {
  /// The target for people: "≥ 0.6×".
  package var description: String {
    switch self {
    case .ratioAtLeast(let bound): "≥ \(chosen(bound))×"
    case .ratioAtMost(let bound): "≤ \(chosen(bound))×"
    case .atMost(let bound): "≤ \(chosen(bound))"
    case .atLeast(let bound): "≥ \(chosen(bound))"
    case .atMostAbove(let bound): "≤ +\(chosen(bound))"
    }
  }
}
