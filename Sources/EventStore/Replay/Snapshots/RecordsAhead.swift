import LMDB

/// Records that were read ahead, for whoever goes through a log one by one: a transaction for each
/// would cost more than what there is to do with it.
struct RecordsAhead {
  private var records: ArraySlice<Entry> = []

  private struct Entry {
    /// The place behind which it was read.
    let origin: Applied
    let place: Applied
    let record: LooseRecord
  }

  /// The records that are read at once, and the bytes beyond which no further one is: so few that
  /// the processor's cache still has them when their turn comes.
  private static let (countMax, bytesMax) = (32, 1 << 17)

  /// The record behind a place, with its own place; `nil` where what follows is no whole record
  /// above the floor.
  mutating func next(behind place: Applied, of log: Log) throws -> (LooseRecord, Applied)? {
    if records.first?.origin != place { records = try Self.read(behind: place, of: log) }
    return records.popFirst().map { ($0.record, $0.place) }
  }

  private static func read(behind place: Applied, of log: Log) throws -> ArraySlice<Entry> {
    try log.read { snapshot throws in
      guard place.number >= snapshot.floor, place.number < snapshot.last else { return [] }
      var cursor = try snapshot.records(behind: place)
      var (entries, bytes, origin): ([Entry], Int, Applied) = ([], 0, place)
      while entries.count < countMax, bytes < bytesMax, case .record? = try cursor.find() {
        let record = LooseRecord(number: cursor.number, bytes: cursor.record.copy)
        entries.append(Entry(origin: origin, place: cursor.place, record: record))
        (origin, bytes) = (cursor.place, bytes + record.bytes.count)
      }
      return entries[...]
    }
  }
}
