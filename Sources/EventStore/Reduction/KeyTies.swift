import LMDB

/// Orders index entries whose words are equal by their whole keys.
///
/// An entry's key is that of its row. If the batch changed the row, a net holds the key that the
/// entry still has.
struct KeyTies: TieBreaker {
  private let view: UInt16
  let plan: ViewPlan
  let shelf: Shelf
  private let nets: NetTable
  /// The buffer that holds the keys of changes.
  let keys: KeyBuffer
  /// Whether all pending removals are done, so that rows changed by the batch now stand under their
  /// new keys.
  var isPastRemovals = false
  /// Whether an event is under way, so that the index reflects the rows before it.
  var isInEvent = false
  /// The keys of rows read last, used when many entries are inserted together.
  var recent = RecentKeys(isKept: false)

  /// - Parameter keys: The buffer that holds the tokens and the keys of the nets.
  init(
    _ view: UInt16, _ plan: ViewPlan, _ shelf: Shelf, _ nets: NetTable, _ keys: KeyBuffer
  ) {
    self.view = view
    self.plan = plan
    self.shelf = shelf
    self.nets = nets
    self.keys = keys
  }

  mutating func precedes(_ entry: RowID, _ token: Range<Int>) throws -> Bool {
    let group = plan.isGrouped ? keys.bytes(at: token).integer(UInt64.self, at: 0) : 0
    if let known = changedPlace(of: entry, in: group) {
      return plan.compare(keys.bytes(at: known), keys.bytes(at: token)) < 0
    }
    guard recent.isKept else {
      return try withRow(entry) { row in
        guard let row else { return false }
        return plan.compare(row, in: group, with: keys.bytes(at: token)) < 0
      }
    }
    guard let place = try recentPlace(of: entry, in: group) else { return false }
    return plan.compare(recent.bytes(at: place), keys.bytes(at: token)) < 0
  }

  /// Returns the current key of an entry that the batch changed; `nil` for others.
  private func changedPlace(of entry: RowID, in group: UInt64) -> Range<Int>? {
    guard let place = nets.place(view, group, entry) else { return nil }
    let known = isPastRemovals ? nets.nets[place].new : nets.nets[place].indexed
    return known.isEmpty ? nil : known
  }

  /// Returns the key of a row among the recent ones, reading it if necessary; `nil` if the row
  /// doesn't exist.
  private mutating func recentPlace(
    of entry: RowID, in group: UInt64
  ) throws(RowError) -> Range<Int>? {
    if let place = recent.place(of: entry, in: group) { return place }
    var recent = RecentKeys(isKept: true)
    swap(&recent, &self.recent)
    defer { swap(&recent, &self.recent) }
    return try withRow(entry) { row in
      guard let row else { return nil }
      return recent.note(row, entry, in: group, plan)
    }
  }

  /// Calls `body` with the row whose key the index has.
  private func withRow<R>(_ entry: RowID, _ body: (RowView?) -> R) throws(RowError) -> R {
    isInEvent
      ? try shelf.table.withRowBeforeEvent(entry, body) : try shelf.table.withRow(entry, body)
  }
}
