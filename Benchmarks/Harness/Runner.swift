import Foundation

/// Runs a workload's cases in turn, round by round, so that disturbances of the machine affect them
/// alike.
package struct Runner: Sendable {
  /// The reason a workload's figures are worthless.
  package enum Failure: Error, Hashable {
    /// The result of a case differed between rounds.
    case unsteady(workload: String, name: String)
  }

  private let meter: Meter
  private let folder: String
  private let rounds: Int
  private let part: String?

  /// - Parameters:
  ///   - folder: The folder for the workloads' files, which are removed.
  ///   - rounds: The number of kept rounds; one more comes first, as a warm-up.
  ///   - part: The text that names of the cases to run contain; `nil` for all.
  package init(meter: Meter, folder: String, rounds: Int, part: String? = nil) {
    precondition(rounds > 0, "a median needs a round")
    self.meter = meter
    self.folder = folder
    self.rounds = rounds
    self.part = part
  }

  /// Runs off the main actor, whose slow wake-ups would add to every latency.
  @concurrent package func run(_ workload: Workload, size: Int) async throws -> [Finding] {
    let checked = size == workload.sizes.real
    let trials = try await withFolder("\(folder)/\(workload.name)") { shared in
      let setting = Workload.Setting(size: size, folder: shared)
      let cases = try await workload.cases(setting).filter { part.map($0.name.contains) ?? true }
      return try await measure(cases, in: shared)
    }
    for trial in trials where Set(trial.samples.map(\.digest)).count > 1 {
      throw Failure.unsteady(workload: workload.name, name: trial.name)
    }
    return Finding.all(of: workload.name, size: size, checked: checked, trials)
  }

  private func measure(_ cases: [Case], in shared: String) async throws -> [Trial] {
    let names = Set(cases.map(\.name))
    // A case can't be compared with one that is left out.
    var trials = cases.map { turn in
      let claims = turn.claims.map { claim in
        claim.peer.map(names.contains) == false ? Claim(claim.metric) : claim
      }
      return Trial(turn.name, claims, at: turn.point)
    }
    for number in 0...rounds {
      for (index, turn) in cases.enumerated() where !turn.isSlow || number == 1 {
        let sample = try await withFolder("\(shared)/round") { folder in
          try await turn.run(Round(number: number, folder: folder, meter: meter))
        }
        guard number > 0 else { continue }
        trials[index].samples += Array(repeating: sample, count: turn.isSlow ? rounds : 1)
      }
    }
    return trials
  }

  private func withFolder<Result>(
    _ path: String, _ body: (String) async throws -> Result
  ) async throws -> Result {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
  }
}

extension Runner.Failure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unsteady(let workload, let name):
      "\(workload), \(name): the result's hash is not the same in all rounds; the figures are void."
    }
  }
}
