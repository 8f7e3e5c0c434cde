/// Work that several cases do in different ways, at a smoke size and a real size.
package struct Workload: Sendable {
  /// One word, for `--only`.
  package let name: String

  /// A one-line description of the work.
  package let summary: String

  package let sizes: Sizes

  /// The default number of kept rounds.
  package let rounds: Int

  /// Prepares, untimed, what all rounds share, and returns the cases.
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

  /// The numbers of events for a smoke run and for a real one.
  package struct Sizes: Sendable, Hashable {
    package let smoke: Int
    package let real: Int
  }

  /// The shared setting of a workload's cases.
  package struct Setting: Sendable {
    /// The number of events to handle.
    package let size: Int
    /// A folder for all rounds of the workload.
    package let folder: String
  }
}

/// One way to do a workload's work.
package struct Case {
  package let name: String
  package let claims: [Claim]

  /// The place of the case in a chart of cost by size.
  package let point: CurvePoint?

  /// Whether one round without a warm-up must suffice; its sample then stands for all rounds.
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

/// One run of one case.
package struct Round: Sendable {
  /// The number of the round; 0 is the warm-up, which is not kept.
  package let number: Int

  /// An empty folder for this run, removed afterwards.
  package let folder: String

  /// The meter for the sample; work outside of it is not counted.
  package let meter: Meter
}
