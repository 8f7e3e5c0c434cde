import EventStore
import Foundation
import Synchronization

/// Makes a baseline while nobody needs the store, and gives its records as they are asked for.
///
/// What it works on is its own, in memory: nobody waits for it.
final class BaselineSource: Sendable {
  private let store: Store
  private let floor: RecordNumber
  private let mayGoOn: @Sendable () -> Bool
  private let baseline = Mutex<InboxBaseline?>(nil)

  /// How long it works before it rests.
  private static let sliceMax = Duration.milliseconds(8)
  /// How long it rests, in seconds.
  private static let rest = 0.002
  /// The most records that it folds at once.
  private static let stepMax = 1024

  /// A baseline up to a floor.
  ///
  /// - Parameter mayGoOn: Is asked between slices, and may wait; what is to stop is given up.
  init(
    of store: Store, upTo floor: RecordNumber, while mayGoOn: @escaping @Sendable () -> Bool
  ) {
    (self.store, self.floor, self.mayGoOn) = (store, floor, mayGoOn)
  }

  /// Folds what is to be compacted; says whether anything is gained by it.
  ///
  /// It blocks: not for the cooperative pool.
  ///
  /// - Throws: `StoreError`; `CancellationError`.
  func prepare() throws -> Bool {
    try baseline.withLock { baseline in
      let replay = try store.beginning()
      try fold(replay)
      baseline = try InboxBaseline(replay, at: floor)
      return baseline != nil
    }
  }

  /// The next records behind a number.
  func records(behind last: RecordNumber) throws -> [BaselineRecord] {
    guard mayGoOn() else { throw CancellationError() }
    return try baseline.withLock { try $0?.records(behind: last) ?? [] }
  }

  private func fold(_ replay: Replay) throws {
    let clock = ContinuousClock()
    var (count, isDone) = (64, false)
    while !isDone {
      guard mayGoOn() else { throw CancellationError() }
      let time = try clock.measure { isDone = try replay.step(to: floor, atMost: count) }
      // As many as fit half a slice, so that one that takes longer fits all of it.
      count = time > Self.sliceMax / 2 ? max(count / 2, 1) : min(count * 2, Self.stepMax)
      Thread.sleep(forTimeInterval: Self.rest)
    }
  }
}
