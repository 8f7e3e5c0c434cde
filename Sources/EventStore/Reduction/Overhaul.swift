import LMDB

/// What an event that touches very many rows does to a view: found out row by row, and done to its
/// index all at once.
struct Overhaul {
  /// The view's place among the reducer's.
  let place: UInt16
  /// Whether anything happened to the view's lists or to the rows in them.
  private(set) var isConcerned = false
  /// Whether all entries go but those of rows that are noted.
  private var isCleared = false
  private let view: KeptView
  /// The rows whose entries go; those that stay in some list come again.
  private var leaving = RowSet()
  private var entering: [IndexEntry] = []
  /// What the hash of the index becomes more by.
  private var hash: UInt64 = 0
  private var changes = ListChanges()

  init(_ view: KeptView, _ place: UInt16) {
    self.view = view
    self.place = place
  }

  /// Takes in that rows learn later of what the event did to them, which clears some views of all
  /// that are not noted.
  mutating func noteSweep(clearing cleared: Set<UInt16>) {
    isConcerned = true
    isCleared = cleared.contains(place)
  }

  /// Takes in what became of a row that the event touched, and which fields it changed.
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

  /// Takes in a row whose entries are gone with all others.
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

  /// Brings the index up to date; rows are as they are behind the event.
  ///
  /// - Complexity: O(n + m log n) for m entries that come, in an index of n.
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
