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

  /// It changes nothing, but lent as if it did it is not copied for what is lent in turn.
  mutating func precedes(_ entry: RowID, _ token: Range<Int>) throws -> Bool {
    let key = keys.bytes(at: token)
    let group = plan.isGrouped ? key.integer(UInt64.self, at: 0) : 0
    if let place = nets.place(view, group, entry) {
      let net = nets.nets[place]
      let known = isPastRemovals ? net.new : net.indexed
      if !known.isEmpty { return plan.compare(keys.bytes(at: known), key) < 0 }
    }
    if isInEvent {
      return try shelf.table.withRowBeforeEvent(entry) { row in
        guard let row else { return false }
        return plan.compare(row, in: group, with: key) < 0
      }
    }
    return try shelf.table.withRow(entry) { row in
      guard let row else { return false }
      return plan.compare(row, in: group, with: key) < 0
    }
  }
}
