extension Log {
  /// Checks everything that must always hold of a log: dense numbers above the floor, an intact
  /// chain, payloads that match their checksums, and a head that matches the end of the file.
  ///
  /// For tests and tools. O(*n*) in the bytes of all records.
  ///
  /// - Throws: ``LogError`` that names the first wrong record.
  package func checkInvariants() throws(LogError) {
    let (known, durable) = (head.last, head.durable)
    try reading { snapshot throws(LogError) in
      let last = try snapshot.checkRecords()
      guard last == snapshot.last else { throw .damagedRecord(snapshot.last, .absent) }
      guard known <= last, durable <= last else {
        throw .damagedFile(path: path, detail: "known to \(max(known, durable)), is at \(last)")
      }
      let now = head.last(asOf: snapshot.transactionID)
      guard now == nil || now == last else {
        throw .damagedFile(path: path, detail: "the head is not where the file ends, at \(last)")
      }
    }
  }
}

extension Snapshot {
  /// Checks each record, and returns the last number.
  fileprivate borrowing func checkRecords() throws(LogError) -> RecordNumber {
    var last = base.number
    var count: UInt64 = 0
    var cursor = try records()
    while try cursor.next() {
      guard cursor.isBehindBaseline else {
        count += 1
        continue
      }
      last = last.advanced(by: 1)
      guard cursor.number == last else { throw .damagedRecord(last, .absent) }
    }
    guard count == base.baseline?.count ?? 0 else { throw .damagedRecord(floor, .absent) }
    return last
  }
}
