/// What a case is asked for: a metric, beside a peer's, and the target that it has to reach.
package struct Claim: Sendable, Hashable {
  package let metric: Metric

  /// The case of the same workload, run in the same rounds, that this one is put beside.
  package let peer: String?

  package let target: Target?

  /// A figure by itself, with a limit in its own unit if it has one.
  package init(_ metric: Metric, atMost limit: Double? = nil) {
    self.metric = metric
    peer = nil
    target = limit.map { .atMost($0) }
  }

  /// A figure by itself, that is to be no lower.
  package init(_ metric: Metric, atLeast limit: Double) {
    self.metric = metric
    (peer, target) = (nil, .atLeast(limit))
  }

  /// A figure beside the same one of the case named `peer`.
  package init(_ metric: Metric, against peer: String, _ target: Target? = nil) {
    self.metric = metric
    self.peer = peer
    self.target = target
  }
}
