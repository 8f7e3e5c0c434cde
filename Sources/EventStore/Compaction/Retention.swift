/// The rule for how much of a log is kept and what is compacted: a decision that uses no clock and
/// no log of its own.
///
/// A record is kept while it is young, and while it is among the most recent bytes, whichever keeps
/// more.
public struct Retention: Hashable, Sendable {
  /// The age up to which a record is kept.
  public var age = Duration.seconds(30 * 86_400)
  /// The number of bytes of the most recent records that are kept, however old they are.
  public var bytes = 64 << 20
  /// The share of the log that must be removable for compaction to be worthwhile.
  public var shareMin = 0.25

  /// Creates the default limits.
  public init() {}

  /// A search for the part of a log to compact, which visits its records in order from the floor.
  public struct Search: Hashable, Sendable {
    private let retention: Retention
    private let now: Timestamp
    private let total: Int
    private var gone = 0
    private var candidate: RecordNumber?

    /// Creates a search that has visited no record.
    ///
    /// `bytes` is the size of all records above the floor.
    public init(_ retention: Retention, now: Timestamp, bytes: Int) {
      (self.retention, self.now) = (retention, now)
      total = bytes
    }

    /// Whether anything can be due, so that a search is worthwhile.
    public var isWorthwhile: Bool {
      Double(total - retention.bytes) >= Double(total) * retention.shareMin && total > 0
    }

    /// Visits the next record; returns whether the one after it should be visited.
    public mutating func take(
      _ number: RecordNumber, recordedAt: Timestamp, bytes: Int
    ) -> Bool {
      let age = Duration.milliseconds(now.milliseconds(since: recordedAt))
      guard age > retention.age, total - gone - bytes >= retention.bytes else { return false }
      gone += bytes
      candidate = number
      return true
    }

    /// The record to compact the log through; `nil` if the log should be left alone.
    public var floor: RecordNumber? {
      Double(gone) >= Double(total) * retention.shareMin ? candidate : nil
    }
  }
}

extension Log {
  /// Returns the record to compact the log through now; `nil` if the log should be left alone.
  ///
  /// - Complexity: O(records), reading only the payloads of records to be compacted; O(1) if the
  ///   log is small.
  public func due(_ retention: Retention, now: Timestamp) throws(LogError) -> RecordNumber? {
    try reading { snapshot throws(LogError) in
      guard try snapshot.byteCount > retention.bytes else { return nil }
      var search = Retention.Search(retention, now: now, bytes: try snapshot.tailByteCount)
      guard search.isWorthwhile, let first = snapshot.numbers?.lowerBound else { return nil }
      var cursor = try snapshot.records(from: first)
      while try cursor.next() {
        let (record, number) = (cursor.record, cursor.number)
        let header = record.header
        let bytes = header.byteCount + record.payload.byteCount
        guard search.take(number, recordedAt: header.recordedAt, bytes: bytes) else { break }
      }
      return search.floor
    }
  }
}
