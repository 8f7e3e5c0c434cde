/// What a figure has to reach at the real size.
package enum Target: Sendable, Hashable {
  /// So many times the peer's figure, or more.
  case ratioAtLeast(Double)
  /// So many times the peer's figure, or less.
  case ratioAtMost(Double)
  /// The figure itself, in its unit.
  case atMost(Double)
  /// The figure itself, in its unit.
  case atLeast(Double)
  /// So much more than the peer's figure, or less, in its unit.
  case atMostAbove(Double)

  /// Whether a figure and its ratio to the peer's reach the target; `nil` if that was not measured.
  package func isMet(by value: Double?, ratio: Double?) -> Bool? {
    switch self {
    case .ratioAtLeast(let bound): ratio.map { $0 >= bound }
    case .ratioAtMost(let bound): ratio.map { $0 <= bound }
    case .atMost(let bound): value.map { $0 <= bound }
    case .atLeast(let bound): value.map { $0 >= bound }
    case .atMostAbove(let bound): difference(value, ratio).map { $0 <= bound }
    }
  }

  /// The figure at which the target is just met, given the peer's.
  package func bound(peer: Double?) -> Double? {
    switch self {
    case .ratioAtLeast(let bound), .ratioAtMost(let bound): peer.map { $0 * bound }
    case .atMost(let bound), .atLeast(let bound): bound
    case .atMostAbove(let bound): peer.map { $0 + bound }
    }
  }

  /// How much more a figure is than the peer's.
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
