/// A line of the report: the result of a claim over all rounds.
package struct Finding: Sendable, Hashable {
  package let workload: String
  package let name: String
  package let size: Int
  package let claim: Claim

  /// The place of the case in a chart of cost by size.
  package let point: CurvePoint?

  /// The values of the rounds; `nil` if this platform does not measure them.
  package let values: Distribution?

  /// The median over the rounds of each round's p99.
  package let tail: Double?

  /// The median over the rounds of this case's figure divided by the peer's in the same round.
  package let ratio: Double?

  /// Whether the target is met; `nil` without a target, at other sizes than the real one, and if it
  /// could not be measured.
  package let met: Bool?

  /// The hash of the work's result.
  package let digest: UInt64
}

/// A case's samples, one per round.
package struct Trial: Sendable {
  package let name: String
  package let claims: [Claim]
  package let point: CurvePoint?
  package var samples: [Sample]

  package init(
    _ name: String, _ claims: [Claim], _ samples: [Sample] = [], at point: CurvePoint? = nil
  ) {
    self.name = name
    self.claims = claims
    self.point = point
    self.samples = samples
  }

  /// Returns one value per round; `nil` if any was not measured.
  fileprivate func values(of metric: Metric) -> [Double]? {
    let values = samples.compactMap(metric.value)
    return values.count == samples.count ? values : nil
  }
}

extension Finding {
  /// Returns the findings of one workload's trials, which ran in the same rounds: one per claim.
  /// - Parameter checked: Whether targets count at this size.
  package static func all(
    of workload: String, size: Int, checked: Bool, _ trials: [Trial]
  ) -> [Finding] {
    trials.flatMap { trial in
      trial.claims.map { claim in
        let peer = claim.peer.map { name in
          guard let peer = trials.first(where: { $0.name == name }) else {
            preconditionFailure("\(trial.name) is put beside \(name), which is no case")
          }
          return peer
        }
        return Finding(workload, size, checked, trial, claim, peer)
      }
    }
  }

  private init(
    _ workload: String, _ size: Int, _ checked: Bool, _ trial: Trial, _ claim: Claim, _ peer: Trial?
  ) {
    let values = trial.values(of: claim.metric)
    let ratios = peer?.values(of: claim.metric).map { zip(values ?? [], $0).map { $0 / $1 } }
    self.workload = workload
    self.size = size
    self.claim = claim
    self.values = values.flatMap { Distribution($0) }
    name = trial.name
    point = trial.point
    tail = Distribution(trial.samples.compactMap(claim.metric.tail))?.median
    ratio = ratios.flatMap { Distribution($0) }?.median
    met = checked ? claim.target?.isMet(by: self.values?.median, ratio: ratio) : nil
    digest = trial.samples.last?.digest ?? 0
  }
}
