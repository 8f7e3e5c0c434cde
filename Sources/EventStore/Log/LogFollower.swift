/// A follower that is told of records while the log is still locked: before their commit and flush.
///
/// Calls come from the log's own thread, in record order; `committed` may also come from others.
protocol LogFollower: Sendable {
  /// Waits until the follower can take more; called before a group is written.
  func waitForRoom()

  /// Receives records that have been written and may still fail to be committed: then ``failed()``
  /// follows, or the same call again if the map had to grow meanwhile.
  func wrote(_ records: WrittenRecords)

  /// Learns that everything up to a record is in the log, and flushed if `isDurable`.
  func committed(upTo last: RecordNumber, isDurable: Bool)

  /// Learns that something was erased, so that the log is another copy of the store.
  func becameOtherCopy()

  /// Learns that what was written since the last commit is not, or may not be, in the log; or that
  /// what is in it may never be flushed.
  func failed()
}

/// Records on their way into the log, with the numbers that they get there.
package struct WrittenRecords: Sendable {
  package private(set) var batches: [Batch]
  /// The receipts to be notified when the records are visible.
  package private(set) var receipts: [Receipt]
  /// The end of the log before the records.
  package let start: LogPoint
  /// The end of the log after the records.
  package private(set) var end: LogPoint
  /// The sketches of the records' rows, in number order.
  var sketches: [SketchBook] = []

  /// The number of records that may be reduced together, updating each index once.
  static let togetherMax = 2048

  /// Creates records from batches that begin at one place and end at another.
  package init(batches: [Batch], receipts: [Receipt], start: LogPoint, end: LogPoint) {
    (self.batches, self.receipts, self.start, self.end) = (batches, receipts, start, end)
  }

  /// The number of records.
  package var count: Int { start.number.distance(to: end.number) }

  /// Whether the records may be reduced together with others that follow.
  func mayBeReduced(with next: WrittenRecords) -> Bool {
    next.start == end && count + next.count <= Self.togetherMax
      && !isStepwise && !next.isStepwise
  }

  /// Whether one of the batches is to be shown step by step.
  var isStepwise: Bool { batches.contains { $0.isStepwise } }

  /// Appends the records that follow.
  mutating func append(_ next: WrittenRecords) {
    batches += next.batches
    receipts += next.receipts
    sketches += next.sketches
    end = next.end
  }

  /// Returns the ends of the first batches.
  ///
  /// - Complexity: O(*n*) in their bytes.
  package func ends(ofFirst count: Int) -> [LogPoint] {
    var end = start
    return batches.prefix(count).map { batch in
      end = batch.end(after: end)
      return end
    }
  }

  /// Returns all but the first batches, which end at a place.
  func behindFirst(_ count: Int, endingAt end: LogPoint) -> WrittenRecords {
    WrittenRecords(
      batches: Array(batches.dropFirst(count)), receipts: receipts, start: end, end: self.end)
  }
}

extension LogFile.End {
  /// The place, regardless of the transaction that saw it.
  var place: LogPoint { LogPoint(number: number, chain: chain.value) }
}
