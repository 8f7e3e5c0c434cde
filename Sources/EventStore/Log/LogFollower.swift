/// Who is told of records while the log is still locked: before they are committed and flushed.
///
/// All calls come from the log's own thread, in the order of the records.
protocol LogFollower: Sendable {
  /// Waits until the follower can take more; called before a group is written.
  func waitForRoom()

  /// Records have been written and can still fail to be committed: then ``failed()`` follows, or,
  /// where the map had to grow meanwhile, the same call once more.
  func wrote(_ records: WrittenRecords)

  /// Everything up to a record is in the log, and on the medium where `isDurable`.
  func committed(upTo last: RecordNumber, isDurable: Bool)

  /// What was written since the last commit is not in the log, or may not be; or what is in it
  /// may not be on the medium, and never will be.
  func failed()
}

/// Records on their way into the log, with the numbers that they get there.
package struct WrittenRecords: Sendable {
  package private(set) var batches: [Batch]
  /// Those to be told when the records are visible.
  package private(set) var receipts: [Receipt]
  /// Where the log ended before them.
  package let start: Applied
  /// Where it ends with them.
  package private(set) var end: Applied
  /// What was sketched of them, in the order of their numbers.
  var sketches: [RowSketches] = []

  /// How many may be reduced together, each index being brought up to date once.
  static let togetherMax = 2048

  /// Batches that begin at one place and end at another.
  package init(batches: [Batch], receipts: [Receipt], start: Applied, end: Applied) {
    (self.batches, self.receipts, self.start, self.end) = (batches, receipts, start, end)
  }

  /// How many there are.
  package var count: Int { start.number.distance(to: end.number) }

  /// Whether they may be reduced together with others behind them.
  func mayBeReduced(with next: WrittenRecords) -> Bool {
    next.start == end && count + next.count <= Self.togetherMax
      && !isStepwise && !next.isStepwise
  }

  /// Whether one of the batches is to be shown step by step.
  var isStepwise: Bool { batches.contains { $0.isStepwise } }

  /// Appends those that follow.
  mutating func append(_ next: WrittenRecords) {
    batches += next.batches
    receipts += next.receipts
    sketches += next.sketches
    end = next.end
  }

  /// The bytes they have together.
  var byteCount: Int { batches.reduce(0) { $0 + $1.byteCount } }

  /// Where each of the first batches ends.
  ///
  /// - Complexity: O(*n*) in their bytes.
  package func ends(ofFirst count: Int) -> [Applied] {
    var end = start
    return batches.prefix(count).map { batch in
      end = batch.end(behind: end)
      return end
    }
  }

  /// All but the first batches, which end there.
  func behindFirst(_ count: Int, endingAt end: Applied) -> WrittenRecords {
    WrittenRecords(
      batches: Array(batches.dropFirst(count)), receipts: receipts, start: end, end: self.end)
  }
}

extension LogFile.End {
  /// The place, whichever transaction saw it.
  var place: Applied { Applied(number: number, chain: chain.value) }
}
