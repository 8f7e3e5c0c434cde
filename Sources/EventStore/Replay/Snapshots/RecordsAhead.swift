import LMDB

/// Records read ahead for callers that go through a log one by one, where a transaction per record
/// would cost more than the processing.
struct RecordsAhead {
  private var records: ArraySlice<Entry> = []

  private struct Entry {
    /// The place after which the record was read.
    let origin: LogPoint
    let place: LogPoint
    let record: LooseRecord
  }

  /// The most records read at once, and the bytes after which no more are read: few enough that
  /// they stay in the processor's cache until their turn.
  private static let (countMax, bytesMax) = (32, 1 << 17)

  /// Returns the record after a place, with its own place; `nil` if no intact record above the
  /// floor follows.
  mutating func next(after place: LogPoint, of log: Log) throws -> (LooseRecord, LogPoint)? {
    if records.first?.origin != place { records = try Self.read(after: place, of: log) }
    return records.popFirst().map { ($0.record, $0.place) }
  }

  private static func read(after place: LogPoint, of log: Log) throws -> ArraySlice<Entry> {
    try log.read { snapshot throws in
      guard place.number >= snapshot.floor, place.number < snapshot.last else { return [] }
      var cursor = try snapshot.records(after: place)
      var (entries, bytes, origin): ([Entry], Int, LogPoint) = ([], 0, place)
      while entries.count < countMax, bytes < bytesMax, case .record? = try cursor.find() {
        let record = LooseRecord(number: cursor.number, bytes: cursor.record.copy)
        entries.append(Entry(origin: origin, place: cursor.place, record: record))
        (origin, bytes) = (cursor.place, bytes + record.bytes.count)
      }
      return entries[...]
    }
  }
}
