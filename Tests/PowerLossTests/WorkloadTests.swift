import Foundation
import PowerLossSupport
import TestSupport
import Testing

/// Whether what was acknowledged survives power loss, and whether it would be noticed if not.
///
/// It takes over a second, as hundreds of images are written and read. With `TIDELINE_PROVE=1` it
/// takes every boundary of a flush and 1,000 random cuts, and drops each flush instead of three.
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

  /// So many of them at most, spread evenly.
  private func sample(of cuts: [PowerCut], _ count: Int) -> [PowerCut] {
    guard cuts.count > count else { return cuts }
    return (0..<count).map { cuts[$0 * cuts.count / count] }
  }

  /// In a proof every flush is shown to be needed.
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
  /// In how many images the mistake loses something.
  ///
  /// Where pages must get lost without the one that names them, only chance shows it.
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
  /// The operations from the flush that is left out to the one that comes so many flushes later,
  /// which mends it; all for another mistake.
  fileprivate func reach(of mutation: Mutation, flushes count: Int) -> Range<Int> {
    guard case .dropsFlush(let number) = mutation else { return 0..<operations.count }
    let next = flushes.dropFirst(number).prefix(count + 1)
    return next[number]..<(next.count > count ? next[number + count] : operations.count)
  }
}
