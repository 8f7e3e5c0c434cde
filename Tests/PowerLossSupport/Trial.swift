package import Foundation

/// A workload on trial: its images are put before it, and what it finds is counted.
package struct Trial {
  /// What came of it.
  package struct Verdict: Sendable, CustomStringConvertible {
    /// How many images there were.
    package var imageCount = 0
    /// Those that had lost something or were damaged, and how.
    package var losses: [Loss] = []

    package init() {}

    /// Adds what came of another part of the trial.
    package static func += (verdict: inout Self, other: Self) {
      verdict.imageCount += other.imageCount
      verdict.losses += other.losses
    }

    package var description: String {
      "\(imageCount) images, \(losses.count) losses found"
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

  /// The images that are out at once: so many, and not much more than so many bytes.
  private static let batchCountMax = 64
  private static let batchSizeMax = 8 << 20

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
      let batch = Self.batch(from: &images)
      if batch.isEmpty { break }
      for (cut, reason) in zip(batch.map(\.cut), try losses(in: batch.map(\.image))) {
        guard let reason else { continue }
        verdict.losses.append(Loss(cut: cut, habit: habit, reason: reason))
      }
      verdict.imageCount += batch.count
    }
    return verdict
  }

  private static func batch(from images: inout Images) -> [Images.Element] {
    var batch: [Images.Element] = []
    var size = 0
    while batch.count < batchCountMax, size < batchSizeMax, let next = images.next() {
      batch.append(next)
      size += next.image.size
    }
    return batch
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
