/// The records that the log handed over and that are not reduced yet, oldest first.
struct WaitingRecords {
  private var groups: [WrittenRecords] = []
  /// The number of leading groups that were taken out already.
  private var taken = 0
  /// The number of waiting records.
  private(set) var count = 0

  /// Whether nothing waits.
  var isEmpty: Bool { taken == groups.count }

  /// Appends records.
  mutating func append(_ records: WrittenRecords) {
    groups.append(records)
    count += records.count
  }

  /// Takes out the oldest records, with later ones that may be reduced together with them; a small
  /// group comes last, because someone may be waiting to see its result.
  mutating func takeFirst() -> WrittenRecords? {
    guard !isEmpty else { return nil }
    var first = takeNext()
    var last = first.count
    while !isEmpty, last > Pipeline.inlineMax, first.mayBeReduced(with: groups[taken]) {
      let next = takeNext()
      last = next.count
      first.append(next)
    }
    return first
  }

  private mutating func takeNext() -> WrittenRecords {
    let first = groups[taken]
    taken += 1
    count -= first.count
    if isEmpty {
      groups.removeAll(keepingCapacity: true)
      taken = 0
    }
    return first
  }

  /// Discards the records up to a record, which were reduced from the log.
  mutating func removeAll(upTo number: RecordNumber) {
    while !isEmpty, groups[taken].end.number <= number { _ = takeNext() }
  }
}
