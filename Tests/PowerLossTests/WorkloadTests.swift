import Foundation
import PowerLossSupport
import Testing

/// Whether what was acknowledged survives power loss, and whether it would be noticed if not.
///
/// It takes over a second, as hundreds of images are written and read. With `TIDELINE_PROVE=1` it
/// takes 1,000 random cuts instead of 100, and drops each flush instead of three.
@Suite(.serialized)
struct WorkloadTests {
  static let isProof = ProcessInfo.processInfo.environment["TIDELINE_PROVE"] == "1"

  @Test(arguments: ["CRawWorkload", "SpoolWorkload"])
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
      for mutation in mutations {
        let found = try trial.notices(mutation, of: trace)
        #expect(found, "\(name): nothing is lost when it \(mutation)")
      }
      print(
        "\(name): \(trace.acknowledgementCount) acknowledged, \(verdict), "
          + "\(mutations.count) mutations noticed")
    }
  }

  @Test func verification_thatIsKilled_blamesThePlaceAndGoesOn() throws {
    try Scratch.use { scratch in
      let script = scratch.appendingPathComponent("verify")
      let text = "#!/bin/sh\nshift\nfor p; do test $p != 2 || kill -9 $$; echo kept; done\n"
      try Data(text.utf8).write(to: script)
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script.path)
      let losses = try Workload(Command(script)).losses(at: ["1", "2", "3"].map { Place($0) })
      #expect(losses == [nil, "signal 9", nil])
    }
  }

  private func cuts(of trace: Trace) -> [PowerCut] {
    trace.boundaries() + trace.randomCuts(Self.isProof ? 1000 : 100, seed: 1)
  }

  /// In a proof every flush is shown to be needed.
  private func mutations(of trace: Trace) -> [Mutation] {
    let count = trace.flushes.count
    let dropped = Self.isProof ? Array(0..<count) : [0, count / 2, count - 1]
    let drops = dropped.map { Mutation.dropsFlush($0) }
    let defers = Mutation.defersDurableWrites
    return trace.mutated(by: defers) == trace ? drops : drops + [defers]
  }
}

extension Trial {
  /// Whether the mistake loses something in at least one image.
  fileprivate func notices(_ mutation: Mutation, of trace: Trace) throws -> Bool {
    let mutated = trace.mutated(by: mutation)
    let cuts = mutated.boundaries(in: trace.reach(of: mutation))
    return try !verdict(on: mutated, at: cuts, .harsh, untilLoss: true).losses.isEmpty
  }
}

extension Trace {
  /// The operations among which a mutation shows: the next few flushes mend what one left out.
  fileprivate func reach(of mutation: Mutation) -> Range<Int> {
    switch mutation {
    case .defersDurableWrites: return 0..<operations.count
    case .dropsFlush(let number):
      let flushes = flushes.dropFirst(number)
      return (flushes.first ?? 0)..<(flushes.dropFirst(4).first ?? operations.count)
    }
  }
}
