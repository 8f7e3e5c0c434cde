import EventStore
import LMDB
import Testing

/// When reduced records are committed, decided without a clock or a disk.
struct FrameScheduleTests {
  private static let start = Instant(nanoseconds: 1_000_000_000)

  private static func situation(
    after time: Duration, _ change: (inout FrameSchedule.Situation) -> Void = { _ in }
  ) -> FrameSchedule.Situation {
    var situation = FrameSchedule.Situation(now: start + time)
    change(&situation)
    return situation
  }

  private static let limits = FrameSchedule.Limits()

  private static var begun: FrameSchedule {
    var schedule = FrameSchedule()
    schedule.reduced(now: start)
    return schedule
  }

  @Test func nothingReduced_waitsWithoutEnd() {
    var schedule = FrameSchedule()
    #expect(schedule.next(Self.situation(after: .seconds(9))) == .wait(until: nil))
    schedule.reduced(now: Self.start)
    schedule.committed()
    #expect(schedule.next(Self.situation(after: .seconds(9))) == .wait(until: nil))
    #expect(schedule.next(Self.situation(after: .zero) { $0.isBacklogged = true }) == .reduce)
  }

  @Test func frame_lastsAMoment_andLongerWhereMoreWaits() {
    let (short, long) = (Self.limits.interactive, Self.limits.backlogged)
    var schedule = Self.begun
    schedule.wrote(in: .zero)
    #expect(schedule.next(Self.situation(after: .zero)) == .wait(until: Self.start + short))
    #expect(schedule.next(Self.situation(after: short)) == .commit)
    let backlogged = { (time: Duration) in
      Self.situation(after: time) { ($0.isBacklogged, $0.isDurable) = (true, false) }
    }
    #expect(schedule.next(backlogged(short)) == .reduce)
    #expect(schedule.next(backlogged(long)) == .awaitFlush)
  }

  /// Where more waits, a frame ends early only if that costs little and holds nothing up.
  @Test func backloggedFrame_endsEarly_whereWritingIsQuick() {
    var schedule = Self.begun
    let backlogged = { (time: Duration, isWriting: Bool) in
      Self.situation(after: time) { ($0.isBacklogged, $0.isWriting) = (true, isWriting) }
    }
    #expect(schedule.next(backlogged(Self.limits.interactive, false)) == .reduce)
    schedule.wrote(in: .zero)
    #expect(schedule.next(backlogged(Self.limits.interactive, false)) == .commit)
    #expect(schedule.next(backlogged(Self.limits.interactive, true)) == .reduce)
    let writing = Self.limits.interactive
    schedule.wrote(in: writing)
    let length = writing * Self.limits.timesWriting
    #expect(length > Self.limits.backlogged)
    #expect(schedule.next(backlogged(Self.limits.backlogged - writing, false)) == .reduce)
    #expect(schedule.next(backlogged(Self.limits.backlogged, false)) == .commit)
    schedule.wrote(in: writing / 4)
    #expect(schedule.next(backlogged(length / 4 - .milliseconds(1), false)) == .reduce)
    #expect(schedule.next(backlogged(length / 4, false)) == .commit)
  }

  @Test func frame_endsAtOnce_whereItIsFullOrUrgent() {
    let changes: [(inout FrameSchedule.Situation) -> Void] = [
      { $0.isUrgent = true }, { $0.bytes = Self.limits.bytesMax },
      { $0.records = Self.limits.recordsMax },
    ]
    for change in changes {
      let situation = Self.situation(after: .zero) {
        $0.isBacklogged = true
        change(&$0)
      }
      #expect(Self.begun.next(situation) == .commit)
    }
  }

  /// Frames are committed one at a time; meanwhile the next is reduced until its time is over.
  @Test func nextFrame_waitsForTheOneBefore_onlyWhenItIsOver() {
    let during = Self.situation(after: .zero) { ($0.isBacklogged, $0.isWriting) = (true, true) }
    #expect(Self.begun.next(during) == .reduce)
    let over = Self.situation(after: Self.limits.backlogged) {
      ($0.isBacklogged, $0.isWriting, $0.isDurable) = (true, true, false)
    }
    #expect(Self.begun.next(over) == .awaitCommit)
  }

  @Test func nothingIsCommitted_thatIsNotDurable() {
    let over = Self.situation(after: Self.limits.interactive) { $0.isDurable = false }
    #expect(Self.begun.next(over) == .awaitFlush)
  }
}
