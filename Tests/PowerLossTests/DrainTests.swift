import Foundation
import PowerLossSupport
import Testing

/// Whether events that were written to a spool are in the log once each, wherever the power went.
///
/// It takes over a second, as every image is opened and drained.
@Suite(.serialized)
struct DrainTests {
  @Test func spooled_afterPowerLoss_isDrainedOnce() throws {
    try Scratch.use { scratch in
      let workload = try Workload("DrainWorkload")
      let trace = try workload.record(at: Place(scratch.appendingPathComponent("live").path))
      let trial = Trial(of: workload, in: scratch)
      var verdict = Trial.Verdict()
      for habit in PowerCut.Habit.allCases {
        verdict += try trial.verdict(on: trace, at: cuts(of: trace), habit)
      }
      #expect(verdict.losses.isEmpty, "\(verdict.losses.prefix(9))")
      print("DrainWorkload: \(trace.acknowledgementCount) acknowledged, \(verdict)")
    }
  }

  /// Each moment, with nothing and with everything unflushed kept, which is what a killed process
  /// leaves, and with some of it.
  private func cuts(of trace: Trace) -> [PowerCut] {
    let ends = (0...trace.operations.count).flatMap { moment in
      [PowerCut(at: moment, .none), PowerCut(at: moment, .all)]
    }
    return ends + trace.randomCuts(WorkloadTests.isProof ? 2000 : 200, seed: 1)
  }
}
