package import LMDB

/// Decides when what was reduced is committed to the views: without a lock, a clock or a disk.
///
/// A *frame* begins with the first change after a commit. It ends after a moment, longer where more
/// waits to be reduced, since every page that is written again in the next frame was written in
/// vain; and at once where it holds as much memory as it may. Nothing is committed that is not
/// durable in the log yet.
package struct FrameSchedule {
  /// The named limits of a frame.
  package struct Limits: Sendable {
    /// How long a frame lasts where nothing waits.
    package var interactive = Duration.milliseconds(16)
    /// How long it lasts at most where more is waiting to be reduced.
    package var backlogged = Duration.milliseconds(100)
    /// The bytes of changed rows and nodes at which it ends.
    package var bytesMax = 48 << 20
    /// The records at which it ends.
    package var recordsMax = Int.max

    /// The default limits.
    package init() {}
  }

  /// What is to be done next.
  package enum Action: Hashable, Sendable {
    /// Reduce what waits.
    case reduce
    /// Commit the frame.
    case commit
    /// Commit the frame as soon as the log's flush has come so far.
    case awaitFlush
    /// Nothing, before the frame before is committed.
    case awaitCommit
    /// Nothing, before something arrives or the time has come.
    case wait(until: Instant?)
  }

  /// What is known when deciding.
  package struct Situation: Sendable {
    package var now: Instant
    /// Whether something waits to be reduced.
    package var isBacklogged: Bool
    /// The bytes that the frame holds.
    package var bytes: Int
    /// The records that the frame holds.
    package var records: Int
    /// Whether everything that was reduced is durable.
    package var isDurable: Bool
    /// Whether the frame is to be committed now, whatever the time.
    package var isUrgent: Bool
    /// Whether the frame before is being committed.
    package var isWriting: Bool

    /// What is known at a moment.
    package init(
      now: Instant, isBacklogged: Bool = false, bytes: Int = 0, records: Int = 0,
      isDurable: Bool = true, isUrgent: Bool = false, isWriting: Bool = false
    ) {
      self.now = now
      self.isBacklogged = isBacklogged
      self.bytes = bytes
      self.records = records
      self.isDurable = isDurable
      self.isUrgent = isUrgent
      self.isWriting = isWriting
    }
  }

  private let limits: Limits
  private var began: Instant?

  /// A schedule with no frame begun.
  package init(limits: Limits = Limits()) { self.limits = limits }

  /// Whether there is something to commit.
  var isDirty: Bool { began != nil }

  /// Notes that something was reduced.
  package mutating func reduced(now: Instant) { began = began ?? now }

  /// Notes that the frame is being committed: what is reduced from now on belongs to the next.
  package mutating func committed() { began = nil }

  /// Decides what is next.
  package func next(_ situation: Situation) -> Action {
    guard let began else { return situation.isBacklogged ? .reduce : .wait(until: nil) }
    let length = situation.isBacklogged ? limits.backlogged : limits.interactive
    let due = began + length
    let isOver =
      situation.isUrgent || due <= situation.now || situation.bytes >= limits.bytesMax
      || situation.records >= limits.recordsMax
    guard isOver else { return situation.isBacklogged ? .reduce : .wait(until: due) }
    guard !situation.isWriting else { return .awaitCommit }
    return situation.isDurable ? .commit : .awaitFlush
  }
}
