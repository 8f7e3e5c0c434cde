/// What a batch did to one view: which places were left and which were taken.
///
/// Peers say nothing of rows that changed but stayed, which favours them.
package struct Edits: Equatable, Sendable {
  /// Places before the batch, ascending.
  package var removals: [Int]
  /// Places after the batch, ascending.
  package var insertions: [Int]

  package init(removals: [Int], insertions: [Int]) {
    self.removals = removals
    self.insertions = insertions
  }

  /// The edits that took `removed` out of a view and put `inserted` in.
  ///
  /// A key's rank before the batch follows from the one after it: less by the keys inserted below
  /// it, more by those removed.
  /// - Parameter rank: how many keys of the view, after the batch, lie below one.
  /// - Complexity: a rank for each key, and the sorting of both.
  package init<Failure>(
    removed: [ViewKey], inserted: [ViewKey], rank: (ViewKey) throws(Failure) -> Int
  ) throws(Failure) {
    let inserted = inserted.sorted()
    insertions = try inserted.map(rank)
    removals = []
    removals.reserveCapacity(removed.count)
    var below = 0
    for (index, key) in removed.sorted().enumerated() {
      while below < inserted.count, inserted[below] < key { below += 1 }
      removals.append(try rank(key) - below + index)
    }
  }

  /// The edits that turn one list into another, both in the same order.
  /// - Complexity: O(n + m)
  package init(from old: [ViewKey], to new: [ViewKey]) {
    (removals, insertions) = ([], [])
    var place = 0
    for (index, key) in new.enumerated() {
      while place < old.count, old[place] < key {
        removals.append(place)
        place += 1
      }
      if place < old.count, old[place] == key { place += 1 } else { insertions.append(index) }
    }
    removals.append(contentsOf: place..<old.count)
  }

  /// A hash of the places.
  package var digest: UInt64 {
    (removals + insertions).reduce(UInt64(removals.count)) { $0 &* 31 &+ UInt64($1) }
  }
}

/// What happened to a view's keys in one batch, netted: a key that came and went is in neither.
struct KeyChanges {
  private(set) var removed: [ViewKey] = []
  private(set) var inserted: [ViewKey] = []
  /// The groups that moved: where each was before the batch, if anywhere, and where it is.
  private var moves: [Int: (old: ViewKey?, new: ViewKey)] = [:]

  mutating func insert(_ key: ViewKey) { inserted.append(key) }

  mutating func move(_ group: Int, from old: ViewKey?, to new: ViewKey) {
    moves[group, default: (old, new)].new = new
  }

  /// Ends the batch.
  mutating func settle() {
    for move in moves.values {
      if let old = move.old { removed.append(old) }
      inserted.append(move.new)
    }
    moves = [:]
  }

  /// The edits, given the view's ranks after the batch.
  func edits<Failure>(
    rank: (ViewKey) throws(Failure) -> Int
  ) throws(Failure) -> Edits {
    try Edits(removed: removed, inserted: inserted, rank: rank)
  }
}
