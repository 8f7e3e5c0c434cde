package import LMDB

/// The net changes of a stretch of events to the lists of a view: one change for each row in each
/// list that it was in at the beginning or is in at the end.
package struct JournalNet: Sendable {
  /// The change of one row in one list.
  package struct Change: Sendable {
    /// The list's group, or 0.
    package let group: UInt64
    /// The row.
    package let row: RowID
    let old: Range<Int>?
    let new: Range<Int>?
    let details: Int
  }

  /// The changes to a row, whatever lists it is in.
  struct Details: Sendable {
    var changed: UInt64
    var digests: Int
  }

  /// The changes in ascending order of group, then row.
  package let changes: [Change]
  private let details: [Details]
  private let digests: [UInt64]
  private let keys: [UInt8]

  init(_ changes: [Change], _ details: [Details], _ digests: [UInt64], _ keys: [UInt8]) {
    self.changes = changes
    self.details = details
    self.digests = digests
    self.keys = keys
  }

  /// Returns the old key of a change's row in the list, or `nil` if the row was not in it.
  @_lifetime(borrow self)
  package func oldKey(_ change: Change) -> RawSpan? {
    guard let range = change.old else { return nil }
    return keys.raw.extracting(range)
  }

  /// Returns the new key of a change's row in the list, or `nil` if the row is not in it.
  @_lifetime(borrow self)
  package func newKey(_ change: Change) -> RawSpan? {
    guard let range = change.new else { return nil }
    return keys.raw.extracting(range)
  }

  /// Returns the visible fields of a change's row that any of the events changed; some may have
  /// their original value again.
  package func changed(_ change: Change) -> UInt64 { details[change.details].changed }

  /// Returns the old digest of a field, counted from 0, of a change's row; 0 if the field was
  /// absent.
  ///
  /// - Precondition: The field is one of ``changed(_:)``.
  package func oldDigest(_ change: Change, of field: Int) -> UInt64 {
    let details = details[change.details]
    precondition(details.changed >> UInt64(field) & 1 == 1, "field \(field + 1) did not change")
    let before = details.changed & ((1 << UInt64(field)) - 1)
    return digests[details.digests + before.nonzeroBitCount]
  }

  /// Returns the visible fields of a change's row whose current values differ from the old ones.
  package func reallyChanged(_ change: Change, now row: RowView, _ shape: RowShape) -> UInt64 {
    var changed: UInt64 = 0
    for field in FieldNumbers(self.changed(change)) {
      let digest = row.isPresent ? row.digest(of: field, shape.kind(of: field) ?? .integer) : 0
      if digest != oldDigest(change, of: field) { changed |= 1 << UInt64(field) }
    }
    return changed
  }
}

extension Journal {
  /// Returns the net changes of the events after one number, up to another, to the lists of a view,
  /// or only to the list of `group`.
  ///
  /// Returns `nil` if the journal does not reach back that far.
  ///
  /// - Complexity: O(bytes journaled of the view and the collection), amortized.
  /// - Throws: ``LMDBError``; `corrupted` if a block differs from what was written.
  package func net(
    ofView view: UInt16, group: UInt64? = nil, rowsOf collection: UInt8,
    after first: UInt64, through last: UInt64
  ) throws(LMDBError) -> JournalNet? {
    let (lists, rows) = (JournalStream.lists(ofView: view), JournalStream.rows(of: collection))
    guard let floor = floor(of: lists), first >= floor, last <= catalog.last else { return nil }
    var sum = JournalSum()
    try forEachBlock(of: lists, after: first) { block throws(LMDBError) in
      while let entry = try block.nextList() {
        guard block.number > first, block.number <= last else { continue }
        if group == nil || group == entry.group { sum.add(entry) }
      }
    }
    if sum.isEmpty { return sum.net }
    guard let floor = self.floor(of: rows), first >= floor else { return nil }
    try forEachBlock(of: rows, after: first) { block throws(LMDBError) in
      while let entry = try block.nextRow() {
        if block.number > first, block.number <= last { sum.add(entry) }
      }
    }
    return sum.net
  }
}
