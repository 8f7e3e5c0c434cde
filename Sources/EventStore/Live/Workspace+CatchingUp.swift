import LMDB

/// Telling who was away what happened meanwhile.
extension Workspace {
  /// What happened to a window of a list since a position that the log holds; `nil` where nothing
  /// did.
  ///
  /// Where it can't be told any more, the rows that there are now. To who was told last at a
  /// position before, when nothing had happened in between, it is told from that `origin`.
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

  /// Whether it is known what a list was at a number, so that what happened since can be told.
  ///
  /// Where its view was made anew, by another reducer or without what was erased meanwhile, it may
  /// have been another there. Before the first record it was empty, by whichever.
  func knows(_ list: ListID, at number: RecordNumber) -> Bool {
    guard number > .zero, list.view < keptCount else { return true }
    let floor = journal.floor(of: state.lists.views[list.view].stream)
    return floor.map { $0 < number.rawValue } ?? false
  }

  /// The rows of a window, for somebody who stands at a position that nothing is known of.
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

/// What the journal knows of the past of some rows.
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
  /// What a stretch of the journal says that fields held before.
  fileprivate init(_ change: JournalNet.Change, _ net: JournalNet, _ fields: UInt64) {
    let fields = FieldSet(rawValue: fields)
    var digests: [UInt64] = []
    fields.forEach { digests.append(net.oldDigest(change, of: $0 - 1)) }
    self.init(fields: fields, digests: digests)
  }
}
