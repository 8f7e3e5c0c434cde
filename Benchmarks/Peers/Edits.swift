/// The edits of one view by a batch: the places that were left and those that were taken.
///
/// Peers do not report rows that changed in place, which favors them.
package struct Edits: Equatable, Sendable {
  /// Places before the batch, ascending.
  package var removals: [Int]
  /// Places after the batch, ascending.
  package var insertions: [Int]

  package init(removals: [Int], insertions: [Int]) {
    self.removals = removals
    self.insertions = insertions
  }

  /// Creates the edits that removed `removed` from a view and inserted `inserted`.
  ///
  /// A key's rank before the batch follows from its rank afterwards: minus the inserted keys below
  /// it, plus the removed ones.
  /// - Parameter rank: Returns the number of keys of the view, after the batch, below a key.
  /// - Complexity: One rank per key, and sorting both arrays.
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

  /// Creates the edits that turn one list into another, both in the same order.
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

/// The net changes of a view's keys in one batch; a key that came and went is in neither list.
struct KeyChanges {
  private(set) var removed: [ViewKey] = []
  private(set) var inserted: [ViewKey] = []
  /// The groups that moved, with their last keys before the batch, if any, and now.
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

  /// Returns the edits, given the view's ranks after the batch.
  func edits<Failure>(
    rank: (ViewKey) throws(Failure) -> Int
  ) throws(Failure) -> Edits {
    try Edits(removed: removed, inserted: inserted, rank: rank)
  }
}
