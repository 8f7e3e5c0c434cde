import EventStore

/// Splits an intent about very many objects into records that are shown one after the other.
extension MarkAll {
  /// The number of newest objects that the first record covers, which takes a few milliseconds, and
  /// the number that each further record covers, except the last.
  package static let (firstCount, partCount) = (512, 2048)

  /// Returns the intent as one record, or as several if it covers more objects than the first one
  /// may; the first is then the cause of the others.
  ///
  /// An intent with a tag or a condition stays one record: each further record would have to search
  /// everything that the ones before it left.
  func parts(
    of account: UInt32, in snapshot: borrowing StoreSnapshot
  ) throws -> [MarkAll] {
    guard let list, tag == nil, condition == nil else { return [self] }
    let dates = try list.dates(of: account, in: snapshot)
    return (dates + [nil]).map { date in
      var part = self
      part.since = date
      return part
    }
  }
}

extension MarkAll.List {
  /// Returns the date of the last object that each record covers, except for the last record.
  fileprivate func dates(
    of account: UInt32, in snapshot: borrowing StoreSnapshot
  ) throws -> [Timestamp?] {
    var dates: [Timestamp?] = []
    let list = name(of: account)
    let count = try snapshot.count(of: list)
    for place in stride(from: MarkAll.firstCount, to: count, by: MarkAll.partCount) {
      let last = try snapshot.rows(of: list, in: place - 1..<place).first
      // Objects with the same date are never split between two records.
      if let date = last?[date], date != dates.last { dates.append(date) }
    }
    return dates
  }
}
