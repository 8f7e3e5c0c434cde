/// Some work that several cases do, each in its way, at a smoke and at a real size.
package struct Workload: Sendable {
  /// One word, for `--only`.
  package let name: String

  /// One line on what is done.
  package let summary: String

  package let sizes: Sizes

  /// How many rounds are kept where nobody asks for another number.
  package let rounds: Int

  /// Prepares what all rounds share, outside of any timing, and names the cases.
  package let cases: @Sendable (Setting) async throws -> [Case]

  package init(
    _ name: String, _ summary: String, smoke: Int, real: Int, rounds: Int = 7,
    cases: @escaping @Sendable (Setting) async throws -> [Case]
  ) {
    self.name = name
    self.summary = summary
    sizes = Sizes(smoke: smoke, real: real)
    self.rounds = rounds
    self.cases = cases
  }

  /// How many events there are: to see that it works, and to learn how well.
  package struct Sizes: Sendable, Hashable {
    package let smoke: Int
    package let real: Int
  }

  /// What a workload's cases share.
  package struct Setting: Sendable {
    /// How many events to handle.
    package let size: Int
    /// A folder that lasts for all rounds of the workload.
    package let folder: String
  }
}

/// One way to do a workload.
package struct Case {
  package let name: String
  package let claims: [Claim]

  /// Where it stands in a picture of how cost follows size.
  package let point: CurvePoint?

  /// Whether one round has to do, without a warm-up: its sample then stands for all rounds.
  package let isSlow: Bool

  /// Does the work of one round.
  package let run: (Round) async throws -> Sample

  package init(
    _ name: String, _ claims: Claim..., isSlow: Bool = false,
    run: @escaping (Round) async throws -> Sample
  ) {
    self.init(name, claims, isSlow: isSlow, run: run)
  }

  package init(
    _ name: String, _ claims: [Claim], at point: CurvePoint? = nil, isSlow: Bool = false,
    run: @escaping (Round) async throws -> Sample
  ) {
    self.name = name
    self.claims = claims
    self.point = point
    self.isSlow = isSlow
    self.run = run
  }
}

/// One turn of one case.
package struct Round: Sendable {
  /// 0 is the warm-up, of which nothing is kept.
  package let number: Int

  /// An empty folder for this turn, removed after it.
  package let folder: String

  /// Takes the sample; what a case does outside of it is not counted.
  package let meter: Meter
}
