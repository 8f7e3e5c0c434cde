import LMDB

/// What an event that touches very many rows does to a view: found out row by row, and done to its
/// index all at once.
struct Overhaul {
  /// The view's place among the reducer's.
  let place: UInt16
  /// Whether anything happened to the view's lists or to the rows in them.
  private(set) var isConcerned = false
  private let view: KeptView
  /// The rows whose entries go; those that stay in some list come again.
  private var leaving = RowSet()
  private var entering: [IndexEntry] = []
  /// What the hash of the index becomes more by.
  private var hash: UInt64 = 0
  private var changes = ListChanges()

  /// How many entries are put into an index together.
  private static let chunkMax = 4096

  init(_ view: KeptView, _ place: UInt16) {
    self.view = view
    self.place = place
  }

  /// Takes in what became of a row, of which the fields in a set may have changed.
  mutating func note(_ row: RowID, before: RowView?, now: RowView, touched: UInt64) {
    changes.add(before: before, after: now, touched: touched, in: view.plan)
    guard !changes.changes.isEmpty else { return }
    isConcerned = true
    if !changes.changes.allSatisfy(\.isUpdate) {
      for change in changes.changes { note(change, of: row) }
    }
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
    try view.index.removeAll(of: leaving)
    leaving.removeAll()
    view.index.hash &+= hash
    try sortEntering(shelf)
    guard view.index.count > 0 else {
      var next = entering.makeIterator()
      return try view.index.build { next.next() }
    }
    for start in stride(from: 0, to: entering.count, by: Self.chunkMax) {
      try insert(start..<min(start + Self.chunkMax, entering.count), shelf)
    }
  }

  private mutating func sortEntering(_ shelf: Shelf) throws(RowError) {
    let (entries, plan) = (entering, view.plan)
    let order = try WordOrder(count: entries.count) {
      entries[$0].words
    } _: { left, right throws(RowError) in
      try shelf.precedes(entries[left].row, entries[right].row, plan)
    }
    entering = order.sorted(entries)
  }

  private func insert(_ range: Range<Int>, _ shelf: Shelf) throws {
    var keys = KeyBuffer()
    let operations = try range.map { index in
      let entry = entering[index]
      let group = view.plan.isGrouped ? entry.words.first : 0
      let key = try shelf.table.withRow(entry.row) { row -> Range<Int> in
        guard let row else { return 0..<0 }
        return view.plan.appendKey(of: row, in: group, to: &keys)
      }
      return IndexOperation.insert(entry.words, entry.row, token: key)
    }
    var ties = KeyTies(place, view.plan, shelf, NetTable(), keys)
    try view.index.apply(operations.span, &ties)
  }
}
