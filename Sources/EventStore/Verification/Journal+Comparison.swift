import LMDB

extension Journal {
  /// Returns a hash of what is reported of each event in a range; `nil` if the journal doesn't
  /// reach back that far.
  ///
  /// - Parameter name: Returns a hash of the name of a row, given the row's number.
  borrowing func eventHashes(
    of stream: JournalStream, _ range: (after: UInt64, through: UInt64),
    _ name: (UInt32) throws(LMDBError) -> UInt64
  ) throws(LMDBError) -> [UInt64: UInt64]? {
    guard let floor = floor(of: stream), floor <= range.after else { return nil }
    var hashes: [UInt64: UInt64] = [:]
    let isRows = stream >= JournalStream.rows(of: 0)
    try forEachBlock(of: stream, after: range.after) { block throws(LMDBError) in
      while let entry = try block.nextHash(isRows: isRows) {
        guard block.number > range.after, block.number <= range.through else { continue }
        var mixer = Mixer(seed: try name(entry.row))
        mixer.add(entry.rest)
        // Rows with other numbers may come in another order.
        hashes[block.number, default: 0] &+= mixer.value
      }
    }
    return hashes
  }

  /// Returns the first event of a range that changed one of the given fields of rows.
  borrowing func firstChange(
    of fields: [UInt32: UInt64], _ stream: JournalStream,
    _ range: (after: UInt64, through: UInt64)
  ) throws(LMDBError) -> UInt64? {
    guard !fields.isEmpty, let floor = floor(of: stream), floor <= range.after else { return nil }
    var first: UInt64?
    try forEachBlock(of: stream, after: range.after) { block throws(LMDBError) in
      while let entry = try block.nextRow() {
        guard block.number > range.after, block.number <= range.through,
          entry.changed & (fields[entry.row] ?? 0) != 0
        else { continue }
        first = min(first ?? block.number, block.number)
      }
    }
    return first
  }
}

extension JournalBlock {
  /// Reads the next entry, and returns the number of its row and a hash of the rest; `nil` after
  /// the last.
  @_lifetime(self: copy self)
  fileprivate mutating func nextHash(
    isRows: Bool
  ) throws(LMDBError) -> (row: UInt32, rest: UInt64)? {
    if isRows {
      guard let entry = try nextRow() else { return nil }
      return (entry.row, entry.hash)
    }
    guard let entry = try nextList() else { return nil }
    return (entry.row, entry.hash)
  }
}

extension RowEntry {
  /// A hash of everything but the row's number.
  fileprivate var hash: UInt64 {
    var mixer = Mixer(seed: UInt64(flags))
    mixer.add(changed)
    mixer.add(had)
    for field in 0..<64 where changed >> UInt64(field) & 1 == 1 { mixer.add(digest(of: field)) }
    return mixer.value
  }
}

extension ListEntry {
  /// A hash of everything but the row's number.
  fileprivate var hash: UInt64 {
    var (old, new): ([UInt8], [UInt8]) = ([], [])
    if hasOld { appendOldKey(to: &old) }
    if hasNew { appendNewKey(to: &new) }
    var mixer = Mixer(seed: group)
    mixer.add((hasOld ? 1 : 0) | (hasNew ? 2 : 0))
    mixer.add(old.raw)
    mixer.add(new.raw)
    return mixer.value
  }
}
