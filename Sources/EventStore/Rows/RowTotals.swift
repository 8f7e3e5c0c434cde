/// What is known of all rows of a collection together.
package struct RowTotals: Hashable, Sendable {
  /// The greatest number that was given to a row.
  package var lastID: UInt32 = 0
  /// How many rows are present.
  package var count: UInt64 = 0
  /// The sum of the hashes of the rows that are present: the same for the same ids and visible
  /// values, in whatever order they came about.
  package var hash: UInt64 = 0

  /// Those of no rows.
  package init() {}

  /// Those that were kept.
  package init(lastID: UInt32, count: UInt64, hash: UInt64) {
    self.lastID = lastID
    self.count = count
    self.hash = hash
  }

  /// Takes in a row, where it is present.
  package mutating func add(_ row: RowView, _ shape: RowShape) {
    guard row.isPresent else { return }
    hash &+= row.hash(shape)
    count += 1
  }

  /// Takes a row out, where it was present.
  package mutating func remove(_ row: RowView, _ shape: RowShape) {
    guard row.isPresent else { return }
    hash &-= row.hash(shape)
    count -= 1
  }

  /// Takes in what an event did to the rows that it touched.
  mutating func follow(_ notes: RowNotes, _ layer: RowLayer, _ shape: RowShape) {
    for touch in notes.event {
      if let before = notes.image(touch) { remove(before, shape) }
      guard let place = layer.place(of: notes.touches[touch].id) else { continue }
      add(layer.row(at: place), shape)
    }
  }
}
