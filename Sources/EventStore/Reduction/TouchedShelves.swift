/// The collections that the present event and the present batch have touched.
///
/// Only these are told where an event or a batch begins and ends, so collections that it leaves
/// alone cost nothing, however many there are.
struct TouchedShelves {
  /// The collections that the present event touched.
  private(set) var inEvent = ShelfSet()
  /// The collections that the present batch touched.
  private(set) var inBatch = ShelfSet()
  /// The collections in which the present batch touched too many rows to know which.
  private(set) var upset = ShelfSet()
  /// The size in bytes of this frame's changes, as of the last batch.
  private(set) var byteCount = 0
  /// How often a collection was told of an event.
  private(set) var visits = 0

  /// Begins a collection's event, and its batch if necessary.
  mutating func begin(_ place: UInt8, _ shelves: [Shelf]) {
    if inBatch.insert(place) { shelves[Int(place)].table.beginBatch() }
    guard inEvent.insert(place) else { return }
    shelves[Int(place)].table.beginEvent()
    visits += 1
  }

  /// Moves on after an event that ended in all collections.
  mutating func passEvent(_ shelves: [Shelf]) {
    inEvent.forEach { shelves[Int($0)].table.passEvent() }
    forgetEvent()
  }

  /// Notes that all collections have moved on after an event.
  mutating func forgetEvent() { inEvent.removeAll() }

  /// Notes that the rows of a collection touched by the batch are unknown.
  mutating func noteUpset(_ place: UInt8) { _ = upset.insert(place) }

  /// Ends the batch and counts the bytes it added.
  mutating func endBatch(_ shelves: [Shelf]) {
    var added = 0
    inBatch.forEach { place in
      let shelf = shelves[Int(place)]
      shelf.table.endBatch()
      added += shelf.table.dirtyBytes - shelf.countedBytes
      shelf.countedBytes = shelf.table.dirtyBytes
    }
    byteCount += added
    inBatch.removeAll()
    upset.removeAll()
  }

  /// Restarts counting with a new frame.
  mutating func endFrame(_ shelves: [Shelf]) {
    for shelf in shelves { shelf.countedBytes = 0 }
    byteCount = 0
  }
}
