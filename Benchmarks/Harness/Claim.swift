/// A claim about a case: a metric, possibly compared with a peer's, and its target.
package struct Claim: Sendable, Hashable {
  package let metric: Metric

  /// The case for comparison, from the same workload and run in the same rounds.
  package let peer: String?

  package let target: Target?

  /// Creates a claim about a figure alone, with an optional limit in its unit.
  package init(_ metric: Metric, atMost limit: Double? = nil) {
    self.metric = metric
    peer = nil
    target = limit.map { .atMost($0) }
  }

  /// Creates a claim about a figure alone, with a lower limit.
  package init(_ metric: Metric, atLeast limit: Double) {
    self.metric = metric
    (peer, target) = (nil, .atLeast(limit))
  }

  /// Creates a claim about a figure, compared with that of the case named `peer`.
  package init(_ metric: Metric, against peer: String, _ target: Target? = nil) {
    self.metric = metric
    self.peer = peer
    self.target = target
  }
}
