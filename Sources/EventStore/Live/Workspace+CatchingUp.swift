import LMDB

/// Telling observers what happened while they were away.
extension Workspace {
  /// Returns what happened to a window of a list since a position that the log holds, or `nil` if
  /// nothing did.
  ///
  /// If that is no longer known, returns a reset with the current rows. An observer last told at an
  /// earlier position, with no change in between, is told from that `origin`.
  func changes(
    of list: ListID, _ window: ListWindow, since start: Position, from origin: Position? = nil
  ) throws -> ChangeSet? {
    try requireWhole()
    guard start != position else { return nil }
    let origin = origin ?? start
    guard start.number < applied.number,
      let net = try net(of: list, after: start.number.rawValue)
    else { return try reset(of: list, window, since: origin) }
    var past = JournalPast()
    let entries = try net.changes.compactMap { try entry($0, net, list.view, &past) }
    guard !entries.isEmpty else { return nil }
    var reader = ListReader(
      self, list.view, try ranks(of: list),
      .journal(past.differences), NetTable(), past.keys)
    var delta = ListDelta(entries, in: reader)
    return try delta.changeSet(in: window, from: origin, to: position, reading: &reader)
  }

  /// Whether the list's content at a record number is known, so that later changes can be told.
  ///
  /// It is unknown beyond the journal's reach, as after the view was remade by another reducer or
  /// without erased records. Before the first record, every list was empty.
  ///
  /// - Parameter isSame: Whether the content there came from the same generation: it is then also
  ///   known where the journal begins.
  func knows(_ list: ListID, at number: RecordNumber, ofSame isSame: Bool = false) -> Bool {
    guard number > .zero, list.view < keptCount else { return true }
    let floor = journal.floor(of: state.lists.views[list.view].stream)
    return floor.map { $0 < number.rawValue || isSame && $0 == number.rawValue } ?? false
  }

  /// Returns a window's rows as a reset, for an observer at a position that is not known.
  func reset(of list: ListID, _ window: ListWindow, since start: Position) throws -> ChangeSet {
    let content = try content(of: list, window)
    return ChangeSet(from: start, to: position, reset: content.rows, total: content.total)
  }

  private func net(of list: ListID, after number: UInt64) throws(LMDBError) -> JournalNet? {
    let view = state.lists.views[list.view]
    return try journal.net(
      ofView: view.number, group: list.group,
      rowsOf: definitions.collections[Int(view.collection)].number, after: number,
      through: applied.number.rawValue)
  }

  private func entry(
    _ change: JournalNet.Change, _ net: JournalNet, _ view: Int, _ past: inout JournalPast
  ) throws -> ListDelta<Range<Int>>.Entry? {
    past.note(change, net)
    let (old, new) = (past.keep(net.oldKey(change)), past.keep(net.newKey(change)))
    guard old != nil || new != nil else { return nil }
    guard old != nil, new != nil else {
      return ListDelta.Entry(row: change.row, old: old, new: new)
    }
    let shelf = shelf(of: view)
    let fields = try shelf.table.withRow(change.row) { row -> UInt64 in
      guard let row else { return 0 }
      return net.reallyChanged(change, now: row, shelf.collection.shape)
    }
    return ListDelta.Entry(
      row: change.row, old: old, new: new, difference: RowDifference(change, net, fields))
  }
}

/// The journal's knowledge of the past of some rows.
private struct JournalPast {
  var keys = KeyBuffer()
  var differences: [RowID: RowDifference] = [:]

  mutating func note(_ change: JournalNet.Change, _ net: JournalNet) {
    differences[change.row] = RowDifference(change, net, net.changed(change))
  }

  mutating func keep(_ key: RawSpan?) -> Range<Int>? {
    guard let key else { return nil }
    let start = keys.count
    keys.append(key)
    return start..<keys.count
  }
}

extension RowDifference {
  /// Creates the difference from the fields' previous digests in a stretch of the journal.
  fileprivate init(_ change: JournalNet.Change, _ net: JournalNet, _ fields: UInt64) {
    let fields = FieldSet(rawValue: fields)
    var digests: [UInt64] = []
    fields.forEach { digests.append(net.oldDigest(change, of: $0 - 1)) }
    self.init(fields: fields, digests: digests)
  }
}
