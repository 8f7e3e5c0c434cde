package import Foundation

/// A workload on trial: its images are put before it, and what it finds is counted.
package struct Trial {
  /// What came of it.
  package struct Verdict: Sendable, CustomStringConvertible {
    /// How many images there were.
    package var imageCount = 0
    /// Those that had lost something or were damaged, and how.
    package var losses: [Loss] = []

    package var description: String {
      "\(imageCount) images, \(imageCount - losses.count) kept every promise"
    }
  }

  /// An image that broke a promise.
  package struct Loss: Sendable, CustomStringConvertible {
    package let cut: PowerCut
    package let habit: PowerCut.Habit
    package let reason: String

    package var description: String {
      "\(reason) (\(habit), after \(cut.moment) operations, keeping \(cut.survivors))"
    }
  }

  /// So many images are on the real disk at once.
  private static let batchSize = 64

  private let workload: Workload
  private let scratch: URL

  /// Images are put into `scratch`, and removed again.
  package init(of workload: Workload, in scratch: URL) {
    self.workload = workload
    self.scratch = scratch
  }

  /// Puts the images of these power cuts to the proof; stops early where the first loss suffices.
  package func verdict(
    on trace: Trace, at cuts: [PowerCut], _ habit: PowerCut.Habit, untilLoss: Bool = false
  ) throws -> Verdict {
    var verdict = Verdict()
    var images = Images(of: trace, at: cuts, habit)
    while !(untilLoss && !verdict.losses.isEmpty) {
      var batch: [(cut: PowerCut, image: Image)] = []
      while batch.count < Self.batchSize, let next = images.next() { batch.append(next) }
      if batch.isEmpty { break }
      for (cut, reason) in zip(batch.map(\.cut), try losses(in: batch.map(\.image))) {
        guard let reason else { continue }
        verdict.losses.append(Loss(cut: cut, habit: habit, reason: reason))
      }
      verdict.imageCount += batch.count
    }
    return verdict
  }

  private func losses(in images: [Image]) throws -> [String?] {
    let batch = scratch.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: batch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: batch) }
    let places = images.indices.map { Place(batch.appendingPathComponent("\($0)").path) }
    for (image, place) in zip(images, places) { try image.write(to: place) }
    return try workload.losses(at: places)
  }
}
