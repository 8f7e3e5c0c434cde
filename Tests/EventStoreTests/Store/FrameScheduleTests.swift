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
    let schedule = Self.begun
    #expect(schedule.next(Self.situation(after: .zero)) == .wait(until: Self.start + short))
    #expect(schedule.next(Self.situation(after: short)) == .commit)
    #expect(schedule.next(Self.situation(after: short) { $0.isBacklogged = true }) == .reduce)
    #expect(schedule.next(Self.situation(after: long) { $0.isBacklogged = true }) == .commit)
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
