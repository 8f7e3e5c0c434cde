import Foundation
import PowerLossSupport
import TestSupport
import Testing

/// Acknowledged data survives power loss, and the tests would notice if it did not.
///
/// This takes over a second because hundreds of images are written and read. `TIDELINE_PROVE=1`
/// tests every flush boundary and 1,000 random cuts, and drops each flush instead of three.
@Suite(.serialized)
struct WorkloadTests {
  static let isProof = ProcessInfo.processInfo.environment["TIDELINE_PROVE"] == "1"

  @Test(arguments: [
    "CRawWorkload", "LogWorkload", "SpoolWorkload", "DrainWorkload", "ViewsWorkload",
    "StoreWorkload",
  ])
  func acknowledged_afterPowerLoss_isThere(name: String) throws {
    try Scratch.use { scratch in
      let workload = try Workload(name)
      let trace = try workload.record(at: Place(scratch.appendingPathComponent("live").path))
      let trial = Trial(of: workload, in: scratch)
      #expect(trace.acknowledgementCount > 0)

      var verdict = Trial.Verdict()
      for habit in PowerCut.Habit.allCases {
        verdict += try trial.verdict(on: trace, at: cuts(of: trace), habit)
      }
      #expect(verdict.losses.isEmpty, "\(name): \(verdict.losses.prefix(9))")
      let mutations = mutations(of: trace)
      let notices = try mutations.map { try trial.notices($0, of: trace) }
      for case (let mutation, 0) in zip(mutations, notices) {
        Issue.record("\(name): nothing is lost with \(mutation)")
      }
      print(
        "power loss, \(name): \(trace.acknowledgementCount) promises, \(verdict); "
          + "\(mutations.count) mutations like \"\(mutations[0])\" noticed, "
          + "in \(notices.reduce(0, +)) images")
    }
  }

  @Test func verification_thatIsKilled_blamesThePlaceAndGoesOn() throws {
    try Scratch.use { scratch in
      let script = scratch.appendingPathComponent("verify")
      let text = "#!/bin/sh\nshift\nfor p; do test $p != 2 || kill -9 $$; echo kept; done\n"
      try Data(text.utf8).write(to: script)
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script.path)
      let losses = try Workload(Program(script)).losses(at: ["1", "2", "3"].map { Place($0) })
      #expect(losses == [nil, "signal 9", nil])
    }
  }

  private func cuts(of trace: Trace) -> [PowerCut] {
    guard !Self.isProof else { return trace.boundaries() + trace.randomCuts(1000, seed: 1) }
    return sample(of: trace.boundaries(), 120) + trace.randomCuts(100, seed: 1)
  }

  /// Returns at most `count` of the cuts, evenly spread.
  private func sample(of cuts: [PowerCut], _ count: Int) -> [PowerCut] {
    guard cuts.count > count else { return cuts }
    return (0..<count).map { cuts[$0 * cuts.count / count] }
  }

  /// Returns the mutations to try; a proof shows that every flush is needed.
  private func mutations(of trace: Trace) -> [Mutation] {
    let flushes = trace.judgedFlushes
    let dropped =
      Self.isProof ? flushes : [flushes[0], flushes[flushes.count / 2], flushes[flushes.count - 1]]
    let drops = dropped.map { Mutation.dropsFlush($0) }
    let defers = Mutation.defersDurableWrites
    return trace.mutated(by: defers) == trace ? drops : drops + [defers]
  }
}

extension Trial {
  /// Returns the number of images in which the mistake loses data.
  ///
  /// If a loss needs pages to vanish without the page that names them, only random cuts show it.
  fileprivate func notices(_ mutation: Mutation, of trace: Trace) throws -> Int {
    let mutated = trace.mutated(by: mutation)
    let reach = trace.reach(of: mutation, flushes: 8)
    let count = try verdict(on: mutated, at: mutated.boundaries(in: reach), .harsh).losses.count
    guard count == 0, case .dropsFlush(let number) = mutation else { return count }
    let next = trace.reach(of: mutation, flushes: 1).upperBound - 1
    let cuts = mutated.randomCuts(128, in: next..<next, seed: UInt64(number))
    return try verdict(on: mutated, at: cuts, .harsh, untilLoss: true).losses.count
  }
}

extension Trace {
  /// Returns the operations from the dropped flush to the one `count` flushes later, which repairs
  /// it; for other mistakes, returns all operations.
  fileprivate func reach(of mutation: Mutation, flushes count: Int) -> Range<Int> {
    guard case .dropsFlush(let number) = mutation else { return 0..<operations.count }
    let next = flushes.dropFirst(number).prefix(count + 1)
    return next[number]..<(next.count > count ? next[number + count] : operations.count)
  }
}
