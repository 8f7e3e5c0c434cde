import EventStore
import LMDB
import Testing

/// When a batch may be reduced before the log's thread has written it, decided without threads.
struct BacklogTests {
  private static let start = place(10)

  /// Returns a place in the log, as far as it matters here.
  fileprivate static func place(_ number: Int) -> LogPoint {
    LogPoint(number: RecordNumber(rawValue: UInt64(number)), chain: UInt32(number))
  }

  /// Returns a backlog of views that reach as far as the log.
  private func backlog(keeping isKeeping: Bool = true) -> Backlog {
    Backlog(
      keeping: isKeeping, applied: Self.start.number, inViews: Self.start.number, isNew: false,
      limits: FrameSchedule.Limits())
  }

  /// Returns a batch of records, as the log's thread has it.
  private func records(_ count: Int, after start: LogPoint) -> WrittenRecords {
    var batch = Batch()
    for _ in 0..<count { batch.add(.note) }
    return WrittenRecords(
      batches: [batch], receipts: [], start: start, end: batch.end(after: start))
  }

  @Test func batch_goesAhead_whereNothingIsOnItsWay() {
    var backlog = backlog()
    let gone = [(10, 11), (11, 12), (11, 12)].map { backlog.goAhead($0, $1) }
    // No batch gets between two that went ahead.
    #expect(gone == [true, true, false])
    #expect(backlog.ahead.end == Self.place(12))
  }

  @Test func batch_goesTheUsualWay_whereSomethingIsOnItsWay() {
    let changes: [(inout Backlog) -> Void] = [
      { $0.append(records(1, after: Self.start)) }, { $0.isReducing = true },
      { $0.isSpoiled = true }, { $0.isClosing = true }, { $0.isUrgent = true },
      { $0.committed = 11 }, { $0.written = 11 }, { $0.reduced = 9 },
      { $0.aheadPause = Backlog.now + .milliseconds(1) },
    ]
    for change in changes {
      var backlog = backlog()
      change(&backlog)
      let hasGone = backlog.goAhead(10, 11)
      #expect(!hasGone && backlog.ahead.isEmpty)
    }
    var following = self.backlog(keeping: false)
    let hasGone = following.goAhead(10, 11)
    #expect(!hasGone)
  }

  /// The log's thread writes again if the map had to grow; another process may have come first.
  @Test func recordsWrittenElsewhereBefore_areNoticed() {
    var backlog = backlog()
    let writes = [(10, 11), (10, 11), (110, 111), (110, 111)]
    #expect(writes.map { backlog.write($0, $1) } == [false, false, true, false])
    backlog.committed(upTo: 111)
    let isVoid = backlog.write(111, 112)
    #expect(!isVoid && backlog.written == 112)
    backlog.failed(now: Backlog.now)
    let isVoidToo = backlog.write(150, 151)
    #expect(!isVoidToo)
  }

  @Test func records_areTakenTogether_upToALimit_andNoneBehindFew() {
    var backlog = backlog()
    var start = Self.start
    for count in [500, 40, 3, 100, 1_949, 33, 2_100, 50] {
      let records = records(count, after: start)
      backlog.append(records)
      start = records.end
    }
    // Records that do not follow are taken by themselves.
    backlog.append(records(50, after: Self.place(9_000)))
    var counts: [Int] = []
    while let taken = backlog.takeFirst() { counts.append(taken.count) }
    #expect(counts == [543, 100, 1_982, 2_100, 50, 50])
  }

  @Test func batches_goAhead_upToALimit() {
    var backlog = backlog()
    let gone = (10..<10 + AheadBatches.countMax).map { backlog.goAhead($0, $0 + 1) }
    #expect(!gone.contains(false))
    let end = 10 + AheadBatches.countMax
    let hasGone = backlog.goAhead(end, end + 1)
    #expect(!hasGone)
  }

  /// What went ahead is still in the log's queue, with an unknown result, so a batch after it would
  /// land elsewhere than expected.
  @Test func batch_goesTheUsualWay_behindWhatCouldNotBeReduced() {
    var backlog = backlog()
    var gone = [backlog.goAhead(10, 13)]
    backlog.spoil()
    backlog.tookBack(to: 10)
    gone.append(backlog.goAhead(10, 11))
    backlog.committed = 13
    backlog.caughtUp(to: 13, bytes: 0, now: Backlog.now)
    gone.append(backlog.goAhead(13, 14))
    #expect(gone == [true, false, true])
  }

  /// Asked earlier, a log too full for what was reduced would say that views may never be written.
  @Test func whetherViewsMayBeWritten_isAskedBehindTheFlush() {
    var backlog = backlog()
    backlog.committed = 11
    backlog.caughtUp(to: 11, bytes: 0, now: Backlog.now)
    let later = Backlog.now + .seconds(1)
    var actions = [backlog.next(now: later).0]
    backlog.flushed(upTo: 11)
    for _ in 0..<2 { actions.append(backlog.next(now: later).0) }
    #expect(actions == [.askForFlush, .askToWrite, .wait(until: nil)])
  }

  /// After a batch that failed, others are in the queue and get other numbers than expected.
  @Test func batch_goesTheUsualWay_whileOthersAreBehindOneThatFailed() {
    for (count, expected) in [(1, true), (2, false)] {
      var backlog = backlog()
      for number in 10..<10 + count { _ = backlog.goAhead(number, number + 1) }
      backlog.written = 11
      backlog.failed(now: Backlog.now)
      backlog.tookBack(to: 10)
      let hasGone = backlog.goAhead(10, 11)
      #expect(hasGone == expected)
      backlog.ahead.removeAll()
      let hasGoneLater = backlog.goAhead(10, 11, after: Backlog.aheadPauseMax)
      #expect(hasGoneLater)
    }
  }
}

extension Backlog {
  fileprivate static let now = Instant(nanoseconds: 1_000_000_000)

  /// Sends ahead a batch that begins after one record and ends with another; returns whether it
  /// went.
  fileprivate mutating func goAhead(
    _ first: Int, _ last: Int, after time: Duration = .zero
  ) -> Bool {
    defer { _ = ahead.reduced(bytes: 0) }
    return goAhead(
      from: BacklogTests.place(first), to: BacklogTests.place(last), now: Self.now + time)
  }

  /// Notes that the log's thread writes records; returns whether it had begun to elsewhere.
  fileprivate mutating func write(_ first: Int, _ last: Int) -> Bool {
    write(from: BacklogTests.place(first), to: BacklogTests.place(last))
  }
}
