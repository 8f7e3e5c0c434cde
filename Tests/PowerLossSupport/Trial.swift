package import Foundation

/// A workload on trial: it verifies crash images, and the trial counts its findings.
package struct Trial {
  /// The result of a trial.
  package struct Verdict: Sendable, CustomStringConvertible {
    /// The number of images verified.
    package var imageCount = 0
    /// The images that lost data or were damaged, with the reasons.
    package var losses: [Loss] = []

    package init() {}

    /// Adds the result of another part of the trial.
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

  /// The limits of a batch of images; the last image may exceed the size.
  private static let batchCountMax = 64
  private static let batchSizeMax = 8 << 20

  private let workload: Workload
  private let scratch: URL

  /// Creates a trial that writes its images to `scratch`, and removes them afterwards.
  package init(of workload: Workload, in scratch: URL) {
    self.workload = workload
    self.scratch = scratch
  }

  /// Verifies the images of these power cuts; `untilLoss` stops after the first batch with a loss.
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
