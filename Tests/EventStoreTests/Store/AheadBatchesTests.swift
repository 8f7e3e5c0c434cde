import EventStore
import Testing

/// What was reduced before the log's thread has written it, and what is found of it then.
struct AheadBatchesTests {
  /// A log's end, and batches of two records behind it.
  private struct Written {
    let start = Applied(number: 10, chain: 7)
    let batches: [Batch]
    let ends: [Applied]

    init(_ count: Int) {
      var (batches, ends): ([Batch], [Applied]) = ([], [])
      for _ in 0..<count {
        var batch = Batch()
        for _ in 0..<2 { batch.add(.note) }
        ends.append(batch.end(behind: ends.last ?? start))
        batches.append(batch)
      }
      (self.batches, self.ends) = (batches, ends)
    }

    /// The first of them, as they are being written.
    func first(_ count: Int, behind start: Applied? = nil) -> WrittenRecords {
      let (first, start) = (Array(batches.prefix(count)), start ?? self.start)
      let end = first.reduce(start) { $1.end(behind: $0) }
      return WrittenRecords(batches: first, receipts: [], start: start, end: end)
    }

    /// All of them, reduced ahead: the frame has ten bytes more with each.
    var ahead: AheadBatches {
      var ahead = AheadBatches()
      for (place, end) in ends.enumerated() {
        ahead.begin(from: place == 0 ? start : ends[place - 1], endingAt: end)
        ahead.reduced(bytes: 10 * (place + 1))
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
    #expect(taken.count == 2 && taken.end == written.ends[1] && taken.bytes == 20)
    #expect(!ahead.isEmpty && ahead.end == written.ends[2])
    #expect(!ahead.hasAny(upTo: written.ends[1].number))
    #expect(ahead.hasAny(upTo: written.ends[2].number))
  }

  /// Behind records of another process they have other numbers, and say other things.
  @Test func batches_areNotFound_whereTheyDontStandWhereTheyWereTo() {
    let written = Written(2)
    var ahead = written.ahead
    for start in [Applied(number: 11, chain: 7), Applied(number: 10, chain: 8)] {
      let taken = ahead.take(written.first(1, behind: start))
      #expect(taken == nil)
    }
  }

  /// What was written is told of again where the log's map had to grow for it.
  @Test func batches_areKnown_toStandBehindWhatWasTakenAlready() {
    let written = Written(3)
    var ahead = written.ahead
    #expect(ahead.begin(behind: written.start) && !ahead.begin(behind: written.ends[1]))
    _ = ahead.take(written.first(2))
    #expect(ahead.begin(behind: written.ends[1]) && !ahead.begin(behind: written.start))
    _ = ahead.take(written.first(1, behind: written.ends[1]))
    #expect(!ahead.begin(behind: written.ends[1]))
  }

  @Test func batchThatIsBeingReduced_isWaitedFor_whereItIsWritten() {
    let written = Written(2)
    var ahead = AheadBatches()
    ahead.begin(from: written.start, endingAt: written.ends[0])
    ahead.reduced(bytes: 10)
    ahead.begin(from: written.ends[0], endingAt: written.ends[1])
    #expect(ahead.areReduced(first: 1) && !ahead.areReduced(first: 2))
    let count = ahead.take(written.first(1))?.count
    #expect(count == 1)
    ahead.reduced(bytes: 20)
    #expect(ahead.areReduced(first: 2) && !ahead.isEmpty)
  }

  @Test func frame_endsBehindWhatIsReduced() {
    let written = Written(3)
    var ahead = AheadBatches()
    ahead.begin(from: written.start, endingAt: written.ends[0])
    ahead.reduced(bytes: 10)
    ahead.beginFrame()
    ahead.begin(from: written.ends[0], endingAt: written.ends[1])
    ahead.reduced(bytes: 5)
    let bytesBefore = ahead.take(written.first(1))?.bytes
    let behind = WrittenRecords(
      batches: [written.batches[1]], receipts: [], start: written.ends[0], end: written.ends[1])
    let bytes = ahead.take(behind)?.bytes
    #expect(bytesBefore == 0 && bytes == 5)
    #expect(ahead.isEmpty)
  }
}

extension AheadBatches {
  fileprivate mutating func take(_ records: WrittenRecords) -> Taken? {
    take(from: records.start, records.ends(ofFirst: records.batches.count))
  }
}
