import EventStore
import Testing

/// Batches reduced before the log's thread has written them, and how they are found once it has.
struct AheadBatchesTests {
  /// The end of a log, and batches of two records after it.
  private struct Written {
    let start = LogPoint(number: 10, chain: 7)
    let batches: [Batch]
    let ends: [LogPoint]

    init(_ count: Int) {
      var (batches, ends): ([Batch], [LogPoint]) = ([], [])
      for _ in 0..<count {
        var batch = Batch()
        for _ in 0..<2 { batch.add(.note) }
        ends.append(batch.end(after: ends.last ?? start))
        batches.append(batch)
      }
      (self.batches, self.ends) = (batches, ends)
    }

    /// Returns the first batches, as they are being written.
    func first(_ count: Int, after start: LogPoint? = nil) -> WrittenRecords {
      let (first, start) = (Array(batches.prefix(count)), start ?? self.start)
      let end = first.reduce(start) { $1.end(after: $0) }
      return WrittenRecords(batches: first, receipts: [], start: start, end: end)
    }

    /// Returns the batches after the first `count`, as they are being written.
    func last(after count: Int) -> WrittenRecords {
      WrittenRecords(
        batches: Array(batches.dropFirst(count)), receipts: [], start: ends[count - 1],
        end: ends[ends.count - 1])
    }

    /// All batches, reduced ahead: each adds ten bytes to the frame.
    var ahead: AheadBatches {
      var ahead = AheadBatches()
      for (place, end) in ends.enumerated() {
        ahead.begin(from: place == 0 ? start : ends[place - 1], endingAt: end)
        _ = ahead.reduced(bytes: 10 * (place + 1))
      }
      return ahead
    }
  }

  @Test func batches_areFound_inTheOrderInWhichTheyAreWritten() throws {
    let written = Written(3)
    var ahead = written.ahead
    #expect(ahead.end == written.ends[2])
    let found = ahead.take(written.first(2))
    let taken = try #require(found)
    #expect(taken.count == 2 && taken.end == written.ends[1] && taken.reduced?.bytes == 20)
    #expect(!ahead.isEmpty && ahead.end == written.ends[2])
    #expect(!ahead.hasAny(upTo: written.ends[1].number))
    #expect(ahead.hasAny(upTo: written.ends[2].number))
  }

  /// After records of another process, batches have other numbers and other results.
  @Test func batches_areNotFound_whereTheyDontStandWhereTheyWereTo() {
    let written = Written(2)
    var ahead = written.ahead
    for start in [LogPoint(number: 11, chain: 7), LogPoint(number: 10, chain: 8)] {
      let taken = ahead.take(written.first(1, after: start))
      #expect(taken == nil)
    }
  }

  /// What was written is reported again where the log's map had to grow for it.
  @Test func batches_areKnown_toStandBehindWhatWasTakenAlready() {
    let written = Written(3)
    var ahead = written.ahead
    #expect(ahead.know(endingAt: written.start) && !ahead.know(endingAt: written.ends[1]))
    _ = ahead.take(written.first(2))
    #expect(ahead.know(endingAt: written.ends[1]) && !ahead.know(endingAt: written.start))
    _ = ahead.take(written.first(1, after: written.ends[1]))
    #expect(!ahead.know(endingAt: written.ends[1]))
  }

  /// The batch stays known until it is reduced; what is written after it was not reduced ahead.
  @Test func batchThatIsBeingReduced_isTakenOutOnceItIs_whereItWasWritten() {
    let written = Written(3)
    var ahead = AheadBatches()
    ahead.begin(from: written.start, endingAt: written.ends[0])
    _ = ahead.reduced(bytes: 10)
    ahead.begin(from: written.ends[0], endingAt: written.ends[1])
    let taken = ahead.take(written.first(3))
    #expect(taken?.count == 2 && taken?.end == written.ends[1])
    #expect(taken?.reduced?.last == written.ends[0].number && taken?.reduced?.bytes == 10)
    #expect(!ahead.isEmpty && ahead.unwrittenCount == 0)
    // The batch is reported again, and then the one after it.
    #expect(ahead.know(endingAt: written.ends[1]))
    #expect(ahead.take(written.last(after: 2))?.count == 0 && !ahead.isEmpty)
    let reduced = ahead.reduced(bytes: 20)
    #expect(reduced?.last == written.ends[1].number && reduced?.bytes == 20 && ahead.isEmpty)
  }

  @Test func batchThatIsBeingReduced_isNotFound_whereItDoesntStandWhereItWasTo() {
    let written = Written(1)
    var ahead = AheadBatches()
    ahead.begin(from: written.start, endingAt: written.ends[0])
    let taken = ahead.take(written.first(1, after: LogPoint(number: 11, chain: 7)))
    #expect(taken == nil)
    ahead.removeAll()
    let reduced = ahead.reduced(bytes: 10)
    #expect(reduced == nil && ahead.isEmpty)
  }

  @Test func frame_endsBehindWhatIsReduced() {
    let written = Written(3)
    var ahead = AheadBatches()
    ahead.begin(from: written.start, endingAt: written.ends[0])
    _ = ahead.reduced(bytes: 10)
    ahead.beginFrame()
    ahead.begin(from: written.ends[0], endingAt: written.ends[1])
    _ = ahead.reduced(bytes: 5)
    let bytesBefore = ahead.take(written.first(1))?.reduced?.bytes
    let bytes = ahead.take(Written(2).last(after: 1))?.reduced?.bytes
    #expect(bytesBefore == 0 && bytes == 5)
    #expect(ahead.isEmpty)
  }
}

extension AheadBatches {
  fileprivate mutating func take(_ records: WrittenRecords) -> Taken? {
    take(from: records.start, records.ends(ofFirst: records.batches.count))
  }
}
