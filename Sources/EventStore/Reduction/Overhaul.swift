import LMDB

/// The effect on a view of an event that touches very many rows, determined row by row and applied
/// to the index all at once.
struct Overhaul {
  /// The view's place among all views.
  let place: UInt16
  /// Whether the event affected the view's lists or the rows in them.
  private(set) var isConcerned = false
  /// Whether all entries go except those of noted rows.
  private var isCleared = false
  private let view: KeptView
  /// The rows whose entries go; rows that stay in some list are inserted again.
  private var leaving = RowSet()
  private var entering: [IndexEntry] = []
  /// The amount to add to the index's hash.
  private var hash: UInt64 = 0
  private var changes = ListChanges()

  init(_ view: KeptView, _ place: UInt16) {
    self.view = view
    self.place = place
  }

  /// Notes that the event swept rows that learn of it later, which clears the given views of all
  /// rows not noted.
  mutating func noteSweep(clearing cleared: Set<UInt16>) {
    isConcerned = true
    isCleared = cleared.contains(place)
  }

  /// Adds a row that the event touched, with the fields it changed.
  mutating func note(_ row: RowID, before: RowView?, now: RowView, touched: UInt64) {
    guard !isCleared else { return enter(row, now) }
    guard touched != 0 || now.isPresent != RowView.isPresent(before) else { return }
    changes.add(before: before, after: now, touched: touched, in: view.plan)
    guard !changes.changes.isEmpty else { return }
    isConcerned = true
    if !changes.changes.allSatisfy(\.isUpdate) {
      for change in changes.changes { note(change, of: row) }
    }
    changes.removeAll()
  }

  /// Adds a row whose entries are gone along with all others.
  private mutating func enter(_ row: RowID, _ now: RowView) {
    changes.add(before: nil, after: now, in: view.plan)
    for change in changes.changes { note(change, of: row) }
    changes.removeAll()
  }

  private mutating func note(_ change: ListChanges.Change, of row: RowID) {
    if !change.old.isEmpty {
      leaving.insert(row.rawValue)
      hash &-= Mixer.hash(changes.keys.bytes(at: change.old))
    }
    if !change.new.isEmpty {
      entering.append(IndexEntry(view.plan.words(in: changes.keys.bytes(at: change.new)), row))
      hash &+= Mixer.hash(changes.keys.bytes(at: change.new))
    }
  }

  /// Brings the index up to date; rows are as they are after the event.
  ///
  /// - Complexity: O(n + m log n) for m entries inserted into an index of n.
  consuming func apply(_ shelf: Shelf) throws {
    if isCleared {
      try view.index.removeAll()
    } else {
      try view.index.removeAll(of: leaving)
    }
    leaving.removeAll()
    view.index.hash &+= hash
    try view.insert(entering, of: shelf)
  }
}
