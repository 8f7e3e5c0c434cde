package import LMDB

/// Decides when reduced records are committed to the views, without a lock, a clock or a disk.
///
/// A *frame* begins with the first change after a commit. It ends after a short time, or a longer
/// one while more waits to be reduced, because writing a page that the next frame rewrites is
/// wasted. If writing takes a small part of that time, and nothing has to be waited for, the frame
/// ends earlier, so that less is left to be written at last. It ends at once when it reaches its
/// memory limit. Nothing is committed before it is durable in the log.
package struct FrameSchedule {
  /// The named limits of a frame.
  package struct Limits: Sendable {
    /// The duration of a frame when nothing waits.
    package var interactive = Duration.milliseconds(16)
    /// The maximum duration of a frame while more waits to be reduced.
    package var backlogged = Duration.milliseconds(100)
    /// How often the time that the last frame took to be written fits at least into a frame that
    /// ends earlier while more waits to be reduced.
    package var timesWriting = 8
    /// The bytes of changed rows and nodes at which a frame ends.
    package var bytesMax = 48 << 20
    /// The number of records at which a frame ends.
    package var recordsMax = Int.max

    /// The default limits.
    package init() {}
  }

  /// The next action.
  package enum Action: Hashable, Sendable {
    /// Reduce what waits.
    case reduce
    /// Commit the frame.
    case commit
    /// Commit the frame as soon as the log is flushed that far.
    case awaitFlush
    /// Wait until the previous frame is committed.
    case awaitCommit
    /// Wait until something arrives, or until the deadline.
    case wait(until: Instant?)
  }

  /// The inputs of a decision.
  package struct Situation: Sendable {
    package var now: Instant
    /// Whether something waits to be reduced.
    package var isBacklogged: Bool
    /// The bytes that the frame holds.
    package var bytes: Int
    /// The number of records that the frame holds.
    package var records: Int
    /// Whether everything reduced is durable.
    package var isDurable: Bool
    /// Whether the frame must be committed now, whatever the time.
    package var isUrgent: Bool
    /// Whether the previous frame is being committed.
    package var isWriting: Bool

    /// Creates the situation at a moment.
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
  /// The time that the last frame took to be written, if one was: a follower writes none.
  private var writingTime: Duration?

  /// Creates a schedule with no frame begun.
  package init(limits: Limits = Limits()) { self.limits = limits }

  /// Whether there is something to commit.
  var isDirty: Bool { began != nil }

  /// Notes that something was reduced.
  package mutating func reduced(now: Instant) { began = began ?? now }

  /// Notes that the frame is being committed: what is reduced from now on belongs to the next.
  package mutating func committed() { began = nil }

  /// Notes how long the last frame took to be written.
  package mutating func wrote(in duration: Duration) { writingTime = duration }

  /// Whether a frame may end although more waits to be reduced.
  private func mayEnd(_ situation: Situation, since began: Instant) -> Bool {
    guard let writingTime else { return false }
    let length = max(limits.interactive, writingTime * limits.timesWriting)
    return situation.isDurable && !situation.isWriting && began + length <= situation.now
  }

  /// Decides the next action.
  package func next(_ situation: Situation) -> Action {
    guard let began else { return situation.isBacklogged ? .reduce : .wait(until: nil) }
    let due = began + (situation.isBacklogged ? limits.backlogged : limits.interactive)
    let isOver =
      situation.isUrgent || due <= situation.now || situation.bytes >= limits.bytesMax
      || situation.records >= limits.recordsMax
    guard isOver else {
      guard situation.isBacklogged else { return .wait(until: due) }
      return mayEnd(situation, since: began) ? .commit : .reduce
    }
    guard !situation.isWriting else { return .awaitCommit }
    return situation.isDurable ? .commit : .awaitFlush
  }
}
