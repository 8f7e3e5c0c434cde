import LMDB

/// Decides between entries of an index whose words are equal, by their whole keys.
///
/// An entry's key is that of its row, unless the batch has changed it: then it is noted which key
/// the entry still has.
struct KeyTies: TieBreaker {
  private let view: UInt16
  let plan: ViewPlan
  let shelf: Shelf
  private let nets: NetTable
  /// What the keys of changes are places in.
  let keys: KeyBuffer
  /// Whether the index has lost all entries that it is about to lose, so that what the batch
  /// changed stands there under its new key.
  var isPastRemovals = false
  /// Whether an event is under way, so that the index knows what rows were before it.
  var isInEvent = false
  /// The keys of rows that were read last, where many entries are put in together.
  var recent = RecentKeys(isKept: false)

  /// - Parameter keys: What the tokens, and the keys of the nets, are places in.
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

  /// Where the key lies under which an entry stands that the batch changed; `nil` of others.
  private func changedPlace(of entry: RowID, in group: UInt64) -> Range<Int>? {
    guard let place = nets.place(view, group, entry) else { return nil }
    let known = isPastRemovals ? nets.nets[place].new : nets.nets[place].indexed
    return known.isEmpty ? nil : known
  }

  /// Where the key of a row lies among the recent ones, read where it is not among them; `nil`
  /// where there is no such row.
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
