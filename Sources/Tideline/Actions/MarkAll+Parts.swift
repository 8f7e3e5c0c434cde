import EventStore

/// What is wanted of very many things, as records that are shown one after the other.
extension MarkAll {
  /// How many of the last things of the list the first record is about, which is some milliseconds
  /// of work, and how many each further one, but for the last.
  package static let (firstCount, partCount) = (512, 2048)

  /// The intent as one record, or as several where it is about more than the first is to be, which
  /// is then the cause of the others.
  ///
  /// One with a tag or a condition is one record: each further one would look for what it finds
  /// among all that those before it left.
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
  /// The date of the last thing that each of the records is about, but for the last record.
  fileprivate func dates(
    of account: UInt32, in snapshot: borrowing StoreSnapshot
  ) throws -> [Timestamp?] {
    var dates: [Timestamp?] = []
    let list = name(of: account)
    let count = try snapshot.count(of: list)
    for place in stride(from: MarkAll.firstCount, to: count, by: MarkAll.partCount) {
      let last = try snapshot.rows(of: list, in: place - 1..<place).first
      // Of things of one date no record leaves some to the next.
      if let date = last?[date], date != dates.last { dates.append(date) }
    }
    return dates
  }
}
