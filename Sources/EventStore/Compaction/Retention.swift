/// How much of a log stays as it is, and what of it is to be compacted: a decision without a clock
/// or a log of its own.
///
/// A record stays as long as it is young, and as long as it is among the latest bytes: of the two,
/// whichever keeps more.
public struct Retention: Hashable, Sendable {
  /// The age up to which a record stays.
  public var age = Duration.seconds(30 * 86_400)
  /// The bytes of the latest records that stay, however old they are.
  public var bytes = 64 << 20
  /// The share of the log that must go for compacting to be worth its while.
  public var shareMin = 0.25

  /// The default limits.
  public init() {}

  /// What of a log is to be compacted, found by going through it from its floor on.
  public struct Search: Hashable, Sendable {
    private let retention: Retention
    private let now: Timestamp
    private let total: Int
    private var gone = 0
    private var candidate: RecordNumber?

    /// A search that has seen nothing yet.
    ///
    /// The bytes are those of all records above the floor.
    public init(_ retention: Retention, now: Timestamp, bytes: Int) {
      (self.retention, self.now) = (retention, now)
      total = bytes
    }

    /// Whether anything can be due at all, so that it is worth while to look.
    public var isWorthwhile: Bool {
      Double(total - retention.bytes) >= Double(total) * retention.shareMin && total > 0
    }

    /// Takes the next record; says whether the one behind it is to be looked at.
    public mutating func take(
      _ number: RecordNumber, recordedAt: Timestamp, bytes: Int
    ) -> Bool {
      // A log that was imported may say any time.
      let (age, isBeyond) = now.rawValue.subtractingReportingOverflow(recordedAt.rawValue)
      let isOld = isBeyond ? recordedAt < now : Duration.milliseconds(age) > retention.age
      guard isOld, total - gone - bytes >= retention.bytes else { return false }
      gone += bytes
      candidate = number
      return true
    }

    /// The record to compact the log through; `nil` where it is left as it is.
    public var floor: RecordNumber? {
      Double(gone) >= Double(total) * retention.shareMin ? candidate : nil
    }
  }
}

extension Log {
  /// The record through which the log is to be compacted now; `nil` where it is to be left alone.
  ///
  /// - Complexity: O(records), of whose payloads only those to be compacted are read; O(1) where
  ///   the log is small.
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
