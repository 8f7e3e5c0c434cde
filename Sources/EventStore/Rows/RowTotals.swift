/// Aggregate data about all rows of a collection.
package struct RowTotals: Hashable, Sendable {
  /// The greatest row number assigned.
  package var lastID: UInt32 = 0
  /// The number of present rows.
  package var count: UInt64 = 0
  /// The sum of the hashes of the present rows, which depends only on ids and visible values, not
  /// on the order of changes.
  package var hash: UInt64 = 0

  /// Totals of no rows.
  package init() {}

  /// Creates totals that were stored.
  package init(lastID: UInt32, count: UInt64, hash: UInt64) {
    self.lastID = lastID
    self.count = count
    self.hash = hash
  }

  /// Adds a row if it is present.
  package mutating func add(_ row: RowView, _ shape: RowShape) {
    guard row.isPresent else { return }
    hash &+= row.hash(shape)
    count += 1
  }

  /// Removes a row if it was present.
  package mutating func remove(_ row: RowView, _ shape: RowShape) {
    guard row.isPresent else { return }
    hash &-= row.hash(shape)
    count -= 1
  }

  /// Updates the totals for the rows that an event touched.
  mutating func follow(_ notes: RowNotes, _ layer: RowLayer, _ shape: RowShape) {
    for touch in notes.event {
      if let before = notes.image(touch) { remove(before, shape) }
      guard let place = layer.place(of: notes.touches[touch].id) else { continue }
      add(layer.row(at: place), shape)
    }
  }
}
