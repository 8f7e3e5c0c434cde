import Foundation
import PowerLossSupport
import Testing

/// Whether what was acknowledged survives power loss, and whether it would be noticed if not.
///
/// It takes over a second, as it starts processes and puts hundreds of images on the disk. With
/// `TIDELINE_PROVE=1` it takes all boundaries, 1,000 random cuts and each mutation.
@Suite(.serialized)
struct WorkloadTests {
  static let isProof = ProcessInfo.processInfo.environment["TIDELINE_PROVE"] == "1"

  @Test(arguments: ["CRawWorkload", "SpoolWorkload"])
  func acknowledged_afterPowerLoss_isThere(name: String) throws {
    try withScratch { scratch in
      let workload = try Workload(name)
      let trace = try workload.record(at: Place(scratch.appendingPathComponent("live").path))
      let trial = Trial(of: workload, in: scratch)
      #expect(trace.acknowledgementCount > 0)

      var imageCount = 0
      for habit in PowerCut.Habit.allCases {
        let verdict = try trial.verdict(on: trace, at: cuts(of: trace), habit)
        #expect(verdict.losses.isEmpty, "\(name): \(verdict.losses)")
        imageCount += verdict.imageCount
      }
      let mutations = mutations(of: trace)
      for mutation in mutations {
        let found = try trial.notices(mutation, of: trace)
        #expect(found, "\(name): nothing is lost when it \(mutation)")
      }
      print(
        "\(name): \(trace.acknowledgementCount) acknowledged, \(imageCount) images kept them, "
          + "\(mutations.count) mutations noticed")
    }
  }

  private func cuts(of trace: Trace) -> [PowerCut] {
    let boundaries = trace.boundaries()
    guard !Self.isProof else { return boundaries + trace.randomCuts(1000, seed: 1) }
    return boundaries.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
      + trace.randomCuts(50, seed: 1)
  }

  /// In a proof every flush is shown to be needed.
  private func mutations(of trace: Trace) -> [Mutation] {
    let drops = trace.flushes.indices.map { Mutation.dropsFlush($0) }
    guard !Self.isProof else { return drops }
    return [drops[0], drops[drops.count / 2], drops[drops.count - 1]]
  }

  private func withScratch(_ body: (URL) throws -> Void) throws {
    let scratch = FileManager.default.temporaryDirectory
      .appendingPathComponent("tideline-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    try body(scratch)
  }
}

extension Trial {
  /// Whether the mistake loses something in at least one image.
  fileprivate func notices(_ mutation: Mutation, of trace: Trace) throws -> Bool {
    let mutated = trace.mutated(by: mutation)
    return try !verdict(on: mutated, at: mutated.boundaries(), .harsh, untilLoss: true)
      .losses.isEmpty
  }
}
