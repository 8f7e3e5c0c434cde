import Foundation
import PowerLossSupport
import Testing

/// Spooled events are in the log exactly once, wherever the process is killed.
///
/// This takes over a second because every image is opened and drained.
@Suite(.serialized)
struct DrainTests {
  @Test func spooled_whereverItWasKilled_isDrainedOnce() throws {
    try Scratch.use { scratch in
      let workload = try Workload("DrainWorkload")
      let trace = try workload.record(at: Place(scratch.appendingPathComponent("live").path))
      let moments = (0...trace.operations.count).map { PowerCut(at: $0, .all) }
      let verdict = try Trial(of: workload, in: scratch).verdict(on: trace, at: moments, .harsh)
      #expect(verdict.losses.isEmpty, "\(verdict.losses.prefix(9))")
    }
  }
}
