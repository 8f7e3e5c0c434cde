import EventStore
import Foundation
import Synchronization

/// Builds a baseline in the background, and returns its records on demand.
///
/// It works on a copy of its own, in memory: nothing waits for it.
final class BaselineSource: Sendable {
  private let store: Store
  private let floor: RecordNumber
  private let mayGoOn: @Sendable () -> Bool
  private let baseline = Mutex<InboxBaseline?>(nil)

  /// How long it works between two pauses.
  private static let sliceMax = Duration.milliseconds(8)
  /// The length of a pause, in seconds.
  private static let rest = 0.002
  /// The maximum number of records that it folds at once.
  private static let stepMax = 1024

  /// Creates the source of a baseline up to a floor.
  ///
  /// - Parameter mayGoOn: Called between slices, and may block; returning `false` cancels the work.
  init(
    of store: Store, upTo floor: RecordNumber, while mayGoOn: @escaping @Sendable () -> Bool
  ) {
    (self.store, self.floor, self.mayGoOn) = (store, floor, mayGoOn)
  }

  /// Folds the records to be compacted; returns whether that gains anything.
  ///
  /// Blocks its thread: don't call it on the cooperative pool.
  ///
  /// - Throws: `StoreError`; `CancellationError`.
  func prepare() throws -> Bool {
    try baseline.withLock { baseline in
      let replay = try store.beginning()
      try fold(replay)
      baseline = try InboxBaseline(replay, at: floor)
      guard let count = baseline?.count else { return false }
      return Self.isGain(UInt64(count), for: replay.log.recordCount(through: floor))
    }
  }

  /// Returns whether it pays to replace records by `count` others: a record with all that is known
  /// of a thing is larger than most.
  static func isGain(_ count: UInt64, for others: UInt64) -> Bool { count * 2 <= others }

  /// Returns the next records after a number.
  func records(after last: RecordNumber) throws -> [BaselineRecord] {
    guard mayGoOn() else { throw CancellationError() }
    return try baseline.withLock { try $0?.records(after: last) ?? [] }
  }

  private func fold(_ replay: Replay) throws {
    let clock = ContinuousClock()
    var (count, isDone) = (64, false)
    while !isDone {
      guard mayGoOn() else { throw CancellationError() }
      let time = try clock.measure { isDone = try replay.step(to: floor, atMost: count) }
      // Aim for half a slice, so that a step that takes longer still fits a whole one.
      count = time > Self.sliceMax / 2 ? max(count / 2, 1) : min(count * 2, Self.stepMax)
      Thread.sleep(forTimeInterval: Self.rest)
    }
  }
}
